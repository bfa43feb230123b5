import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport

/// The speed from the bytes of a page to encoded columns, on one core: with a built-in provider and
/// with a described one, and of a list of short records.
struct JSONBenchmark {
  private static let pageSize = 250
  private static let pages = 40
  private let rounds = 9

  func run() async throws {
    let invoices = try SampleInvoices(count: Self.pageSize * Self.pages)
    let samples = SamplePages(invoices: invoices, pageSize: Self.pageSize)
    guard let url = URL(string: "http://127.0.0.1/") else { throw WrongAnswer() }
    let database = try await LocalDatabase.inMemory()
    let table = MarkdownTable(
      title: "\(invoices.count) invoices in pages of \(Self.pageSize), from bytes to encoded "
        + "columns; \(rounds) rounds, one core",
      columns: ["MB/s of processor time, median (range)"])
    try await line(
      table, "Xero", XeroFeed(XeroInvoices.self, baseURL: url, pageSize: Self.pageSize),
      database.invoiceStore, (1...Self.pages).map { Array(samples.page($0, .xero)) }, url)
    try await line(
      table, "described",
      RESTFeed(
        Invoice.self, provider: "shop",
        resource: try PlainResource.invoices(pageSize: Self.pageSize), baseURL: url),
      database.invoiceStore, (1...Self.pages).map { Array(samples.page($0, .plain)) }, url)
    let folder = try TemporaryDirectory()
    let books = SampleBooks(invoices: invoices)
    try books.write(to: folder.path)
    let size = XeroPayments.pageSize
    try await line(
      table, "Xero, its \(books.counts.payments) payments",
      XeroFeed(XeroPayments.self, baseURL: url), database.paymentStore(),
      (1...books.counts.payments / size).map {
        Array(try Data(contentsOf: URL(filePath: folder.file("Payments-\(size)-\($0).json"))))
      }, url, size)
  }

  private func line<Feed: ResourceFeed>(
    _ table: MarkdownTable, _ name: String, _ feed: Feed, _ store: ResourceStore<Feed.Record>,
    _ pages: [[UInt8]], _ url: URL, _ size: Int = pageSize
  ) async throws {
    let cursor = try await feed.begin(.everything(known: nil)) { _ in
      // Xero's list of organisations.
      Response(
        head: HTTPResponse(status: .ok),
        body: Array(#"[{"tenantId":"t","tenantName":"T","tenantType":"ORGANISATION"}]"#.utf8),
        url: url)
    }
    let bytes = pages.reduce(0) { $0 + $1.count }
    var speeds: [Double] = []
    for _ in 0..<rounds {
      let before = Load.processorTime
      for page in pages {
        let response = Response(head: HTTPResponse(status: .ok), body: page, url: url)
        let rows = store.encode(try feed.page(response, at: cursor).records).entries.count
        guard rows == size else { throw WrongAnswer() }
      }
      speeds.append(Double(bytes) / (Load.processorTime - before))
    }
    table.row(
      name,
      String(format: "%.0f (%.0f–%.0f)", speeds.median, speeds.min() ?? 0, speeds.max() ?? 0))
  }
}
