import Foundation
import GRDB
import GRDBSQLite

/// The write-ahead log (`-wal`), which holds commits until a checkpoint copies them to the
/// database.
struct WriteAheadLog {
  /// The number of added bytes after which the log is checkpointed.
  ///
  /// Every commit changes pages of indexes, so a later checkpoint copies each page fewer times.
  static let threshold = 32 << 20
  /// The size to which SQLite truncates the file when it begins the log anew.
  ///
  /// A slow reader can make the log grow beyond it.
  ///
  /// It is well above the threshold, because overwriting existing bytes costs the file system less
  /// than truncating a file and letting it grow again.
  static let greatestSize = 2 * threshold

  /// The page size with which our files are created.
  private static let pageSize = 4_096

  /// The path of the database to which the log belongs.
  let path: String

  /// Checkpoints the log once it is large enough.
  ///
  /// - Throws: `DatabaseError`; committed data is safe all the same.
  func writeBack(_ db: Database) throws {
    guard try added(db, reset: false) > Self.threshold || size > Self.greatestSize else { return }
    _ = try added(db, reset: true)
    try db.checkpoint(.passive)
  }

  /// Returns the number of bytes that this connection has added since the count was reset.
  private func added(_ db: Database, reset: Bool) throws -> Int {
    var pages: Int32 = 0
    var most: Int32 = 0
    let code = sqlite3_db_status(
      db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &most, reset ? 1 : 0)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return Int(pages) * Self.pageSize
  }

  /// The size of the file, including what other connections have added.
  private var size: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return attributes?[.size] as? Int ?? 0
  }
}
