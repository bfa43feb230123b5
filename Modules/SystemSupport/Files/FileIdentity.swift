import Glibc

/// The identity of a file, which it keeps when it is renamed.
package struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// The file at a path; `nil` if there is none.
  package init?(path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    (device, inode) = (found.st_dev, found.st_ino)
  }
}
