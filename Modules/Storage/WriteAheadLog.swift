import Foundation
import GRDB
import GRDBSQLite

/// The file that commits are added to before they are written back into the database (`-wal`).
struct WriteAheadLog {
  /// The number of added bytes after which it is written back.
  ///
  /// Pages of indexes change with every commit: the later, the fewer times each is written back.
  static let threshold = 32 << 20
  /// The size that the file is cut to when it begins anew, after it has grown while a reader was
  /// slow.
  ///
  /// Well above the threshold: to write over what is there costs the file system less than to cut a
  /// file and let it grow again.
  static let greatestSize = 2 * threshold

  /// The size of its pages, with which our files are created.
  private static let pageSize = 4_096

  /// The database it belongs to.
  let path: String

  /// Writes back what was committed, once it is large enough.
  ///
  /// - Throws: `DatabaseError`; what was committed is safe all the same.
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

  /// The size of the file; other connections add to it as well.
  private var size: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return attributes?[.size] as? Int ?? 0
  }
}
