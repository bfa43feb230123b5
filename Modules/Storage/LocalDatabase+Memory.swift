import GRDB

extension LocalDatabase {
  static let memoryPath = ":memory:"

  /// Whether the database is in memory, so that no other process knows it.
  package var isInMemory: Bool { path == Self.memoryPath }

  /// Opens an empty database in memory, for tests and previews; it lasts as long as its values.
  ///
  /// It stores and finds what a file does, and lacks what a file has beside that: a lock between
  /// processes (so that two syncs of one account have to be run one after the other), a write-ahead
  /// log (so that readers wait for a writer), and all that can happen to a disk.
  ///
  /// - Throws: ``StorageError``.
  public static func inMemory() async throws -> LocalDatabase {
    try await StorageError.translating(memoryPath) {
      let queue = try DatabaseQueue(configuration: configuration)
      try Schema.migrator.migrate(queue)
      return LocalDatabase(pool: queue, path: memoryPath, lockTimeout: .zero)
    }
  }
}
