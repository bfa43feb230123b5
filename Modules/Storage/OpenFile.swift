import GRDB
import GRDBSQLite
import SystemSupport

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
    guard !hasMoved(db) else { throw StorageError.replaced(path: path) }
  }

  /// True if another file is at the path, or none.
  func hasMoved(_ db: Database) -> Bool {
    // SQLite would follow the pointer of a closed connection.
    guard let connection = db.sqliteConnection else { return true }
    var hasMoved: Int32 = 0
    let code = withUnsafeMutablePointer(to: &hasMoved) {
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, $0)
    }
    return code != SQLITE_OK || hasMoved != 0
  }

  /// Returns the identity of the open file; `nil` if it is no longer the one at the path.
  func identity(_ db: Database) -> FileIdentity? {
    // In this order, so that a replacement between the two cannot pass for the open file.
    let identity = FileIdentity(path: path)
    return hasMoved(db) ? nil : identity
  }
}
