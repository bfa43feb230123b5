import Models
import Sandbox
import Storage
import Testing

@testable import Sync

/// Syncs of an account whose invoices the sandbox keeps.
@Suite(.timeLimit(.minutes(2))) struct StripeSyncTests {
  private func fixture(invoices: Int, pageSize: Int) async throws -> LoopbackSync {
    try await LoopbackSync(.stripe, invoices: invoices) {
      StripeFeed(baseURL: $0.url, pageSize: pageSize)
    }
  }

  /// An invoice of the ledger as Stripe shows it, which has no bills.
  private func shown(_ row: Invoice) -> Invoice? {
    guard row.type == .invoice, row.status != .deleted else { return nil }
    func id(_ id: String?, _ prefix: String) -> String? {
      id.map { prefix + $0.replacing("-", with: "") }
    }
    var status = row.status
    switch row.rawStatus {
    case "SUBMITTED", "AUTHORISED": status = row.amountPaid?.isZero == true ? .open : .partiallyPaid
    default: break
    }
    let words = ["DRAFT": "draft", "PAID": "paid", "VOIDED": "void"]
    var invoice = Invoice(
      id: id(row.id, "in_") ?? "", number: row.number, type: .invoice, status: status,
      rawStatus: words[row.rawStatus] ?? "open", contact: row.contact, currency: row.currency,
      issueDate: row.status == .draft ? nil : row.issueDate, dueDate: row.dueDate,
      subtotal: row.subtotal, totalTax: row.totalTax, total: row.total,
      amountPaid: row.amountPaid, amountCredited: row.amountCredited, amountDue: row.amountDue,
      lines: row.lines.map { line in
        var line = line
        line.id = id(line.id, "il_")
        line.taxType = nil
        line.accountCode = nil
        return line
      })
    invoice.contact.id = id(row.contact.id, "cus_")
    (invoice.periodStart, invoice.periodEnd) = (row.issueDate, row.issueDate)
    if let tax = row.totalTax, !tax.isZero {
      invoice.linesIncludeTax = row.linesIncludeTax
      invoice.taxBreakdown = [
        TaxSubtotal(name: "txr_sandbox", taxableAmount: row.subtotal, taxAmount: tax)
      ]
    }
    return invoice
  }

  @Test(
    "invoices are brought whole, again unchanged, and with edits, voids and deletions",
    arguments: [9, 100])
  func invoices(pageSize: Int) async throws {
    let fixture = try await fixture(invoices: 150, pageSize: pageSize)
    let first = try await fixture.sync.run()
    #expect(first.result == .complete && first.counts.updated + first.counts.deleted == 0)
    #expect(first.counts.inserted == fixture.ledger(shown).count)
    #expect(try await fixture.live() == fixture.ledger(shown))
    #expect(fixture.ledger(shown).contains { $0.lines.count > 2 })

    let before = await fixture.requests("GET /v1/invoices")
    let second = try await fixture.sync.run()
    #expect(second.counts.inserted + second.counts.updated + second.counts.deleted == 0)
    #expect(await fixture.requests("GET /v1/invoices") == before)

    fixture.server.changeInvoices(count: 20, seed: 3)
    fixture.server.voidInvoices(count: 5)
    let deleted = fixture.server.deleteInvoices(count: 6)
    fixture.server.addInvoices(count: 8)
    let third = try await fixture.sync.run()
    #expect(third.result == .complete && third.counts.deleted > 0)
    #expect(third.counts.deleted <= deleted.count)
    #expect(try await fixture.live() == fixture.ledger(shown))
    #expect(await fixture.requests("GET /v1/invoices") == before)
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("a run that is stopped goes on where it was, in the list and among the events")
  func interrupted() async throws {
    let fixture = try await fixture(invoices: 90, pageSize: 7)
    var options = SyncOptions()
    options.limit = 7
    var runs = 0
    while try await fixture.sync.run(options).result != .complete, runs < 40 { runs += 1 }
    #expect((3..<40).contains(runs))
    #expect(try await fixture.live() == fixture.ledger(shown))
    fixture.server.changeInvoices(count: 30, seed: 5)
    runs = 0
    while try await fixture.sync.run(options).result != .complete, runs < 40 { runs += 1 }
    #expect((1..<40).contains(runs))
    #expect(try await fixture.live() == fixture.ledger(shown))
    try await fixture.stop()
  }

  @Test("changes that are not told any more are found by reading everything")
  func expired() async throws {
    let fixture = try await fixture(invoices: 60, pageSize: 25)
    _ = try await fixture.sync.run()
    fixture.server.deleteInvoices(count: 4)
    fixture.server.changeInvoices(count: 4)
    try await fixture.setPlace("since", to: "2020-01-01T00:00:00Z")
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.deleted > 0)
    #expect(try await fixture.live() == fixture.ledger(shown))
    #expect(try await fixture.sync.run().counts.deleted == 0)
    try await fixture.stop()
  }

  @Test("a dry run tells what would change")
  func trial() async throws {
    let fixture = try await fixture(invoices: 30, pageSize: 100)
    _ = try await fixture.sync.run()
    let before = try await fixture.live()
    fixture.server.changeInvoices(count: 30, seed: 1)
    var options = SyncOptions()
    options.isTrial = true
    let report = try await fixture.sync.run(options)
    #expect(report.counts.updated > 0 && report.counts.inserted == 0)
    #expect(try await fixture.live() == before)
    try await fixture.stop()
  }
}
