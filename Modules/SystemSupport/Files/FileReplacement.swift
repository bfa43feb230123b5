import Foundation
import Glibc
import Synchronization

/// A file that the user names as a destination, complete or not at all.
///
/// It is written beside its destination and renamed at the end, so that a failure leaves an earlier
/// file as it was. Links are followed, except those of ``StrangersFile``, and an existing file
/// keeps its mode. A destination that is no regular file, such as a pipe or `/dev/stdout`, is
/// written directly.
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
  /// - Throws: `POSIXError`, ``StrangersFile``.
  package init(_ named: String, mode: UInt32) throws {
    path = try Self.resolved(named)
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

  /// Returns the path of a destination, with links resolved, whether or not there is a file.
  ///
  /// A path without links is returned as it is written, so that the user recognises it.
  ///
  /// - Throws: ``StrangersFile``; `POSIXError` if links lead in a circle.
  package static func resolved(_ path: String) throws -> String {
    var rest = path.split(separator: "/").map(String.init)
    var folder = path.hasPrefix("/") ? "" : "."
    var linkCount = 0
    func whole(_ entry: String) -> String {
      linkCount == 0 ? path : ([entry] + rest).joined(separator: "/")
    }
    while !rest.isEmpty {
      let name = rest.removeFirst()
      if name == "." { continue }
      let entry = folder + "/" + name
      // The kernel's own links name no path that could be followed here.
      if folder == "/proc" { return whole(entry) }
      var found = stat()
      guard lstat(entry, &found) == 0 else { return whole(entry) }
      guard found.st_mode & S_IFMT == S_IFLNK else {
        if rest.isEmpty { try StrangersFile.refuse(entry, found, in: folder) }
        // No folder before it is a link, so the name before `..` is that of its parent.
        let isParent = name == ".." && folder.hasPrefix("/")
        folder =
          isParent ? String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)]) : entry
        continue
      }
      try StrangersFile.refuse(entry, found, in: folder)
      linkCount += 1
      guard linkCount <= 40 else { throw POSIXError(.ELOOP) }
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(entry, &bytes, bytes.count)
      guard count > 0 else { throw POSIXError.current }
      let target = String(decoding: bytes[..<count], as: UTF8.self)
      rest = target.split(separator: "/").map(String.init) + rest
      if target.hasPrefix("/") { folder = "" }
    }
    return whole(folder.isEmpty ? "/" : folder)
  }

  /// Writes a part of the content.
  ///
  /// - Throws: `POSIXError`.
  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
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

/// A link or a file of another user in a folder that all users share, such as `/tmp`.
///
/// To follow such a link would replace a file of the user's own, and to write such a file or pipe
/// would hand the data to the other user. The rules are those of the kernel's
/// `fs.protected_symlinks` and `fs.protected_regular`, which can be off, and which do not apply to
/// links that a program resolves itself.
package struct StrangersFile: Error, CustomStringConvertible {
  /// The path of the link or the file.
  package let path: String

  package var description: String { "it belongs to another user, in a folder that all users share" }

  fileprivate static func refuse(_ path: String, _ found: stat, in folder: String) throws {
    var shared = stat()
    guard stat(folder.isEmpty ? "/" : folder, &shared) == 0,
      shared.st_mode & S_ISVTX != 0, shared.st_mode & S_IWOTH != 0,
      found.st_uid != geteuid(), found.st_uid != shared.st_uid
    else { return }
    throw StrangersFile(path: path)
  }
}
