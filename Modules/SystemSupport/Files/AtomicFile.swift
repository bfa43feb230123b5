package import Foundation
import Glibc

/// Replaces whole files: a reader sees either all of the old content or all of the new.
package enum AtomicFile {
  /// Writes `data` beside the file, with mode 0600, and renames it into place.
  ///
  /// A link stays, and its target is replaced, unless `followsLinks` is false; see ``target(of:)``.
  ///
  /// Writers must exclude each other, for example with a ``FileLock``, because they share the name
  /// of the new file. A crash leaves at most one such file, which the next writer replaces.
  ///
  /// - Parameter isDurable: true if content and name must survive a loss of power; the call then
  ///   waits for the disk.
  /// - Throws: `POSIXError`, `CocoaError`; the old file is still there.
  package static func replace(
    _ path: String, with data: Data, isDurable: Bool, followsLinks: Bool = true
  ) throws {
    let path = followsLinks ? target(of: path) : path
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    try write(data, to: descriptor, at: new, replacing: path, isDurable: isDurable)
    guard isDurable else { return }
    // The name itself has to be durable as well.
    let folder = try FileHandle(forReadingFrom: URL(filePath: path).deletingLastPathComponent())
    try folder.synchronize()
    try folder.close()
  }

  /// Writes `data` as ``replace(_:with:isDurable:)`` does, for writers that nothing excludes from
  /// each other: each has a new file of its own name.
  ///
  /// The last writer wins. A crash can leave a new file behind, and nothing removes it.
  ///
  /// - Throws: `POSIXError`, `CocoaError`; the old file is still there.
  package static func replaceUnlocked(_ path: String, with data: Data) throws {
    let path = target(of: path)
    let new = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max))"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    do {
      try write(data, to: descriptor, at: new, replacing: path, isDurable: false)
    } catch {
      unlink(new)
      throw error
    }
  }

  /// Returns the file that a path leads to, also one that does not exist yet.
  ///
  /// Users keep files of theirs elsewhere, such as in a repository, and link to them. A link of
  /// another user than root is not followed: in a shared folder, a stranger could name any file.
  package static func target(of path: String) -> String {
    var path = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      var found = stat()
      guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFLNK,
        [0, geteuid()].contains(found.st_uid),
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      else { break }
      path =
        target.hasPrefix("/")
        ? target
        : URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) + target
    }
    return path
  }

  private static func write(
    _ data: Data, to descriptor: CInt, at new: String, replacing path: String, isDurable: Bool
  ) throws {
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: data)
    if isDurable { try file.synchronize() }
    try file.close()
    guard rename(new, path) == 0 else { throw POSIXError.current }
  }
}

extension POSIXError {
  /// The error of the call that has just failed.
  package static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// The system's own words for an error, such as `Permission denied`.
package enum SystemErrorText {
  /// Returns the text for an error number.
  package static func of(errno code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// Returns the text for an error of the system, of a lock or of a file operation of Foundation;
  /// `nil` for any other error, whose text may quote a secret.
  package static func of(_ error: any Error) -> String? {
    if let error = error as? FileLockError { return error.reason }
    return number(of: error).map(of(errno:))
  }

  /// Returns whether an error says that the disk, or the user's share of it, is full.
  package static func isFull(_ error: any Error) -> Bool {
    number(of: error).map { $0 == ENOSPC || $0 == EDQUOT } ?? false
  }

  /// Returns the error number in an error of the system or of a file operation of Foundation.
  private static func number(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    return [error as NSError, underlying].compactMap(\.self)
      .first { $0.domain == NSPOSIXErrorDomain }
      .map { Int32($0.code) }
  }
}
