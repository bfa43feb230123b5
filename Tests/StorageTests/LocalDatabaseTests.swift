import Foundation
import GRDB
import Models
import SystemSupport
import TestSupport
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(10))) struct LocalDatabaseTests {
  @Test("a commit reaches the disk before the next checkpoint")
  func durable() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    let mode = try await database.pool.writeWithoutTransaction {
      try Int.fetchOne($0, sql: "PRAGMA synchronous")
    }
    // FULL; see https://sqlite.org/pragma.html#pragma_synchronous
    #expect(mode == 2)
    try await database.close()
  }

  private func invoice(
    _ id: String, total: String = "1.00", at seconds: Int64 = 100, status: InvoiceStatus = .open
  ) throws -> Invoice {
    Invoice(
      id: id, number: "N-" + id, type: .invoice, status: status, rawStatus: status.rawValue,
      contact: Party(name: "Ada"), currency: try #require(Currency(code: "EUR")),
      issueDate: CalendarDate("2024-01-02"),
      updatedAt: Timestamp(microsecondsSinceEpoch: seconds * 1_000_000),
      total: try #require(ExactDecimal(total)),
      lines: [InvoiceLine(quantity: ExactDecimal("1.50"), lineAmount: ExactDecimal(total))])
  }

  private func commit(
    _ invoices: [Invoice], to database: LocalDatabase, source: String = "xero:t",
    account: String = "default", removing removals: [Removal] = []
  ) async throws -> ChangeCounts {
    let store = database.invoiceStore
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: "xero", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 0), watermarkBefore: nil))
    var page = PendingPage(
      source: source, instant: Timestamp(microsecondsSinceEpoch: 1_000_000_000))
    page.records = store.encode(invoices)
    page.removals = removals
    page.checkpoint = [1, 2]
    page.watermark = Timestamp(microsecondsSinceEpoch: 5)
    page.isComplete = true
    return try #require(try await run.commit([page]).first).counts
  }

  // Edge case 65
  @Test("a row that is dated in the future takes corrections, and its deletion")
  func future() async throws {
    try await withDatabase { database, _ in
      _ = try await commit([try invoice("a", at: 9_999)], to: database)
      let changed = try await commit([try invoice("a", total: "2.00", at: 900)], to: database)
      #expect(changed.updated == 1)
      // From then on, the time orders again.
      let older = try await commit([try invoice("a", total: "3.00", at: 800)], to: database)
      #expect(older.unchanged == 1)
      _ = try await commit([try invoice("a", at: 9_999)], to: database)
      let removal = Removal(
        id: "a", reason: "gone", at: Timestamp(microsecondsSinceEpoch: 950_000_000))
      #expect(try await commit([], to: database, removing: [removal]).deleted == 1)
    }
  }

  // Edge case 62
  @Test("the server of a list is known by its address, and not known without one")
  func elsewhere() {
    let here = [Resource.invoices: "https://a.example/v1 0af", .contacts: "https://a.example"]
    let there = [
      Resource.invoices: "https://b.example/v1 0af", .contacts: "https://a.example:8443",
    ]
    func owner(_ addresses: [Resource: String]) -> AccountOwner {
      AccountOwner(source: "acme:42", login: "A", addresses: addresses)
    }
    #expect(!owner([:]).isElsewhere(.invoices, in: there))
    #expect(owner(here).isElsewhere(.invoices, in: there))
    #expect(owner([.invoices: here[.invoices] ?? ""]).isElsewhere(.contacts, in: there))
    #expect(!owner(here).isElsewhere(.invoices, in: [.invoices: "https://a.example/v2"]))
    #expect(!owner(here).isElsewhere(.invoices, in: [:]))
  }

  private func withDatabase(_ body: (LocalDatabase, TemporaryDirectory) async throws -> Void)
    async throws
  {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await body(database, folder)
    try await database.close()
  }

  @Test("a row is new, then unchanged, then changed; an older one is ignored")
  func changes() async throws {
    try await withDatabase { database, _ in
      var counts = try await commit([try invoice("a"), try invoice("b")], to: database)
      #expect(counts.inserted == 2)
      counts = try await commit([try invoice("a"), try invoice("b", total: "1.0")], to: database)
      #expect(counts.unchanged == 1 && counts.updated == 1)
      counts = try await commit([try invoice("a", total: "9", at: 50)], to: database)
      #expect(counts.unchanged == 1)
      let stored = try await database.invoice("a", account: "default")
      #expect(stored?.invoice == (try invoice("a")))
      #expect(try await database.invoice("b", account: nil)?.invoice.total.description == "1.0")
    }
  }

  // Edge case 50
  @Test("a deletion is counted once, and a row that returns is undeleted")
  func deletion() async throws {
    try await withDatabase { database, _ in
      _ = try await commit([try invoice("a")], to: database)
      var counts = try await commit([try invoice("a", at: 101, status: .deleted)], to: database)
      #expect(counts.deleted == 1)
      #expect(try await database.invoice("a", account: nil)?.deletedReason == "status deleted")
      counts = try await commit([try invoice("a", at: 102)], to: database)
      #expect(counts.updated == 1)
      #expect(try await database.invoice("a", account: nil)?.deletedAt == nil)
    }
  }

  @Test("cursor and watermark are those of the last page, and go with its rows")
  func resumption() async throws {
    try await withDatabase { database, _ in
      #expect(try await database.invoiceStore.resumption(account: "default") == nil)
      _ = try await commit([try invoice("a")], to: database)
      let resumption = try await database.invoiceStore.resumption(account: "default")
      #expect(resumption?.checkpoint == [1, 2] && resumption?.source == "xero:t")
      await #expect(throws: StorageError.self) {
        _ = try await commit([try invoice("z")], to: database, source: "xero:other")
      }
      #expect(try await database.invoiceCount(account: nil) == 1)
    }
  }

  // Edge case 55
  @Test("sums are exact, and totals sort as numbers")
  func sums() async throws {
    try await withDatabase { database, _ in
      let totals = ["9007199254740993.01", "0.1", "0.2", "-3", "10", "9"]
      _ = try await commit(
        try totals.enumerated().map { try invoice("\($0.offset)", total: $0.element) }, to: database
      )
      #expect(
        try await database.invoiceTotals(account: "default").first?.total.description
          == "9007199254741009.31")
      var query = InvoiceQuery()
      query.sort = .total
      query.isAscending = true
      let sorted = try await database.invoices(matching: query).map { $0.invoice.total.description }
      #expect(sorted == ["-3", "0.1", "0.2", "9", "10", "9007199254740993.01"])
    }
  }

  @Test("queries narrow by account, status, contact and date")
  func queries() async throws {
    try await withDatabase { database, _ in
      _ = try await commit([try invoice("a"), try invoice("v", status: .void)], to: database)
      _ = try await commit([try invoice("o")], to: database, account: "other")
      func ids(_ adjust: (inout InvoiceQuery) -> Void) async throws -> [String] {
        var query = InvoiceQuery()
        query.account = "default"
        adjust(&query)
        return try await database.invoices(matching: query).map(\.invoice.id).sorted()
      }
      #expect(try await ids { _ in } == ["a"])
      #expect(try await ids { $0.includesVoidAndDeleted = true } == ["a", "v"])
      #expect(try await ids { $0.statuses = [.void] } == ["v"])
      #expect(try await ids { $0.statuses = [.open, .void] } == ["a", "v"])
      #expect(try await ids { $0.account = nil } == ["a", "o"])
      #expect(try await ids { $0.contact = "ad" } == ["a"])
      #expect(try await ids { $0.contact = "Bob" } == [])
      #expect(try await ids { $0.statuses = [.paid] } == [])
      #expect(try await ids { $0.issuedFrom = CalendarDate("2024-01-03") } == [])
      #expect(try await ids { $0.issuedThrough = CalendarDate("2024-01-02") } == ["a"])
    }
  }

  @Test("a run that never ended is noted as died by the next")
  func interruptedRuns() async throws {
    try await withDatabase { database, _ in
      _ = try await commit([try invoice("a")], to: database)
      _ = try await commit([try invoice("b")], to: database)
      let results = try await database.read { db in
        try String.fetchAll(db, sql: "SELECT result FROM run ORDER BY id")
      }
      #expect(results == ["died", "running"])
    }
  }

  // Edge case 52
  @Test("a foreign file, a newer one and a bad path are distinguished, and left alone")
  func badFiles() async throws {
    let folder = try TemporaryDirectory()
    let foreign = try DatabaseQueue(path: folder.file("foreign"))
    try await foreign.write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
    try foreign.close()
    await #expect { _ = try await LocalDatabase.open(at: folder.file("foreign")) } throws: {
      if case StorageError.foreign = $0 { true } else { false }
    }
    let database = try await LocalDatabase.open(at: folder.file("newer"))
    try await database.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')")
    }
    try await database.close()
    await #expect { _ = try await LocalDatabase.open(at: folder.file("newer")) } throws: {
      if case StorageError.newerSchema = $0 { true } else { false }
    }
    await #expect { _ = try await LocalDatabase.open(at: folder.file("foreign") + "/x") } throws: {
      if case StorageError.inaccessible = $0 { true } else { false }
    }
  }

  @Test("several handles write concurrently, and the file stays sound and private")
  func concurrentWriters() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let database = try await LocalDatabase.open(at: path, lockTimeout: Patience.limit)
          for page in 0..<10 {
            let rows = try (0..<20).map { try invoice("\(writer)-\(page)-\($0)") }
            _ = try await commit(rows, to: database)
          }
          try await database.close()
        }
      }
      try await group.waitForAll()
    }
    let database = try await LocalDatabase.open(at: path)
    #expect(try await database.invoiceCount(account: nil) == 800)
    let check = try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(check == ["ok"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try await database.close()
  }

  @Test("pages that are committed together are stored all or none, with the last one's cursor")
  func pagesTogether() async throws {
    try await withDatabase { database, _ in
      let store = database.invoiceStore
      let instant = Timestamp(microsecondsSinceEpoch: 9)
      let run = try await store.beginRun(
        RunStart(
          account: "default", provider: "xero", kind: .full, startedAt: instant,
          watermarkBefore: nil))
      func page(_ id: String, place: UInt8, source: String = "xero:t") throws -> PendingPage {
        var page = PendingPage(source: source, instant: instant)
        page.records = store.encode([try invoice(id, total: "1")])
        page.checkpoint = [place]
        return page
      }
      await #expect(throws: StorageError.self) {
        try await run.commit([
          try page("a", place: 1), try page("b", place: 2, source: "xero:another"),
        ])
      }
      #expect(try await database.invoiceCount(account: "default") == 0)
      #expect(try await store.resumption(account: "default") == nil)

      let outcomes = try await run.commit([
        try page("a", place: 1), try page("a", place: 2), try page("b", place: 3),
      ])
      #expect(outcomes.map(\.counts.inserted) == [1, 0, 1])
      #expect(outcomes.map(\.counts.unchanged) == [0, 1, 0])
      #expect(try await store.resumption(account: "default")?.checkpoint == [3])
      let record = try #require(
        try await database.lastRun(account: "default", resource: .invoices))
      #expect(record.pages == 3)
      #expect(record.counts.inserted == 2)
    }
  }

  @Test("the code of a run is read in its present form, and one of a later version as it is")
  func errorCodes() async throws {
    try await withDatabase { database, _ in
      let run = try await database.invoiceStore.beginRun(
        RunStart(
          account: "default", provider: "xero", kind: .full,
          startedAt: Timestamp(microsecondsSinceEpoch: 9), watermarkBefore: nil))
      try await run.end(
        RunEnd(
          result: .failed, errorCode: "rate-limit", watermark: nil, requests: 1,
          endedAt: Timestamp(microsecondsSinceEpoch: 9)))
      let earlier = try await database.lastRun(account: "default", resource: .invoices)
      #expect(earlier?.errorCode == "rate-limited" && earlier?.code != nil)
      try await database.pool.write { try $0.execute(sql: "UPDATE run SET error_code = 'new'") }
      let later = try await database.lastRun(account: "default", resource: .invoices)
      #expect(later?.errorCode == "new" && later?.code == nil && later?.needsUser == false)
    }
  }

  @Test("a file that a link leads to has one lock, however it is opened")
  func link() async throws {
    try await withDatabase { database, folder in
      let link = folder.file("link.sqlite")
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: database.path)
      let other = try await LocalDatabase.open(at: link)
      #expect(other.path == database.path)
      try await other.close()
      let lock = try await HeldLock.acquire(
        at: database.path + ".lock", timeout: Patience.limit)
      await #expect(throws: StorageError.self) {
        try await LocalDatabase.open(at: link, lockTimeout: .zero)
      }
      lock.release()
      #expect(!FileManager.default.fileExists(atPath: link + ".lock"))
    }
  }

  @Test("a database whose lock cannot be opened is closed, and reports the lock")
  func brokenLock() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    let lock = database.path + ".lock"
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    await #expect(throws: StorageError.self) { try await database.close() }
    await #expect {
      _ = try await database.pool.read { try Int.fetchOne($0, sql: "SELECT 1") }
    } throws: { error in
      (error as? DatabaseError)?.resultCode == .SQLITE_MISUSE
    }
  }
}
