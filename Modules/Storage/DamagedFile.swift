import Foundation
import Glibc
import Models

/// A database file that SQLite cannot read any more.
///
/// It is put aside under another name, never overwritten: somebody may want to look at it. Everything
/// in it can be had from the provider again.
struct DamagedFile {
  let path: String

  /// Puts the file and what belongs to it aside, and tells where.
  ///
  /// - Throws: ``StorageError/inaccessible(path:underlying:)`` where that is not possible.
  func setAside(at instant: Timestamp) throws -> String {
    let name = path + ".damaged-" + instant.truncatedToSecond.description.replacing(":", with: "")
    var aside = name
    var number = 1
    while FileManager.default.fileExists(atPath: aside) {
      number += 1
      aside = "\(name)-\(number)"
    }
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
      guard rename(path + suffix, aside + suffix) == 0 else {
        throw StorageError.inaccessible(
          path: path + suffix, underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
      }
    }
    clearSuspicion()
    return aside
  }

  /// Notes that damage was met while the file was in use; whoever opens it next looks closely.
  func markSuspect() {
    _ = FileManager.default.createFile(atPath: mark, contents: nil)
  }

  /// Whether damage was met.
  var isSuspect: Bool { FileManager.default.fileExists(atPath: mark) }

  /// It was looked at.
  func clearSuspicion() { unlink(mark) }

  private var mark: String { path + ".suspect" }
}
