import Foundation
import Models
import Networking
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The report of a dry run.
@Suite(.timeLimit(.minutes(10))) struct DryRunReportTests {
  @Test("a dry run reports the fields of each record that would change, and a run does not")
  func fields() async throws {
    let server = RESTServer(rows: 25)
    let fixture = try await RESTFixture(
      RESTFixture.deletions(.offset, isOrdered: true), server)
    _ = try await fixture.sync.run()
    let before = try await fixture.stored()
    let old = try #require(before.first { $0.id == "r7" })
    server.edit("r7")
    server.insert("new")
    server.remove("r3")
    let new = try #require(server.rows.first { $0.id == "r7" })
    var options = SyncOptions()
    options.isDryRun = true
    let dryRun = try await fixture.sync.run(options)
    #expect(dryRun.result == .dryRun)
    let changes = Dictionary(uniqueKeysWithValues: dryRun.changes.map { ($0.id, $0) })
    #expect(Set(changes.keys) == ["r7", "new", "r3"])
    #expect(changes["new"]?.fields.isEmpty == true && changes["r3"]?.kind == .deleted)
    let fields = try #require(changes["r7"]?.fields)
    #expect(fields.map(\.field) == ["updatedAt", "total"])
    #expect(fields.last?.old == "\(old.total).00" && fields.last?.new == "\(new.total).00")
    #expect(try await fixture.stored() == before)
    let report = try await fixture.sync.run()
    #expect(report.counts.updated == 1 && report.changes.isEmpty)
    try await fixture.stop()
  }

  @Test("a report of very many changes leaves out the fields of the last ones, and counts these")
  func bound() async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    let store = database.invoiceStore
    // Each change has as many fields as a report shows of one.
    let count = SyncReport.fieldChangesLimit / RecordChange.fieldsLimit + 3
    func page(digit: Int) throws -> PendingPage {
      var page = PendingPage(source: "acme:1", instant: Timestamp(microsecondsSinceEpoch: 9))
      page.records = store.encode(try (0..<count).map { try Self.invoice("\($0)", digit) })
      return page
    }
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "acme", kind: .full,
        startedAt: Timestamp(microsecondsSinceEpoch: 0), watermarkBefore: nil))
    _ = try await run.commit([page(digit: 1)])
    let dryRun = store.beginDryRun(account: "default")
    let outcome = try #require(try await dryRun.commit([page(digit: 2)]).first)
    var report = SyncReport(account: "default", resource: .invoices, provider: "acme")
    report.add(outcome)
    #expect(report.changes.count == count)
    #expect(report.changes.map(\.fields.count).reduce(0, +) == SyncReport.fieldChangesLimit)
    let last = try #require(report.changes.last)
    #expect(last.fields.isEmpty && last.omittedFields == RecordChange.fieldsLimit)
    try await database.close()
  }

  /// One of which fifty fields depend on a digit.
  private static func invoice(_ id: String, _ digit: Int) throws -> Invoice {
    let (text, number) = ("\(digit)", ExactDecimal(digit))
    var line = InvoiceLine(
      id: text, description: text, quantity: number, unitAmount: number, taxType: text,
      taxAmount: number, lineAmount: number, accountCode: text)
    line.discountAmount = number
    line.taxRate = number
    return Invoice(
      id: id, type: .invoice, status: .open, rawStatus: "open",
      currency: try #require(Currency(code: "EUR")), total: ExactDecimal(1),
      lines: Array(repeating: line, count: 5))
  }
}
