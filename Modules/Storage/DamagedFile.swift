import Foundation
import Glibc
import Models

/// A database file that SQLite cannot read any more.
///
/// It is renamed, never overwritten: the user may want to look at it. Everything in it can be
/// fetched from the provider again.
struct DamagedFile {
  let path: String

  /// Renames the file and what belongs to it.
  ///
  /// - Returns: the new name.
  /// - Throws: ``StorageError/inaccessible(path:underlying:)`` where that is not possible.
  func quarantine(at instant: Timestamp) throws -> String {
    let name = path + ".damaged-" + instant.truncatedToSecond.description.replacing(":", with: "")
    var renamed = name
    var number = 1
    while FileManager.default.fileExists(atPath: renamed) {
      number += 1
      renamed = "\(name)-\(number)"
    }
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
      guard rename(path + suffix, renamed + suffix) == 0 else {
        throw StorageError.inaccessible(
          path: path + suffix, underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
      }
    }
    clearSuspicion()
    return renamed
  }

  /// Notes that damage was met while the file was in use; the next opening checks the file.
  func markSuspect() {
    guard path != LocalDatabase.memoryPath else { return }
    _ = FileManager.default.createFile(atPath: mark, contents: nil)
  }

  /// Whether damage was met.
  var isSuspect: Bool { FileManager.default.fileExists(atPath: mark) }

  /// Notes that the file was checked.
  func clearSuspicion() { unlink(mark) }

  private var mark: String { path + ".suspect" }
}
