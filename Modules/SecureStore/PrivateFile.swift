package import Foundation
import Glibc

/// A file that holds a secret in the clear, such as a key or a client's secret, which nobody else
/// may read.
///
/// Owner and mode are those of the file whose content is read: all come from one descriptor, so
/// nobody can swap the file in between. A link is followed, as services' secrets often are links;
/// it is the file it leads to that is judged.
package struct PrivateFile: Sendable {
  /// The reason that a file was not read.
  package enum Refusal: Error, Sendable, Equatable {
    /// It is not there, or cannot be read by this user.
    case unreadable
    /// It is a folder, a pipe or a device, or larger than any secret.
    case unsuitable
    /// It belongs to another user, who could change it.
    case foreign
    /// Its group or others may read or change it.
    case exposed
  }

  private static let limit = 1 << 20

  private let path: String
  private let isServiceCredential: Bool

  /// - Parameters:
  ///   - path: the file.
  ///   - isServiceCredential: whether systemd handed it over: such a file is root's and lets the
  ///     service's user in by an access control list, which its mode shows as the group's right to
  ///     read.
  package init(path: String, isServiceCredential: Bool = false) {
    self.path = path
    self.isServiceCredential = isServiceCredential
  }

  /// Reads the file.
  package func read() throws(Refusal) -> Data {
    // Without O_NONBLOCK the opening of a pipe would wait for its writer.
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
