import Foundation
import Glibc
import Models

/// A database file that SQLite can no longer read.
///
/// It is renamed, never overwritten, because the user may want to look at it. Everything in it can
/// be fetched from the provider again.
struct DamagedFile {
  let path: String

  /// Renames the file, together with its `-wal` and `-shm` files.
  ///
  /// - Returns: the new name.
  /// - Throws: ``StorageError/inaccessible(path:underlying:)`` if that is not possible.
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

  /// Marks the file as suspect after SQLite found damage in it; the next opening checks it.
  func markSuspect() {
    guard path != LocalDatabase.memoryPath else { return }
    _ = FileManager.default.createFile(
      atPath: mark, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  /// True if the file is marked as suspect.
  var isSuspect: Bool { FileManager.default.fileExists(atPath: mark) }

  /// Removes the mark.
  func clearSuspicion() { unlink(mark) }

  private var mark: String { path + ".suspect" }
}
