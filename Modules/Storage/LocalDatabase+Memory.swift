import GRDB

extension LocalDatabase {
  static let memoryPath = ":memory:"

  /// True if the database is in memory, so that no other process can open it.
  package var isInMemory: Bool { path == Self.memoryPath }

  /// Opens an empty database in memory, for tests and previews; it lasts as long as its values.
  ///
  /// It stores and finds records as a file does, without three properties of a file: a lock between
  /// processes (two syncs of one account have to run one after the other), a write-ahead log
  /// (readers wait for a writer), and the failures of a disk.
  ///
  /// - Throws: ``StorageError``.
  public static func inMemory() async throws -> LocalDatabase {
    try await StorageError.translating(memoryPath) {
      let queue = try DatabaseQueue(configuration: configuration)
      try Schema.migrator.migrate(queue)
      return try LocalDatabase(pool: queue, path: memoryPath, lockTimeout: .zero)
    }
  }

  /// Runs a body on the only connection of a database in memory.
  ///
  /// GRDB's own `read` and `write` ask SQLite for the state of the connection, also where it is
  /// closed, which ends the program.
  ///
  /// - Throws: `DatabaseError` if the database is closed.
  func useMemory<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await pool.writeWithoutTransaction { db in
      guard db.sqliteConnection != nil else {
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")
      }
      return try body(db)
    }
  }
}
