import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Opening to read, reading and closing wait for no process that writes.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: LockHolder.isAvailable, "flock is not installed"))
struct ReadingDuringWriteTests {
  private let scene = WholeInvoiceTests()

  private func path(in folder: TemporaryDirectory, storing ids: [String] = ["a"]) async throws
    -> String
  {
    let path = folder.file("a.sqlite")
    let database = try await LocalDatabase.open(at: path)
    _ = try await scene.commit(try ids.map { try scene.invoice($0) }, to: database)
    try await database.close()
    try await LocalDatabase.writeBack(at: path)
    return path
  }

  private func size(of path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  private func expectBusy(_ body: () async throws -> Void) async {
    await #expect {
      try await body()
    } throws: {
      if case StorageError.busy = $0 { true } else { false }
    }
  }

  // Edge case 52
  @Test("a process that holds the writer's lock blocks no reader")
  func reading() async throws {
    let folder = try TemporaryDirectory()
    let path = try await path(in: folder)
    let holder = try await LockHolder(of: path + ".lock")
    for _ in 0..<2 {
      let database = try #require(
        try await LocalDatabase.openForReading(at: path, lockTimeout: .zero))
      #expect(try await database.invoices(matching: InvoiceQuery()).map(\.invoice.id) == ["a"])
      var updates = database.observe(InvoiceQuery()).makeAsyncIterator()
      #expect(try await updates.next()?.count == 1)
      try await database.close()
    }
    await expectBusy { _ = try await LocalDatabase.open(at: path, lockTimeout: .zero) }
    await holder.stop()
  }

  @Test("a database that writes closes despite the lock's holder, and leaves it the log")
  func closing() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    // Without a reader of its own, too, it would be the last to close.
    let database = try await LocalDatabase.open(at: path, lockTimeout: .seconds(60))
    _ = try await scene.commit([try scene.invoice("a")], to: database)
    let log = size(of: path + "-wal")
    let holder = try await LockHolder(of: path + ".lock")
    try await database.close()
    #expect(log > 0 && size(of: path + "-wal") == log)
    await holder.stop()
    let again = try await LocalDatabase.open(at: path)
    #expect(try await again.invoiceCount(account: nil) == 1)
    try await again.close()
    try await LocalDatabase.writeBack(at: path)
  }

  @Test(
    "another process's commits are read while it writes on, and its log stays whole",
    .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
  func transaction() async throws {
    let folder = try TemporaryDirectory()
    let path = try await path(in: folder, storing: ["a", "b"])
    let other = try OtherWriter(at: path)
    try await other.run("UPDATE invoice SET raw_status = 'committed'")
    try await other.run("BEGIN IMMEDIATE")
    try await other.run("UPDATE invoice SET raw_status = 'not yet'")
    for _ in 0..<2 {
      let database = try #require(try await LocalDatabase.openForReading(at: path))
      let found = try await database.invoices(matching: InvoiceQuery())
      #expect(found.map(\.invoice.rawStatus) == ["committed", "committed"])
      try await database.close()
    }
    try await other.run("COMMIT")
    try await other.stop()
    let queue = try DatabaseQueue(path: path)
    let check = try await queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(check == ["ok"])
    let status = try await queue.read {
      try String.fetchSet($0, sql: "SELECT raw_status FROM invoice")
    }
    #expect(status == ["not yet"])
    try queue.close()
  }

  // Edge case 47
  @Test(
    "the log of a writer that was killed is read, and left to the next writer",
    .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
  func killed() async throws {
    let folder = try TemporaryDirectory()
    let path = try await path(in: folder)
    let other = try OtherWriter(at: path)
    try await other.run("UPDATE invoice SET raw_status = 'committed'")
    await other.kill()
    let log = size(of: path + "-wal")
    let holder = try await LockHolder(of: path + ".lock")
    for _ in 0..<2 {
      let database = try #require(try await LocalDatabase.openForReading(at: path))
      let found = try await database.invoices(matching: InvoiceQuery())
      #expect(found.map(\.invoice.rawStatus) == ["committed"])
      try await database.close()
      #expect(log > 0 && size(of: path + "-wal") == log)
    }
    await holder.stop()
    try await LocalDatabase.writeBack(at: path)
  }

  @Test("reading creates no file")
  func absent() async throws {
    let folder = try TemporaryDirectory()
    for path in [folder.file("a.sqlite"), folder.file("none/a.sqlite")] {
      #expect(try await LocalDatabase.openForReading(at: path) == nil)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "a file of an earlier version is migrated before it is read, and a wait for a writer reported")
  func earlier() async throws {
    let folder = try TemporaryDirectory()
    let path = try EarlierFile(at: folder.file("a.sqlite")).path
    let migrator = EarlierFile.laterMigrator
    let holder = try await LockHolder(of: path + ".lock")
    let waits = Counter()
    await expectBusy {
      _ = try await LocalDatabase.openForReading(
        at: path, migrator: migrator, lockTimeout: .milliseconds(30)
      ) { waits.increment() }
    }
    #expect(waits.value == 1)
    await holder.stop()
    let database = try #require(
      try await LocalDatabase.openForReading(at: path, migrator: migrator) { waits.increment() })
    #expect(try await database.invoice("a", account: "default") != nil && waits.value == 1)
    try await database.close()
  }

  @Test("a file without the log, as a copy of it may be, gets one before it is read")
  func withoutLog() async throws {
    let folder = try TemporaryDirectory()
    let path = try await path(in: folder)
    let queue = try DatabaseQueue(path: path)
    try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    let database = try #require(try await LocalDatabase.openForReading(at: path))
    let mode = try await database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    #expect(mode == "wal")
    #expect(try await database.invoiceCount(account: nil) == 1)
    try await database.close()
  }

  // Edge case 52
  @Test("a damaged file is renamed, and a foreign and a newer one refused, as by a writer")
  func unfit() async throws {
    let folder = try TemporaryDirectory()
    let path = try await path(in: folder)
    let newer = folder.file("newer.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: newer)
    let queue = try DatabaseQueue(path: newer)
    try await queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')")
    }
    try queue.close()
    await #expect { _ = try await LocalDatabase.openForReading(at: newer) } throws: {
      if case StorageError.newerSchema = $0 { true } else { false }
    }
    let text = try folder.write("buy paint\n", to: "notes.txt")
    await #expect { _ = try await LocalDatabase.openForReading(at: text) } throws: {
      if case StorageError.foreign = $0 { true } else { false }
    }
    try Data(repeating: 7, count: 9_000).write(to: URL(filePath: path))
    let database = try #require(try await LocalDatabase.openForReading(at: path))
    #expect(database.damagedFile.map { FileManager.default.fileExists(atPath: $0) } == true)
    #expect(try await database.invoiceCount(account: nil) == 0)
    try await database.close()
  }

  @Test("readers that open and close concurrently with a writer see each commit whole")
  func comingAndGoing() async throws {
    let folder = try TemporaryDirectory()
    let path = try await path(in: folder, storing: ["0-a", "0-b"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      let isDone = Counter()
      for _ in 0..<3 {
        group.addTask {
          var known = 2
          while isDone.value == 0 {
            let database = try #require(try await LocalDatabase.openForReading(at: path))
            let count = try await database.invoiceCount(account: nil)
            try await database.close()
            #expect(count >= known && count.isMultiple(of: 2))
            known = count
          }
        }
      }
      group.addTask {
        defer { isDone.increment() }
        for number in 1...40 {
          let database = try await LocalDatabase.open(at: path, lockTimeout: .seconds(60))
          _ = try await scene.commit(
            [try scene.invoice("\(number)-a"), try scene.invoice("\(number)-b")], to: database)
          try await database.close()
        }
      }
      try await group.waitForAll()
    }
    let queue = try DatabaseQueue(path: path)
    let check = try await queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(check == ["ok"])
    try queue.close()
    let database = try await LocalDatabase.open(at: path)
    #expect(try await database.invoiceCount(account: nil) == 82)
    try await database.close()
  }
}
