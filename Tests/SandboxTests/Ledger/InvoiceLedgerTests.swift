import Models
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct InvoiceLedgerTests {
  @Test("the ledger's rows are ordered by change, ties by identifier")
  func order() {
    let ledger = sampleLedger([
      sampleInvoice(id: "c", milliseconds: 5), sampleInvoice(id: "b", milliseconds: 9),
      sampleInvoice(id: "a", milliseconds: 9),
    ])
    #expect(ledger.page(LedgerQuery()).invoices.map(\.id) == ["c", "a", "b"])
    #expect(ledger.page(LedgerQuery(newestFirst: true)).invoices.map(\.id) == ["b", "a", "c"])
  }

  // Edge case 46
  @Test("the ledger's pages have no gap or overlap, and a page beyond the end is empty")
  func pages() {
    let ids = (0..<25).map { "i\(10 + $0)" }
    let ledger = sampleLedger(
      ids.enumerated().map { sampleInvoice(id: $1, milliseconds: Int64($0)) })
    for newestFirst in [false, true] {
      let pages = (1...4).map {
        ledger.page(LedgerQuery(page: $0, pageSize: 10, newestFirst: newestFirst))
      }
      #expect(pages.map(\.invoices.count) == [10, 10, 5, 0])
      #expect(pages.allSatisfy { $0.itemCount == 25 && $0.pageCount == 3 })
      let read = pages.flatMap { $0.invoices.map(\.id) }
      #expect(read == (newestFirst ? ids.reversed() : ids))
    }
    #expect(ledger.page(LedgerQuery(page: .max, pageSize: 1_000)).invoices.isEmpty)
  }

  @Test("a list of changes since an instant includes the instant itself")
  func modifiedSince() {
    let ledger = sampleLedger([
      sampleInvoice(id: "a", milliseconds: 999), sampleInvoice(id: "b", milliseconds: 1_000),
      sampleInvoice(id: "c", milliseconds: 1_001),
    ])
    func ids(since milliseconds: Int64) -> [String] {
      let instant = Timestamp(microsecondsSinceEpoch: milliseconds * 1_000)
      return ledger.page(LedgerQuery(modifiedSince: instant)).invoices.map(\.id)
    }
    #expect(ids(since: 1_000) == ["b", "c"])
    #expect(ids(since: 0) == ["a", "b", "c"])
    #expect(ids(since: 1_002).isEmpty)
  }

  // Edge case 54
  @Test("a change is later than every other, whatever the clock says")
  func monotonic() throws {
    let rows = (0..<6).map { sampleInvoice(id: "i\($0)", milliseconds: 1_000_000) }
    let ledger = sampleLedger(rows, now: 500)
    let changed = ledger.change(.change, count: 3, seed: 0)
    let added = ledger.change(.add, count: 2)
    let tail = ledger.all.suffix(5)
    #expect(tail.map(\.id) == changed + added)
    #expect(
      tail.map(\.updatedAt.microsecondsSinceEpoch) == (1...5).map { 1_000_000_000 + $0 * 1_000 })
    #expect(ledger.all.count == 8)
  }

  @Test("a change takes the clock's time if that is later")
  func clock() throws {
    let ledger = sampleLedger([sampleInvoice(id: "a", milliseconds: 5)], now: 70_000)
    #expect(ledger.change(.change, count: 1, seed: 0) == ["a"])
    #expect(ledger.all.first?.updatedAt.microsecondsSinceEpoch == 70_000_000)
  }

  @Test("the seed chooses which invoices change, and each change can be seen")
  func choice() {
    let rows = (0..<40).map { sampleInvoice(id: "i\($0)", milliseconds: Int64($0)) }
    let (one, same, other) = (sampleLedger(rows), sampleLedger(rows), sampleLedger(rows))
    let changed = one.change(.change, count: 5, seed: 1)
    #expect(Set(changed).count == 5)
    #expect(same.change(.change, count: 5, seed: 1) == changed)
    #expect(other.change(.change, count: 5, seed: 2) != changed)
    #expect(one.all.suffix(5).allSatisfy { $0.reference?.hasPrefix("Revision ") == true })
    #expect(one.all.suffix(5).allSatisfy { $0.dueDate?.description == "2020-04-28" })
  }

  @Test("voiding takes the unpaid ones first, deleting the drafts, and neither takes one twice")
  func statusChanges() {
    let ledger = sampleLedger([
      sampleInvoice(id: "paid", milliseconds: 1, status: .paid),
      sampleInvoice(id: "open", milliseconds: 2),
      sampleInvoice(id: "draft", milliseconds: 3, status: .draft),
      sampleInvoice(id: "void", milliseconds: 4, status: .void),
    ])
    #expect(ledger.change(.void, count: 1) == ["open"])
    #expect(ledger.change(.delete, count: 1) == ["draft"])
    #expect(ledger.change(.void, count: 9) == ["paid"])
    #expect(ledger.change(.change, count: 9, seed: 0).isEmpty)
    #expect(ledger.change(.delete, count: 0).isEmpty)
    let statuses = Dictionary(uniqueKeysWithValues: ledger.all.map { ($0.id, $0.status) })
    #expect(statuses == ["paid": .void, "open": .void, "draft": .deleted, "void": .void])
  }
}
