import Foundation
import GRDB
import GRDBSQLite

/// The file that commits are added to before they are written back into the database (`-wal`).
struct WriteAheadLog {
  /// It is written back once so many bytes were added to it.
  ///
  /// Pages of indexes change with every commit: the later, the fewer times each is written back.
  static let threshold = 32 << 20
  /// What it may have grown to, while somebody read for long, it is cut to when it begins anew.
  ///
  /// Well above the threshold: to write over what is there costs the file system less than to cut a file
  /// and let it grow again.
  static let greatestSize = 2 * threshold

  /// What a page of it has, by what our files are made with.
  private static let pageSize = 4_096

  /// The database it belongs to.
  let path: String

  /// Writes back what was committed, where that is enough to be worth it.
  ///
  /// - Throws: `DatabaseError`; what was committed is safe all the same.
  func writeBack(_ db: Database) throws {
    guard try added(db, reset: false) > Self.threshold || size > Self.greatestSize else { return }
    _ = try added(db, reset: true)
    try db.checkpoint(.passive)
  }

  /// How many bytes this connection has added since it was asked to begin anew.
  private func added(_ db: Database, reset: Bool) throws -> Int {
    var pages: Int32 = 0
    var most: Int32 = 0
    let code = sqlite3_db_status(
      db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &most, reset ? 1 : 0)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return Int(pages) * Self.pageSize
  }

  /// What others have added counts as well.
  private var size: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return attributes?[.size] as? Int ?? 0
  }
}
