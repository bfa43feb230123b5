import HTTPTypes
import Models
import Sandbox
import Storage
import Testing

@testable import Sync

/// Syncs of a company whose books the sandbox keeps.
@Suite(.timeLimit(.minutes(2))) struct QuickBooksSyncTests {
  private func fixture(invoices: Int, pageSize: Int) async throws -> LoopbackSync {
    try await LoopbackSync(.quickbooks, invoices: invoices) {
      QuickBooksFeed(baseURL: $0.url, realmID: $0.tenantIDs.first, pageSize: pageSize)
    }
  }

  /// An invoice of the ledger as QuickBooks shows it, which knows neither drafts nor words for a status.
  private func shown(_ row: Invoice) -> Invoice? {
    guard row.status != .deleted else { return nil }
    let isVoid = row.status == .void
    let isBill = row.type == .bill
    func amount(_ amount: ExactDecimal?) -> ExactDecimal? {
      isVoid ? amount.map { _ in .zero } : amount
    }
    let due = amount(row.amountDue)
    var status = InvoiceStatus.partiallyPaid
    if due?.isZero == true { status = .paid } else if due == row.total { status = .open }
    var invoice = Invoice(
      id: isBill ? "bill/" + row.id : row.id, number: row.number, type: row.type,
      status: isVoid ? .void : status, rawStatus: isVoid ? "Voided" : "", contact: row.contact,
      currency: row.currency, issueDate: row.issueDate, dueDate: row.dueDate,
      updatedAt: row.updatedAt?.truncatedToSecond, totalTax: amount(row.totalTax),
      total: isVoid ? .zero : row.total, amountDue: due,
      lines: row.lines.map { line in
        var line = line
        line.taxAmount = nil
        line.quantity = amount(line.quantity)
        line.unitAmount = amount(line.unitAmount)
        line.lineAmount = amount(line.lineAmount)
        if isBill { line.accountCode = nil }
        return line
      })
    if isBill { invoice.contact.email = nil }
    if !isBill {
      invoice.lineTotal = isVoid ? .zero : ExactDecimal.sum(row.lines.compactMap(\.lineAmount))
    }
    invoice.orderNumber = row.reference.flatMap { $0.isEmpty ? nil : $0 }
    return invoice
  }

  @Test(
    "books are brought whole, again unchanged, and with edits, voids and deletions",
    arguments: [1, 7, 1_000])
  func books(pageSize: Int) async throws {
    let fixture = try await fixture(invoices: 120, pageSize: pageSize)
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.counts.deleted == 0)
    #expect(first.counts.inserted == fixture.ledger(shown).count)
    #expect(try await fixture.live() == fixture.ledger(shown))
    // Where each instant fills a page, all is counted.
    let counts = await fixture.requests("POST /v3/company/\(fixture.server.tenantIDs[0])/batch")
    #expect(counts == (pageSize == 1 ? 1 : 0))

    let second = try await fixture.sync.run()
    #expect(second.counts.inserted + second.counts.updated + second.counts.deleted == 0)

    fixture.server.changeInvoices(count: 9, seed: 3)
    fixture.server.voidInvoices(count: 3)
    let deleted = fixture.server.deleteInvoices(count: 4)
    fixture.server.addInvoices(count: 5)
    let third = try await fixture.sync.run()
    #expect(third.result == .complete && third.counts.deleted == 4)
    #expect(try await fixture.live() == fixture.ledger(shown))
    let all = try await fixture.database.invoices(matching: everything)
    let gone = all.filter { $0.deletedAt != nil }
    #expect(Set(gone.map { $0.invoice.id.replacing("bill/", with: "") }) == Set(deleted))
    #expect(gone.allSatisfy { $0.deletedReason == "status Deleted" })
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("a run that is stopped goes on where it was, page by page")
  func interrupted() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 10)
    var options = SyncOptions()
    options.limit = 10
    var runs = 0
    while try await fixture.sync.run(options).result != .complete, runs < 40 { runs += 1 }
    #expect((3..<40).contains(runs))
    #expect(try await fixture.live() == fixture.ledger(shown))
    try await fixture.stop()
  }

  @Test("deletions that are not told any more are found by reading everything")
  func expired() async throws {
    let fixture = try await fixture(invoices: 80, pageSize: 50)
    _ = try await fixture.sync.run()
    fixture.server.deleteInvoices(count: 3)
    try await fixture.setPlace("deletionsKnownUntil", to: "2020-01-01T00:00:00Z")
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted == 3)
    #expect(try await fixture.live() == fixture.ledger(shown))
    #expect(await fixture.requests("GET /v3/company/\(fixture.server.tenantIDs[0])/cdc") == 0)
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("a dry run tells what would change")
  func trial() async throws {
    let fixture = try await fixture(invoices: 30, pageSize: 50)
    _ = try await fixture.sync.run()
    let before = try await fixture.live()
    fixture.server.deleteInvoices(count: 2)
    fixture.server.addInvoices(count: 1)
    var options = SyncOptions()
    options.isTrial = true
    let report = try await fixture.sync.run(options)
    #expect(report.counts.deleted == 2 && report.counts.inserted == 1)
    #expect(try await fixture.live() == before)
    try await fixture.stop()
  }

  private var everything: InvoiceQuery {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    return query
  }
}
