import Foundation
import GRDB
import SystemSupport

extension LocalDatabase {
  /// Closes the database, and writes the log back into the one file if no other process writes.
  ///
  /// It waits for nobody: if another process holds the lock, the log stays for whoever writes next.
  ///
  /// - Throws: ``StorageError``; what was committed is safe all the same.
  public func close() async throws {
    let (pool, path) = (pool, path)
    // Also where the caller is cancelled: what is closed half is closed by nobody.
    try await Task {
      try await StorageError.translating(path) {
        guard !pool.configuration.readonly, path != Self.memoryPath else {
          return try await BlockingWork.run { try pool.close() }
        }
        guard let lock = try FileLock.tryAcquire(at: path + ".lock") else {
          return try await BlockingWork.run { try Self.closeLeavingLog(pool, path) }
        }
        try await BlockingWork.run {
          // Nobody who still reads is waited for: the log is cut another time.
          try? pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA busy_timeout = 0")
            _ = try db.checkpoint(.truncate)
          }
          try pool.close()
        }
        lock.release()
      }
    }.value
  }

  /// Closes without a checkpoint, which needs the lock.
  ///
  /// The last connection that closes checkpoints, unless it cannot write: one of that kind closes
  /// last here.
  private static func closeLeavingLog(_ pool: any DatabaseWriter, _ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let last = try? DatabaseQueue(path: path, configuration: configuration)
    // A connection counts once it has read something.
    _ = try? last?.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
    try pool.close()
    try last?.close()
  }
}
