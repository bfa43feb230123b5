package import Foundation
import Glibc

/// Replaces whole files: a reader sees either all of the old content or all of the new.
package enum AtomicFile {
  /// Writes `data` beside the file, with mode 0600, and renames it into place.
  ///
  /// Writers must exclude each other, for example with a ``FileLock``, because they share the name
  /// of the new file. A crash leaves at most one such file, which the next writer replaces.
  ///
  /// - Parameter isDurable: true if content and name must survive a loss of power; the call then
  ///   waits for the disk.
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
    // The name itself has to be durable as well.
    let folder = try FileHandle(forReadingFrom: URL(filePath: path).deletingLastPathComponent())
    try folder.synchronize()
    try folder.close()
  }
}

extension POSIXError {
  /// The error of the call that has just failed.
  package static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
