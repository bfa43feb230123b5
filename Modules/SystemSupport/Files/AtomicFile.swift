package import Foundation
import Glibc

/// Replaces files as a whole: whoever reads one sees all of the old content or all of the new.
package enum AtomicFile {
  /// Writes `data` beside the file, with mode 0600, and renames it into place.
  ///
  /// Writers must exclude each other, as by a ``FileLock``, because they share the name of the new
  /// file; a crash then leaves one such file, which the next writer replaces.
  ///
  /// - Parameter isDurable: makes content and name survive a loss of power; the call waits for the
  ///   disk.
  /// - Throws: `POSIXError`, `CocoaError`; the old file is still there.
  package static func replace(_ path: String, with data: Data, isDurable: Bool) throws {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: data)
    if isDurable { try file.synchronize() }
    try file.close()
    guard rename(new, path) == 0 else { throw POSIXError.current }
    guard isDurable else { return }
    // The name itself has to survive as well.
    let folder = try FileHandle(forReadingFrom: URL(filePath: path).deletingLastPathComponent())
    try folder.synchronize()
    try folder.close()
  }
}

extension POSIXError {
  /// The error of the call that has just failed.
  package static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
