import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// Each row has the number of the commit that last changed it, and readers find what has changed
/// since a position.
@Suite(.timeLimit(.minutes(10))) struct ChangeTests {
  private let fixture: PaymentFixture
  private var database: LocalDatabase { fixture.database }

  init() async throws { fixture = try await PaymentFixture() }

  private func store(_ invoices: [Invoice], account: String = "default") async throws {
    try await fixture.store(invoices, in: database.invoiceStore, account: account)
  }

  private func store(_ contacts: [Contact]) async throws {
    try await fixture.store(contacts, in: database.contactStore)
  }

  private func contact(_ id: String, _ name: String) -> Contact {
    var contact = Contact.blank
    (contact.id, contact.name, contact.status, contact.rawStatus) = (id, name, .active, "A")
    return contact
  }

  /// The changes after a position, as `kind id`, with `-` before what is deleted.
  private func changes(
    after position: ChangePosition?, of kinds: Set<ChangedKind> = [.invoice, .contact, .payment]
  ) async throws -> (names: [String], next: ChangePosition) {
    let page = try await database.changes(after: position, of: kinds)
    #expect(!page.startsOver && !page.hasMore)
    return (
      page.changes.map { ($0.deletedAt == nil ? "" : "-") + "\($0.kind) \($0.id)" }, page.next
    )
  }

  @Test("only rows that changed get the number of the commit")
  func numbers() async throws {
    try await store([fixture.invoice("a"), fixture.invoice("b")])
    try await fixture.store([fixture.payment("p")], in: database.paymentStore())
    let (all, first) = try await changes(after: nil)
    #expect(all == ["invoice a", "invoice b", "payment p"])
    try await store([fixture.invoice("a"), fixture.invoice("b")])
    #expect(try await changes(after: first) == ([], first))
    try await store([fixture.invoice("a"), fixture.invoice("b", "7.00")])
    let (changed, second) = try await changes(after: first)
    #expect(changed == ["invoice b"] && second.change == first.change + 1)
    #expect(second.database == first.database && first.database.count == 36)
    // The order is that of the commits.
    try await store([fixture.invoice("c")])
    try await store([fixture.invoice("a", "8.00")])
    #expect(try await changes(after: first).names == ["invoice b", "invoice c", "invoice a"])
  }

  @Test("deletions have numbers, whether the server reports them or a list lacks the record")
  func deletions() async throws {
    try await store([fixture.invoice("a"), fixture.invoice("b"), fixture.invoice("c")])
    let start = try await changes(after: nil).next
    let run = try await fixture.begin(database.invoiceStore)
    var page = PendingPage(source: "s", instant: Timestamp(microsecondsSinceEpoch: 5))
    page.removals = [Removal(id: "a", reason: "gone")]
    _ = try await run.commit([page])
    let (removed, next) = try await changes(after: start)
    #expect(removed == ["-invoice a"])
    try await run.beginSweep(source: "s", checkpoint: [])
    var seen = PendingPage(source: "s", instant: Timestamp(microsecondsSinceEpoch: 6))
    seen.records = database.invoiceStore.encode([try fixture.invoice("b")])
    seen.isSweep = true
    _ = try await run.commit([seen])
    #expect(try await changes(after: next).names == [])
    var end = PassCompletion(
      instant: Timestamp(microsecondsSinceEpoch: 7), maximumDeletedPercent: 100)
    end.deletesUnseen = true
    _ = try await run.endPass(end)
    #expect(try await changes(after: next).names == ["-invoice c"])
  }

  @Test("a dry run numbers nothing")
  func dryRun() async throws {
    try await store([fixture.invoice("a")])
    let start = try await changes(after: nil).next
    var page = PendingPage(source: "s", instant: Timestamp(microsecondsSinceEpoch: 5))
    page.records = database.invoiceStore.encode([try fixture.invoice("a", "9.00")])
    _ = try await database.invoiceStore.beginDryRun(account: "default").commit([page])
    #expect(try await changes(after: start) == ([], start))
  }

  @Test("what is forgotten, renamed or stored again is a change")
  func forgotten() async throws {
    try await store([fixture.invoice("a")])
    try await store([fixture.invoice("b")], account: "other")
    let all = Set(ChangedKind.allCases)
    let (names, start) = try await changes(after: nil, of: all)
    #expect(names == ["account default", "invoice a", "account other", "invoice b"])
    try await database.forgetRecords(account: "other")
    let (gone, next) = try await changes(after: start, of: all)
    #expect(gone.sorted() == ["-account other", "-invoice b"])
    #expect(try await changes(after: nil, of: all).names == ["account default", "invoice a"])
    try await store([fixture.invoice("b")], account: "other")
    #expect(try await changes(after: start, of: all).names == ["account other", "invoice b"])
    let last = try await changes(after: next, of: all).next
    #expect(try await database.renameAccount("other", to: "third"))
    let page = try await database.changes(after: last)
    #expect(
      page.changes.map { "\($0.account) \($0.id) \($0.record != nil)" }.sorted()
        == ["other b false", "other other false", "third b true", "third third true"])
    try await database.setOrganisation(NamedOrganisation(id: "1", name: "Us"), account: "third")
    let named = try await database.changes(after: page.next)
    #expect(named.changes.map(\.id) == ["third"])
    try await database.setOrganisation(NamedOrganisation(id: "1", name: "Us"), account: "third")
    #expect(try await database.changes(after: named.next).changes.isEmpty)
  }

  @Test("what shows the name of a contact changes with it")
  func names() async throws {
    var nameless = try fixture.invoice("a")
    nameless.contact = Party(id: "c1")
    var named = try fixture.invoice("b")
    named.contact = Party(id: "c1", name: "Own")
    var payment = try fixture.payment("p")
    payment.contactID = "c1"
    try await store([nameless, named])
    try await fixture.store([payment], in: database.paymentStore())
    let start = try await changes(after: nil).next
    try await store([contact("c1", "Ada"), contact("c2", "Eve")])
    let page = try await database.changes(after: start, of: [.invoice, .payment])
    #expect(page.changes.map(\.id) == ["a", "p"])
    guard case .invoice(let stored) = page.changes.first?.record else {
      Issue.record("no invoice")
      return
    }
    #expect(stored.invoice.contact.name == "Ada" && page.changes[0].change < page.next.change)
    #expect(
      try await changes(after: start).names == [
        "contact c1", "invoice a", "payment p", "contact c2",
      ])
  }

  @Test("pages of any size find what one page finds, and the text of a position is as good")
  func pages() async throws {
    for round in 0..<4 {
      try await store(
        (0..<9).map {
          var invoice = try fixture.invoice("\(round)-\($0)")
          // The contact comes later, and the invoice is read once all the same.
          invoice.contact = Party(id: "\(round)-\($0 % 3)")
          return invoice
        })
      try await store((0..<3).map { contact("\(round)-\($0)", "C") })
    }
    let whole = try await database.changes(after: nil)
    #expect(whole.changes.count == 49 && !whole.hasMore)
    for size in [1, 2, 5, 48, 49, 50] {
      var found: [StoredChange] = []
      var position: ChangePosition?
      var hasMore = true
      while hasMore {
        let page = try await database.changes(after: position, limit: size)
        found += page.changes
        position = ChangePosition(page.next.description)
        #expect(position == page.next && page.changes.count <= size)
        hasMore = page.hasMore
      }
      #expect(
        found.map { "\($0.kind) \($0.id) \($0.change)" }
          == whole.changes.map { "\($0.kind) \($0.id) \($0.change)" })
      #expect(position == whole.next)
    }
    for text in ["", "a", "a:", ":1", "a:-1", "a:1:2", "a:1:x:2", "a:1:2:3:4"] {
      #expect(ChangePosition(text) == nil, "\(text)")
    }
  }

  @Test("a position of another database, or of a later state, starts over")
  func foreign() async throws {
    try await store([fixture.invoice("a")])
    let position = try await changes(after: nil).next
    let others = [
      ChangePosition(database: "other", change: 1),
      ChangePosition(database: position.database, change: position.change + 1),
    ]
    for other in others {
      let page = try await database.changes(after: other, of: [.invoice])
      #expect(page.startsOver && page.changes.map(\.id) == ["a"] && page.next == position)
    }
  }

  @Test("the indexes give the order, so no page sorts what comes after it")
  func plan() async throws {
    let plan = try await database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          EXPLAIN QUERY PLAN SELECT 1 AS kind, row, change FROM contact WHERE change > 5
          UNION ALL SELECT 2 AS kind, row, change FROM invoice WHERE (change, row) > (5, 7)
          UNION ALL SELECT 3 AS kind, row, change FROM payment WHERE change >= 5 ORDER BY 3, 1, 2
          """
      ).map { $0["detail"] as String }
    }
    #expect(!plan.contains { $0.contains("TEMP B-TREE FOR ORDER BY") }, "\(plan)")
    #expect(plan.count { $0.contains("_by_change") } == 3, "\(plan)")
  }

  @Test("the rows of a file without numbers are all one change")
  func migrated() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let queue = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(queue, upTo: "files of invoices")
    try await queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO account (row, name, source) VALUES (1, 'default', 's');
          INSERT INTO invoice (row, account, id, type, status, raw_status, currency, total,
            fingerprint, synced_at) VALUES (7, 1, 'a', 'invoice', 'open', 'O', 'EUR', '1', 1, 1);
          """)
    }
    try queue.close()
    let database = try await LocalDatabase.open(at: path)
    let page = try await database.changes(after: nil)
    #expect(page.changes.map(\.id) == ["default", "a"] && page.next.change == 1)
    #expect(page.changes.allSatisfy { $0.change == 1 })
    try await fixture.store([fixture.invoice("b")], in: database.invoiceStore)
    #expect(try await database.changes(after: page.next).changes.map(\.id) == ["b"])
    try await database.close()
  }
}
