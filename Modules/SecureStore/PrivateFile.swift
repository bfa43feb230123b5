package import Foundation
import Glibc

/// A file with an unencrypted secret, such as a key or a client's secret, that no other user may
/// read.
///
/// Owner, mode and content come from one descriptor, so nobody can swap the file in between. Links
/// are followed, because services' secrets are often links; the target is what is checked.
package struct PrivateFile: Sendable {
  /// The reason why a file was not read.
  package enum Refusal: Error, Sendable, Equatable {
    /// The file does not exist, or this user cannot read it.
    case unreadable
    /// The file is a folder, a pipe or a device, or larger than any secret.
    case unsuitable
    /// The file belongs to another user, who could change it.
    case foreign
    /// The group or other users may read or change the file.
    case exposed
  }

  private static let limit = 1 << 20

  private let path: String
  private let isServiceCredential: Bool

  /// - Parameters:
  ///   - path: the file.
  ///   - isServiceCredential: true if systemd provides the file. Such a file belongs to root, and
  ///     an access control list admits the service's user, which the mode shows as a right of the
  ///     group to read.
  package init(path: String, isServiceCredential: Bool = false) {
    self.path = path
    self.isServiceCredential = isServiceCredential
  }

  /// Reads the file.
  package func read() throws(Refusal) -> Data {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable }
    defer { close(descriptor) }
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .unreadable }
    guard found.st_mode & S_IFMT == S_IFREG, found.st_size <= Self.limit else { throw .unsuitable }
    guard found.st_uid == geteuid() || found.st_uid == 0 else { throw .foreign }
    let forbidden: mode_t = isServiceCredential ? 0o037 : 0o077
    guard found.st_mode & forbidden == 0 else { throw .exposed }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    guard let data = try? handle.read(upToCount: Self.limit) ?? Data() else { throw .unreadable }
    return data
  }
}
