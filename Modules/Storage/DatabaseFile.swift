import Foundation
import GRDB
import GRDBSQLite
import Glibc
import Models
import SystemSupport

/// The file that a connection has open, which may no longer be the one at its path.
///
/// Another process that finds the file damaged renames it and creates a new one. Writes to the old
/// file after that would be lost, although they are reported as stored.
struct OpenFile {
  let path: String
  /// The name by which the connection has the file.
  var schema = "main"

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
      sqlite3_file_control(connection, schema, SQLITE_FCNTL_HAS_MOVED, $0)
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

/// A file of another program, or something else than a file, at the path of the database.
///
/// The check comes first and changes nothing: the file keeps its permissions, its journal mode and
/// its name.
struct ForeignFile {
  private static let magic = Data("SQLite format 3\0".utf8)

  let path: String

  /// Throws an error if the file belongs to another program.
  ///
  /// - Throws: ``StorageError/foreign(path:)``.
  func refuse() throws {
    // A named pipe would wait for its other end, and a device would get the mode of a private file.
    var found = stat()
    if stat(path, &found) == 0, ![S_IFREG, S_IFDIR].contains(found.st_mode & S_IFMT) {
      throw StorageError.foreign(path: path)
    }
    // A file that was opened as a database before has its lock file beside it; if it cannot be
    // read, it is damaged.
    guard !FileManager.default.fileExists(atPath: path + ".lock"),
      let file = FileHandle(forReadingAtPath: path)
    else { return }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 100), !header.isEmpty else { return }
    guard header.starts(with: Self.magic), try isOurs(header) else {
      throw StorageError.foreign(path: path)
    }
  }

  private func isOurs(_ header: Data) throws -> Bool {
    // PRAGMA application_id, by https://sqlite.org/fileformat.html#application_id
    let id = header.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    guard id != Schema.applicationID else { return true }
    guard id == 0 else { return false }
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration).read { db in
      // The log may hold what the header lacks, as beside a copy of a young database.
      guard try Int32.fetchOne(db, sql: "PRAGMA application_id") != Schema.applicationID else {
        return true
      }
      // A database without tables has not been used by any program yet.
      let tables = try String.fetchAll(db, sql: "SELECT tbl_name FROM sqlite_master")
      return tables.allSatisfy { $0 == "grdb_migrations" }
    }
  }
}

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
