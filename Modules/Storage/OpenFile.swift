import GRDB
import GRDBSQLite

/// The file that a connection has open, which may no longer be the one at its path.
///
/// Another process that finds the file damaged renames it and creates a new one. Writes to the old
/// file after that would be lost, although they are reported as stored.
struct OpenFile {
  let path: String

  /// Checks that the open file is the one at the path; the caller holds the lock for renaming.
  ///
  /// - Throws: ``StorageError/replaced(path:)``.
  func check(_ db: Database) throws {
    var hasMoved: Int32 = 0
    let code = withUnsafeMutablePointer(to: &hasMoved) {
      sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, $0)
    }
    guard code == SQLITE_OK, hasMoved == 0 else { throw StorageError.replaced(path: path) }
  }
}
