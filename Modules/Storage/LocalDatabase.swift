import GRDB
import SystemSupport

/// The local database: invoices, contacts, sync checkpoints and run records.
///
/// Several processes may use one file. SQLite before 3.51.3 can damage a WAL database if one
/// connection writes while another checkpoints. Therefore every write, every checkpoint and every
/// opening for writing happens under one lock between processes, and automatic checkpoints are off.
/// A process that only reads takes no lock; see ``openForReading(at:lockTimeout:onWait:)``.
public struct LocalDatabase: Sendable {
  let pool: any DatabaseWriter
  /// The path of the file; `:memory:` for a database in memory.
  public let path: String
  /// The new name of a damaged file that was at this path, if this one was created to replace it.
  public let damagedFile: String?
  let lockTimeout: Duration
  let pagedKeys = PagedKeys()
  /// The identity of the file; `nil` if it was replaced while it was opened, and in memory.
  private let file: FileIdentity?

  init(
    pool: any DatabaseWriter, path: String, damagedFile: String? = nil, lockTimeout: Duration
  ) throws {
    self.pool = pool
    file = try path == Self.memoryPath ? nil : pool.read { OpenFile(path: path).identity($0) }
    self.path = path
    self.damagedFile = damagedFile
    self.lockTimeout = lockTimeout
  }

  /// True if another file is at the path now, or none: somebody renamed or removed this one.
  ///
  /// Reads then find what was stored before, and writes throw ``StorageError/replaced(path:)``.
  package var isReplaced: Bool { !isInMemory && (file == nil || FileIdentity(path: path) != file) }

  /// Runs `body` while no other process writes.
  func locked<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await StorageError.translating(path) {
      guard !isInMemory else { return try await body() }
      return try await FileLock.withLock(at: path + ".lock", timeout: lockTimeout, body)
    }
  }

  /// Runs a transaction while no other process writes, and then checkpoints the log if it has grown
  /// enough.
  func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws
    -> Value
  {
    try await locked {
      guard !isInMemory else {
        return try await useMemory { db in
          var value: Value?
          try db.inTransaction {
            value = try body(db)
            return .commit
          }
          guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
          return value
        }
      }
      return try await writeLocked(body)
    }
  }

  /// Does the same for a caller who keeps other processes from writing.
  func writeLocked<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let value = try await pool.write { [path] db in
      try OpenFile(path: path).check(db)
      return try body(db)
    }
    // A reader may still need an old page; the rest is then checkpointed another time.
    try? await pool.writeWithoutTransaction { [path] db in
      try WriteAheadLog(path: path).writeBack(db)
    }
    return value
  }
}
