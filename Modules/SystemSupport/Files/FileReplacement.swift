import Foundation
import Glibc
import Synchronization

/// A file that the user names as a destination, complete or not at all.
///
/// It is written beside its destination and renamed at the end, so that a failure leaves an earlier
/// file as it was. Links are followed, and an existing file keeps its mode. A destination that is
/// no regular file, such as a pipe or `/dev/stdout`, is written directly.
///
/// Its calls block; see ``BlockingWork``.
package final class FileReplacement: Sendable {
  /// The path of the destination, with links resolved.
  package let path: String
  /// The open descriptor; -1 once it is closed.
  private let descriptor: Mutex<CInt>
  /// The path that is written until the end; `nil` if the destination is written directly.
  private let partial: String?

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - named: the path of the destination.
  ///   - mode: the mode of a new file, from which the process's mask takes bits.
  /// - Throws: `POSIXError`.
  package init(_ named: String, mode: UInt32) throws {
    path = Self.resolved(named)
    var found = stat()
    let exists = stat(path, &found) == 0
    guard !exists || found.st_mode & S_IFMT == S_IFREG else {
      partial = nil
      descriptor = Mutex(try Self.opened(open(path, O_WRONLY | O_CLOEXEC)))
      return
    }
    // A read-only file is not replaced, although its folder would allow it.
    if exists, access(path, W_OK) != 0 { throw POSIXError.current }
    let url = URL(filePath: path)
    let new =
      url.deletingLastPathComponent().path(percentEncoded: false)
      + ".\(url.lastPathComponent).\(getpid())"
    unlink(new)
    partial = new
    let opened = try Self.opened(open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
    if exists { fchmod(opened, found.st_mode & 0o777) }
    descriptor = Mutex(opened)
  }

  deinit { try? close() }

  private static func opened(_ descriptor: CInt) throws -> CInt {
    guard descriptor >= 0 else { throw POSIXError.current }
    return descriptor
  }

  /// Closes the descriptor; some file systems report a full disk only then.
  private func close() throws {
    try descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      let status = Glibc.close(descriptor)
      descriptor = -1
      guard status == 0 else { throw POSIXError.current }
    }
  }

  /// The path of a destination, with links resolved.
  package static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  /// Writes a part of the content.
  ///
  /// - Throws: `POSIXError`.
  package func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    try descriptor.withLock { descriptor in
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          throw POSIXError.current
        }
      }
    }
  }

  /// Gives the complete file its name.
  ///
  /// - Throws: `POSIXError`.
  package func finish() throws {
    try close()
    guard let partial, rename(partial, path) != 0 else { return }
    throw POSIXError.current
  }

  /// Removes the parts that were written; the destination is as it was.
  package func discard() {
    if let partial { unlink(partial) }
  }
}
