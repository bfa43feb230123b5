import Foundation
import GRDB
import SystemSupport

extension LocalDatabase {
  /// Closes the database, and checkpoints the log into the file if no other process writes.
  ///
  /// It does not wait: if another process holds the lock, the log stays until a process writes
  /// next.
  ///
  /// - Throws: ``StorageError``; committed data is safe all the same.
  public func close() async throws {
    let (pool, path) = (pool, path)
    // In a task of its own: a cancelled caller would leave the database half closed.
    try await Task {
      try await StorageError.translating(path) {
        guard !pool.configuration.readonly, path != Self.memoryPath else {
          return try await BlockingWork.run { try pool.close() }
        }
        try await BlockingWork.run { try Self.closeForWriting(pool, path) }
      }
    }.value
  }

  /// Closes with a checkpoint if no other process holds the lock.
  ///
  /// The pool is closed as well if the lock cannot be opened; the error is thrown afterwards.
  private static func closeForWriting(_ pool: any DatabaseWriter, _ path: String) throws {
    do {
      guard let lock = try FileLock.tryAcquire(at: path + ".lock") else {
        return try closeLeavingLog(pool, path)
      }
      // It does not wait for a process that still reads: the log is truncated another time.
      try? pool.writeWithoutTransaction { db in
        // The log at the path may be that of another file.
        try OpenFile(path: path).check(db)
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        _ = try db.checkpoint(.truncate)
      }
      try pool.close()
      lock.release()
    } catch let error as FileLockError {
      try closeLeavingLog(pool, path)
      throw error
    }
  }

  /// Closes without a checkpoint, because a checkpoint needs the lock.
  ///
  /// The last connection to close makes a checkpoint, unless it cannot write. So a read-only
  /// connection closes last here.
  private static func closeLeavingLog(_ pool: any DatabaseWriter, _ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let last = try? DatabaseQueue(path: path, configuration: configuration)
    // SQLite counts a connection only once it has read something.
    _ = try? last?.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
    try pool.close()
    try last?.close()
  }
}
