import Foundation
import GRDB

/// A file that is not ours and stands where the database should be.
///
/// It is looked at before anything is done to it: neither its permissions nor its journal mode are changed,
/// and it is not put aside as one of ours that is damaged.
struct ForeignFile {
  private static let magic = Data("SQLite format 3\0".utf8)

  let path: String

  /// - Throws: ``StorageError/foreign(path:)`` where it is one.
  func refuse() throws {
    // Whatever was opened as a database before has its lock beside it; if it cannot be read now, it is damaged.
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
    // One of nobody's yet has no tables.
    return try DatabaseQueue(path: path, configuration: configuration).read { db in
      let tables = try String.fetchAll(db, sql: "SELECT tbl_name FROM sqlite_master")
      return tables.allSatisfy { $0 == "grdb_migrations" }
    }
  }
}
