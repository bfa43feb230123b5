import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Accounts, and what they hold.
@Suite(.timeLimit(.minutes(10))) struct ForgottenAccountTests {
  private func store(
    _ ids: [String], account: String, source: String, login: String, in database: LocalDatabase
  ) async throws {
    let store = database.invoiceStore
    let now = Timestamp(microsecondsSinceEpoch: 1_000_000)
    let run = try await store.beginRun(
      RunStart(
        account: account, provider: "p", kind: .full, startedAt: now, watermarkBefore: nil))
    var page = PendingPage(source: source, instant: now)
    page.login = login
    page.checkpoint = Array("{}".utf8)
    let currency = try #require(Currency(code: "EUR"))
    page.records = store.encode(
      ids.map { id in
        var invoice = Invoice(
          id: id, type: .invoice, status: .open, rawStatus: "open", currency: currency, total: .zero
        )
        invoice.lines = [InvoiceLine(description: "Paint of \(account)")]
        return invoice
      })
    _ = try await run.commit([page])
  }

  @Test("a forgotten account leaves nothing, in the search index neither, and others are untouched")
  func forgotten() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await store(["1", "2"], account: "one", source: "p:1", login: "x", in: database)
    try await store(["1"], account: "two", source: "p:2", login: "y", in: database)
    #expect(try await "\(database.contents(account: "one"))" == "2 invoices")
    try await database.forgetRecords(account: "one")
    #expect(try await database.owner(account: "one") == nil)
    #expect(try await database.invoiceStore.resumption(account: "one") == nil)
    #expect(try await database.lastRun(account: "one", resource: .invoices) == nil)
    #expect(
      try await database.owner(account: "two") == AccountOwner(source: "p:2", login: "y"))
    var query = InvoiceQuery()
    query.search = "paint"
    #expect(try await database.invoices(matching: query).map(\.account) == ["two"])
    try await database.updateIndexes()
    let (lines, isSound) = try await database.write { db in
      try db.execute(
        sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      return (
        try Int.fetchOne(db, sql: "SELECT count(*) FROM line"),
        try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok"
      )
    }
    #expect(lines == 1 && isSound)
    // The account is new, so it may belong to any organisation.
    try await store(["9"], account: "one", source: "p:3", login: "z", in: database)
    #expect(try await database.contents(account: "one").invoices == 1)
    try await database.close()
  }

  @Test(
    "an account accepts a more precise source of its organisation, and stores nothing of another")
  func sources() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await store(["1"], account: "one", source: "p:1", login: "x", in: database)
    try await store(["2"], account: "one", source: "p:1:live", login: "y", in: database)
    for source in ["p:1", "p:1:test", "p:12", "p:1:livelier"] {
      await #expect(throws: StorageError.self) {
        try await store(["3"], account: "one", source: source, login: "y", in: database)
      }
    }
    #expect(try await database.contents(account: "one").invoices == 2)
    #expect(
      try await database.owner(account: "one") == AccountOwner(source: "p:1:live", login: "y"))
    try await database.close()
  }
}
