import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// A first pass stores without the index of identifiers, and nothing differs but the time.
@Suite(.timeLimit(.minutes(10))) struct FirstPassTests {
  private let scene = WholeInvoiceTests()

  private func begin(
    _ database: LocalDatabase, account: String = "default"
  ) async throws -> RunStore<Invoice> {
    try await database.invoiceStore.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 1), watermarkBefore: nil))
  }

  private func page(
    _ ids: [String], version: Int64 = 1, removing: [String] = [], in database: LocalDatabase
  ) throws -> PendingPage {
    var page = PendingPage(source: "s", instant: Timestamp(microsecondsSinceEpoch: 1))
    page.records = database.invoiceStore.encode(
      try ids.map { id in
        var invoice = try scene.invoice(id)
        (invoice.version, invoice.number) = (version, "\(id)-\(version)")
        return invoice
      })
    page.removals = removing.map { Removal(id: $0, reason: "gone") }
    return page
  }

  private func hasIndex(_ database: LocalDatabase) async throws -> Bool {
    try await database.read { try RecordIndexes(db: $0).exist(Schema.invoiceIndexes[0]) }
  }

  private func numbers(_ database: LocalDatabase) async throws -> [String] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    return try await database.invoices(matching: query).compactMap(\.invoice.number).sorted()
  }

  @Test("a pass that sees only new records needs no index of their identifiers")
  func onlyNew() async throws {
    try await scene.withDatabase { database in
      let run = try await begin(database)
      let pages = [
        try page(["a", "b"], in: database), try page(["c"], in: database),
      ]
      #expect(try await run.commit(pages).map(\.counts.inserted) == [2, 1])
      #expect(try await !hasIndex(database))
      try await database.updateIndexes()
      #expect(try await hasIndex(database))
      #expect(try await numbers(database) == ["a-1", "b-1", "c-1"])
    }
  }

  @Test("a record that is listed again is updated, wherever it was listed first")
  func listedAgain() async throws {
    try await scene.withDatabase { database in
      let run = try await begin(database)
      _ = try await run.commit([try page(["a", "b"], in: database)])
      let again = try await run.commit([try page(["c", "a"], version: 2, in: database)])
      #expect(again.first?.counts.inserted == 1 && again.first?.counts.updated == 1)
      #expect(try await hasIndex(database))
      let twice = try await run.commit([try page(["d", "d"], version: 3, in: database)])
      #expect(twice.first?.counts.inserted == 1 && twice.first?.counts.unchanged == 1)
      #expect(try await numbers(database) == ["a-2", "b-1", "c-2", "d-3"])
    }
  }

  @Test("a record that is removed during the pass is found")
  func removed() async throws {
    try await scene.withDatabase { database in
      let run = try await begin(database)
      _ = try await run.commit([try page(["a", "b"], in: database)])
      let removal = try await run.commit([try page(["c"], removing: ["a"], in: database)])
      #expect(removal.first?.counts.deleted == 1)
      #expect(try await hasIndex(database))
      #expect(try await run.seenCount(isSweep: false) == 3)
    }
  }

  @Test("a run after an interrupted first pass finds the records that the pass stored")
  func interrupted() async throws {
    try await scene.withDatabase { database in
      _ = try await begin(database).commit([try page(["a", "b"], in: database)])
      #expect(try await !hasIndex(database))
      let next = try await begin(database)
      let changes = try await next.commit([try page(["b", "c"], version: 2, in: database)])
      #expect(changes.first?.counts.inserted == 1 && changes.first?.counts.updated == 1)
      #expect(try await numbers(database) == ["a-1", "b-2", "c-2"])
    }
  }

  @Test("a dry run after an interrupted first pass compares with the records that the pass stored")
  func dryRun() async throws {
    try await scene.withDatabase { database in
      _ = try await begin(database).commit([try page(["a", "b"], in: database)])
      let dryRun = database.invoiceStore.beginDryRun(account: "default")
      let changes = try await dryRun.commit([try page(["b", "c"], version: 2, in: database)])
      #expect(changes.first?.counts.inserted == 1 && changes.first?.counts.updated == 1)
      #expect(try await numbers(database) == ["a-1", "b-1"])
    }
  }

  @Test(
    "records are found in the order in which they were stored, in another one, and with others between",
    arguments: ["abcdef", "fedcba", "abxcdyef", "acebdf", "aabbcc", "bcdaefz"])
  func order(listed: String) async throws {
    try await scene.withDatabase { database in
      // Another account has the same identifiers, in rows between.
      let (run, other) = (
        try await begin(database), try await begin(database, account: "other")
      )
      for ids in [["a", "b"], ["c"], ["d", "e", "f"]] {
        _ = try await run.commit([try page(ids, in: database)])
        _ = try await other.commit([try page(ids + ["x"], in: database)])
      }
      for version: Int64 in [1, 2] {
        let changes = try await begin(database).commit(
          [try page(listed.map(String.init), version: version, in: database)])
        let counts = try #require(changes.first?.counts)
        let new = version == 1 ? listed.filter { "xyz".contains($0) }.count : 0
        let known = Set(listed).count
        #expect(counts.inserted == new)
        #expect(counts.updated == (version == 1 ? 0 : known))
        #expect(counts.unchanged == listed.count - counts.inserted - counts.updated)
      }
      var query = InvoiceQuery()
      query.account = "other"
      let numbers = try await database.invoices(matching: query).compactMap(\.invoice.number)
      #expect(numbers.sorted() == ["a-1", "b-1", "c-1", "d-1", "e-1", "f-1", "x-1"])
    }
  }

  @Test("a row of the highest number is found, and the next record after it")
  func highestRow() async throws {
    try await scene.withDatabase { database in
      let instant = Timestamp(microsecondsSinceEpoch: 1)
      let run = try await database.contactStore.beginRun(
        RunStart(
          account: "default", provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
      func page(_ ids: [String], status: String) -> PendingPage {
        var page = PendingPage(source: "s", instant: instant)
        page.records = database.contactStore.encode(
          ids.map { Contact(id: $0, status: .active, rawStatus: status) })
        return page
      }
      _ = try await run.commit([page(["a", "b"], status: "ACTIVE")])
      try await database.write { db in
        try db.execute(sql: "UPDATE contact SET row = 9223372036854775807 WHERE id = 'a'")
      }
      let changes = try await run.commit([page(["a", "b", "a"], status: "active")])
      #expect(changes.first?.counts.updated == 2)
    }
  }

  @Test("two accounts whose first passes overlap keep their records apart")
  func twoAccounts() async throws {
    try await scene.withDatabase { database in
      let first = try await begin(database, account: "one")
      let second = try await begin(database, account: "two")
      _ = try await first.commit([try page(["a", "b"], in: database)])
      _ = try await second.commit([try page(["a", "c"], in: database)])
      let again = try await first.commit([try page(["a"], version: 2, in: database)])
      #expect(again.first?.counts.updated == 1)
      let more = try await second.commit([try page(["c", "d"], version: 2, in: database)])
      #expect(more.first?.counts.inserted == 1 && more.first?.counts.updated == 1)
      #expect(try await numbers(database) == ["a-1", "a-2", "b-1", "c-2", "d-2"])
    }
  }

  @Test("a pass whose transaction failed stores its records at the next attempt")
  func rolledBack() async throws {
    try await scene.withDatabase { database in
      let run = try await begin(database)
      try await database.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER refusal AFTER INSERT ON invoice WHEN new.id = 'b'
            BEGIN SELECT raise(ABORT, 'refused'); END
            """)
      }
      await #expect(throws: StorageError.self) {
        _ = try await run.commit([try page(["a", "b"], in: database)])
      }
      try await database.write { try $0.execute(sql: "DROP TRIGGER refusal") }
      let changes = try await run.commit([try page(["a", "b"], in: database)])
      #expect(changes.first?.counts.inserted == 2)
      #expect(try await numbers(database) == ["a-1", "b-1"])
    }
  }

  @Test("a set of identifiers knows every one that it was given, and no other")
  func identifiers() {
    var set = IdentifierSet()
    let ids = (0..<50_000).map { "id-\($0 &* 7_919)" }
    #expect(ids.allSatisfy { set.insert($0) })
    #expect(ids.allSatisfy { !set.insert($0) })
    #expect(set.insert("another") && !set.insert("another"))
  }

  @Test("a fingerprint is the same in every version, and differs with every bit")
  func stableHash() {
    let bytes = (0..<100).map { UInt8($0) }
    #expect(StableHash.value(of: bytes, in: 0..<100) == StableHash.value(of: bytes, in: 0..<100))
    var found: Set<Int64> = []
    for length in 0...100 { found.insert(StableHash.value(of: bytes, in: 0..<length)) }
    for bit in 0..<800 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      found.insert(StableHash.value(of: changed, in: 0..<100))
    }
    #expect(found.count == 901)
  }
}
