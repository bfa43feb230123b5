import Foundation
import GRDB
import Glibc
import Models
import SystemSupport

extension LocalDatabase {
  /// Opens the database, and creates or migrates the file if needed.
  ///
  /// A damaged file is renamed and a new one created; see ``damagedFile``.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which only its owner can read; its folder has to exist.
  ///   - lockTimeout: the longest wait for another process that writes.
  ///   - onWait: called if another process holds the lock.
  /// - Throws: ``StorageError``.
  public static func open(
    at path: String, lockTimeout: Duration = .seconds(10),
    onWait: @Sendable () -> Void = {}
  ) async throws -> LocalDatabase {
    try await open(
      at: path, migrator: Schema.migrator, lockTimeout: lockTimeout, onWait: onWait)
  }

  /// Opens the database with the caller's migrations, such as those of a later version.
  static func open(
    at path: String, migrator: DatabaseMigrator, lockTimeout: Duration = .seconds(10),
    onWait: @Sendable () -> Void = {}
  ) async throws -> LocalDatabase {
    let path = await BlockingWork.run { resolved(path) }
    return try await StorageError.translating(path) {
      try await BlockingWork.run { try ForeignFile(path: path).refuse() }
      return try await FileLock.withLock(
        at: path + ".lock", timeout: lockTimeout, onWait: onWait
      ) {
        try await BlockingWork.run {
          do {
            return try LocalDatabase(
              pool: openPool(at: path, migrator), path: path, lockTimeout: lockTimeout)
          } catch let error as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
          {
            let renamed = try DamagedFile(path: path).quarantine(at: Timestamp(Date()))
            return try LocalDatabase(
              pool: openPool(at: path, migrator), path: path, damagedFile: renamed,
              lockTimeout: lockTimeout)
          }
        }
      }
    }
  }

  /// Returns the number of invoices in a database that is not the program's own.
  ///
  /// Nothing is written, and a file of another version stays as it is. It blocks the thread for a
  /// short query.
  ///
  /// - Returns: `nil` if there is no such file, or it is none of appcore.
  package static func invoiceCount(ofFile path: String) -> Int? {
    var configuration = Configuration()
    configuration.readonly = true
    guard FileManager.default.fileExists(atPath: path),
      let queue = try? DatabaseQueue(path: path, configuration: configuration)
    else { return nil }
    defer { try? queue.close() }
    return try? queue.read { db in
      guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
        return nil
      }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM invoice")
    }
  }

  /// Returns the path of the file itself, with all links resolved.
  ///
  /// SQLite's own files lie beside the file itself, and the locks must as well, by whichever path
  /// the file is opened.
  static func resolved(_ path: String) -> String {
    func target(_ path: String) -> String? {
      guard let found = realpath(path, nil) else { return nil }
      defer { free(found) }
      return String(cString: found)
    }
    if let file = target(path) { return file }
    // The file does not exist yet.
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    return target(folder).map { $0 + "/" + url.lastPathComponent } ?? path
  }

  /// Creates the file for its owner only; SQLite gives its `-wal` and `-shm` files the same mode.
  private static func createPrivateFile(_ path: String) throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StorageError.inaccessible(
        path: path, underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
    defer { Glibc.close(descriptor) }
    var found = stat()
    guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      throw StorageError.foreign(path: path)
    }
    fchmod(descriptor, 0o600)
  }

  private static func openPool(
    at path: String, _ migrator: DatabaseMigrator
  ) throws -> DatabasePool {
    try createPrivateFile(path)
    let pool = try DatabasePool(path: path, configuration: configuration)
    // A page that was reported as stored must not be lost. The statement is not among the settings
    // above: when the pool turns on the write-ahead log, it sets NORMAL, with which only a
    // checkpoint reaches the disk.
    try pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = FULL")
      // The checks are for other programs: our values come from types that cannot break them, and
      // checking takes as long as storing the row of an invoice.
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
    }
    try pool.read { try refuseStranger($0, path, migrator) }
    if DamagedFile(path: path).isSuspect {
      let found = try pool.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
      guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      DamagedFile(path: path).clearSuspicion()
    }
    try migrator.migrate(pool)
    return pool
  }

  /// The settings of every connection.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.foreignKeysEnabled = true
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "PRAGMA journal_size_limit = \(WriteAheadLog.greatestSize)")
      try db.execute(sql: cacheSize)
      try db.execute(sql: "PRAGMA mmap_size = 0")
      try DecimalFunctions.install(in: db)
      SearchWords.install(in: db)
      DatabaseVersion.install(in: db)
    }
    return configuration
  }

  /// Sets the size of a connection's cache, which holds the upper levels of all indexes of a
  /// million rows; negative values are in KiB.
  static let cacheSize = "PRAGMA cache_size = -4096"

  /// Refuses a file of another program or of a newer version.
  ///
  /// - Throws: ``StorageError/foreign(path:)``, ``StorageError/newerSchema(path:)``.
  static func refuseStranger(
    _ db: Database, _ path: String, _ migrator: DatabaseMigrator
  ) throws {
    // A process that was killed before the first migration leaves only the migrator's own table.
    let tables =
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM sqlite_master
          WHERE name <> 'grdb_migrations' AND name NOT LIKE 'sqlite_%'
          """
      ) ?? 0
    let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    guard tables == 0 || id == Schema.applicationID else {
      throw StorageError.foreign(path: path)
    }
    guard try !migrator.hasBeenSuperseded(db) else {
      throw StorageError.newerSchema(path: path)
    }
  }
}

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
