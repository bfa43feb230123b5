import Foundation
import GRDB
import Glibc
import SystemSupport

extension LocalDatabase {
  /// Opens the database for reading, without waiting for a process that writes.
  ///
  /// It takes no lock. A connection that cannot write never checkpoints, even if it closes last, so
  /// it cannot trigger the bug that the lock prevents. Only a file that has to be migrated or
  /// repaired first is opened under the lock, as by ``open(at:lockTimeout:onWait:)``.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - lockTimeout: the longest wait for another process that writes, if the file has to be
  ///     changed first.
  ///   - onWait: called when there is such a process to wait for.
  /// - Returns: `nil` if there is no file yet; none is created.
  /// - Throws: ``StorageError``.
  public static func openForReading(
    at path: String, lockTimeout: Duration = .seconds(10),
    onWait: @Sendable () -> Void = {}
  ) async throws -> LocalDatabase? {
    try await openForReading(
      at: path, migrator: Schema.migrator, lockTimeout: lockTimeout, onWait: onWait)
  }

  /// Opens the database for reading, with the caller's migrations, such as those of a later
  /// version.
  static func openForReading(
    at path: String, migrator: DatabaseMigrator, lockTimeout: Duration = .seconds(10),
    onWait: @Sendable () -> Void = {}
  ) async throws -> LocalDatabase? {
    let found = await BlockingWork.run {
      let path = resolved(path)
      let isAbsent = access(path, F_OK) != 0 && errno == ENOENT
      return isAbsent ? nil : path
    }
    guard let path = found else { return nil }
    let database = try await StorageError.translating(path) {
      try await BlockingWork.run {
        try ForeignFile(path: path).refuse()
        return try poolForReading(at: path, migrator).map {
          try LocalDatabase(pool: $0, path: path, lockTimeout: lockTimeout)
        }
      }
    }
    if let database { return database }
    return try await open(at: path, migrator: migrator, lockTimeout: lockTimeout, onWait: onWait)
  }

  /// Opens the database for reading as it is; never waits, and changes or creates no file.
  ///
  /// - Returns: `nil` if there is no file, or if it has to be migrated or repaired first.
  /// - Throws: ``StorageError``.
  public static func openUnchanged(at path: String) async throws -> LocalDatabase? {
    let path = await BlockingWork.run { resolved(path) }
    return try await StorageError.translating(path) {
      try await BlockingWork.run {
        guard access(path, F_OK) == 0 else { return nil }
        try ForeignFile(path: path).refuse()
        return try poolForReading(at: path, Schema.migrator).map {
          try LocalDatabase(pool: $0, path: path, lockTimeout: .zero)
        }
      }
    }
  }

  /// Opens a file as it is; returns `nil` if it has to be changed first.
  private static func poolForReading(
    at path: String, _ migrator: DatabaseMigrator
  ) throws -> DatabasePool? {
    guard !DamagedFile(path: path).isSuspect else { return nil }
    do {
      var configuration = configuration
      configuration.readonly = true
      let pool = try DatabasePool(path: path, configuration: configuration)
      let isReady = try pool.read { db in
        try refuseStranger(db, path, migrator)
        guard try migrator.hasCompletedMigrations(db) else { return false }
        // Without the write-ahead log, readers and writers would wait for each other.
        return try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      }
      if isReady { return pool }
      try pool.close()
    } catch let error as DatabaseError
      where ![.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT].contains(error.resultCode)
    {
      // The caller then opens the file under the lock, which reports the problem or repairs it.
    }
    return nil
  }
}
