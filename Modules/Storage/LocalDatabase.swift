import Foundation
import GRDB
import Synchronization
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
  let searchBuild = CurrentSearchBuild()
  /// The identity of the file; `nil` if it was replaced while it was opened, and in memory.
  let file: FileIdentity?

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

extension LocalDatabase {
  /// Closes the database, and checkpoints the log into the file if no other process writes.
  ///
  /// It does not wait: if another process holds the lock, the log stays until a process writes
  /// next.
  ///
  /// - Throws: ``StorageError``; committed data is safe all the same.
  public func close() async throws {
    let (pool, path) = (pool, path)
    await searchBuild.value?.end()
    searchBuild.value = nil
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

/// The state of the database that a connection sees.
///
/// Two equal values stand for the same content.
struct DatabaseVersion: Equatable {
  /// The connection: the numbers of two connections cannot be compared.
  let connection: Int
  private let othersCommits: Int
  private let ownChanges: Int

  /// Reads the state, inside a transaction.
  init(_ db: Database) throws {
    connection = try Self.number(db.cachedStatement(sql: "SELECT \(Self.function)()"))
    // It changes whenever another connection commits (https://sqlite.org/pragma.html).
    othersCommits = try Self.number(db.cachedStatement(sql: "PRAGMA data_version"))
    ownChanges = db.totalChangesCount
  }

  /// Adds the function that returns the number of a connection, which no other one has.
  static func install(in db: Database) {
    let number = newest.add(1, ordering: .relaxed).newValue
    db.add(
      function: DatabaseFunction(function, argumentCount: 0, pure: true) { _ in number })
  }

  private static let function = "connection_number"
  private static let newest = Atomic(0)

  private static func number(_ statement: Statement) throws -> Int {
    try Int.fetchOne(statement) ?? 0
  }
}
