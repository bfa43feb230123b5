import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// A disk without room and another program's locks lose nothing.
@Suite(.timeLimit(.minutes(10))) struct StorageFaultTests {
  private let scene = WholeInvoiceTests()

  private func invoices(_ range: Range<Int>) throws -> [Invoice] {
    try range.map { number in
      var invoice = try scene.invoice("i\(number)")
      invoice.lines[0].description = String(repeating: "long \(number) ", count: 60)
      return invoice
    }
  }

  /// Checks that the database holds these invoices, and that the whole file is sound.
  private func check(_ database: LocalDatabase, holds invoices: [Invoice]) async throws {
    let stored = try await database.invoices(matching: InvoiceQuery()).map(\.invoice)
    #expect(stored.sorted { $0.id < $1.id } == invoices.sorted { $0.id < $1.id })
    try await database.updateIndexes()
    let found = try await database.write { db in
      try db.execute(
        sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      return try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    #expect(found == ["ok"])
  }

  // Edge case 52
  @Test(
    "a page that finds no room is reported and leaves nothing; with room it is stored whole")
  func full() async throws {
    try await scene.withDatabase { database in
      let (first, second) = (try invoices(0..<20), try invoices(20..<220))
      _ = try await scene.commit(first, to: database)
      try await database.updateIndexes()
      try await database.pool.writeWithoutTransaction { db in
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        try db.execute(sql: "PRAGMA max_page_count = \(pages + 5)")
      }
      await #expect {
        _ = try await scene.commit(second, to: database)
      } throws: {
        if case StorageError.full = $0 { true } else { false }
      }
      try await check(database, holds: first)
      try await database.pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA max_page_count = 1000000")
      }
      #expect(try await scene.commit(second, to: database).inserted == second.count)
      try await check(database, holds: first + second)
    }
  }

  // Edge case 52
  @Test(
    "a page has to come later while another program writes, and reading continues",
    .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
  func busy() async throws {
    try await scene.withDatabase { database in
      let (first, second) = (try invoices(0..<5), try invoices(5..<10))
      _ = try await scene.commit(first, to: database)
      try await database.pool.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA busy_timeout = 20")
      }
      let other = try OtherWriter(at: database.path)
      try await other.run("BEGIN IMMEDIATE")
      try await other.run("UPDATE invoice SET raw_status = 'theirs'")
      await expectBusy { _ = try await scene.commit(second, to: database) }
      let stored = try await database.invoices(matching: InvoiceQuery())
      #expect(stored.count == first.count)
      try await other.stop()
      _ = try await scene.commit(second, to: database)
      try await check(database, holds: first + second)
    }
  }

  @Test(
    "a stopped process with the lock is waited for only a limited time",
    .enabled(if: LockHolder.isAvailable, "flock is not installed"))
  func lockHeld() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let database = try await LocalDatabase.open(at: path, lockTimeout: .milliseconds(30))
    let holder = try await LockHolder(of: path + ".lock")
    await expectBusy { _ = try await scene.commit(try invoices(0..<1), to: database) }
    await expectBusy {
      _ = try await LocalDatabase.open(at: path, lockTimeout: .milliseconds(30))
    }
    // Nor is it by closing.
    try await database.close()
    await holder.stop()
    let again = try await LocalDatabase.open(at: path)
    try await check(again, holds: [])
    try await again.close()
  }

  private func expectBusy(_ body: () async throws -> Void) async {
    await #expect {
      try await body()
    } throws: {
      if case StorageError.busy = $0 { true } else { false }
    }
  }
}
