import GRDB
import GRDBSQLite

/// The file that a connection has open, which need not be the one that its path leads to any more.
///
/// Another process that finds the file damaged renames it and makes a new one. What is written to
/// the old one after that would be lost, and reported as stored.
struct OpenFile {
  let path: String

  /// Compares the two; to be asked under the lock that a file is renamed under.
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
