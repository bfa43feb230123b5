import Documents
import Foundation
import Models
import TestSupport
import Testing

@testable import Storage

/// The list of an export, held against the sums of the database.
@Suite(.timeLimit(.minutes(2))) struct ExportedTotalsTests {
  private struct Group: Hashable {
    let month: String
    let type: String
    let currency: String
  }

  private struct Sums: Equatable {
    var net = DecimalSum.zero
    var tax = DecimalSum.zero
    var total = DecimalSum.zero
  }

  /// Stores invoices of three months with none to three files each, and returns the database.
  private func database(_ scene: SampleDocuments) async throws -> LocalDatabase {
    let database = try await LocalDatabase.open(at: scene.folder.file("a.sqlite"))
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await database.invoiceStore.beginRun(
      RunStart(
        account: "shop", provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    let invoices = try (0..<60).map { index in
      try SampleDocuments.invoice(
        "N\(index)", id: "id\(index)", contact: "Ada", date: "2024-0\(index % 3 + 1)-15",
        type: [.invoice, .creditNote, .bill][index / 3 % 3], total: "\(index * 7).\(index + 10)",
        tax: "\(index).5", currency: index < 50 ? "EUR" : "JPY"
      ).invoice
    }
    var page = PendingPage(source: "s", instant: instant)
    page.records = database.invoiceStore.encode(invoices)
    _ = try await run.commit([page])
    let documents = try (0..<60).flatMap { index in
      try (0..<index % 4).map { position in
        var document = try scene.stored(
          "\(index)-\(position)", SampleDocuments.document(.attachment, id: "\(position)"))
        document.invoiceID = "id\(index)"
        return document
      }
    }
    try await database.record(documents, at: instant)
    return database
  }

  @Test("the columns of index.csv add up to the monthly sums of the database")
  func totals() async throws {
    let scene = try SampleDocuments()
    let database = try await database(scene)
    let folder = scene.folder.file("export")
    let report = try await DocumentExport(objects: scene.objects).write(
      to: .folder(DocumentFolder(path: folder))
    ) { try await database.forEachDocumentedInvoice(matching: InvoiceQuery(), $0) }
    #expect(report.invoices == 60 && report.invoicesWithoutFile == 15)
    #expect(report.progress.files == 90 && report.failures.isEmpty)

    var sums: [Group: Sums] = [:]
    let rows = try SampleDocuments.text(folder + "/index.csv").components(separatedBy: "\r\n")
    #expect(rows.count == 107)
    for row in rows.dropFirst().dropLast() {
      let cells = row.components(separatedBy: ",")
      let group = Group(month: String(cells[3].prefix(7)), type: cells[2], currency: cells[8])
      if let net = ExactDecimal(cells[5]) { sums[group, default: Sums()].net.add(net) }
      if let tax = ExactDecimal(cells[6]) { sums[group, default: Sums()].tax.add(tax) }
      if let total = ExactDecimal(cells[7]) { sums[group, default: Sums()].total.add(total) }
    }
    var expected: [Group: Sums] = [:]
    for totals in try await database.totals(matching: InvoiceQuery(), by: .month) {
      guard case .month(let month?) = totals.group else { continue }
      let group = Group(
        month: month.description, type: totals.type.rawValue, currency: totals.currency.code)
      expected[group] = Sums(
        net: try #require(totals.net), tax: try #require(totals.tax), total: totals.total)
    }
    #expect(sums == expected && sums.count == 18)
    try await database.close()
  }
}
