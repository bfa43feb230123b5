import Glibc

/// A file that the kernel writes while it is read, such as those of `/proc`.
///
/// The kernel states no size for it and returns at most a page at a time. Foundation takes the
/// first page for the whole file.
package enum KernelFile {
  /// Returns the bytes up to the end of the file; `nil` if it cannot be read.
  package static func bytes(at path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += piece[..<count] } else if errno != EINTR { return nil }
    }
  }

  /// Returns the text of the file; `nil` if it cannot be read.
  package static func text(at path: String) -> String? {
    bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The identity of a file, which it keeps when it is renamed.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// The file at a path; `nil` if there is none.
  package init?(path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    (device, inode) = (found.st_dev, found.st_ino)
  }
}
