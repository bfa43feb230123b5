import Foundation
import GRDB
import Glibc

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
