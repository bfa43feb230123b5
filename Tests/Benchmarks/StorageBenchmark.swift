import Foundation
import Models
import Storage
import TestSupport

/// The queries of a front end on a large database, inside its process: the first page of a list,
/// and a search for words.
struct StorageBenchmark {
  private let clock = ContinuousClock()
  private let invoices =
    ProcessInfo.processInfo.environment["APPCORE_BENCH_ROWS"].flatMap { Int($0) } ?? 1_000_000

  func run() async throws {
    let folder = try TemporaryDirectory()
    let samples = try SampleInvoices(count: invoices)
    let database = try await LocalDatabase.open(at: folder.file("large.sqlite"))
    try await fill(database, samples)
    let table = MarkdownTable(
      title: "\(invoices) invoices with 3 lines each; medians of 9", columns: ["ms", "found"])

    var first = InvoiceQuery()
    first.limit = 50
    try await line(table, "the first 50", first, in: database)
    var account = first
    account.account = "default"
    try await line(table, "the first 50 of an account", account, in: database)
    var open = first
    open.statuses = [.open]
    try await line(table, "the first 50 that are open", open, in: database)
    var overdue = first
    overdue.dueBefore = CalendarDate("2024-04-10")
    try await line(table, "the first 50 that are overdue", overdue, in: database)
    var month = first
    month.issuedFrom = CalendarDate("2024-03-01")
    month.issuedThrough = CalendarDate("2024-03-15")
    try await line(table, "the first 50 of half a month", month, in: database)
    let sample = samples[invoices / 2]
    for contact in [sample.contact.id, sample.contact.name] {
      var party = first
      party.contact = contact
      try await line(table, "the first 50 of '\(contact)'", party, in: database)
    }
    let words = sample.lines[0].description.split(separator: " ")
    for text in [
      sample.number, sample.contact.name, sample.reference, String(words[0]),
      words.suffix(2).joined(separator: " "),
    ] {
      var search = first
      search.search = text
      try await line(table, "the first 50 with '\(text)'", search, in: database)
    }
    try await database.close()
  }

  private func fill(_ database: LocalDatabase, _ samples: SampleInvoices) async throws {
    let store = database.invoiceStore
    let instant = Timestamp(microsecondsSinceEpoch: 0)
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "sample", kind: .full, startedAt: instant,
        watermarkBefore: nil))
    for first in stride(from: 0, to: samples.count, by: 1_000) {
      var page = PendingPage(source: "sample:1", instant: instant)
      page.records = store.encode(
        (first..<min(first + 1_000, samples.count)).map { samples[$0].invoice })
      _ = try await run.commit([page])
    }
    // As at the end of a sync: a first one stores its rows without indexes.
    try await database.updateIndexes()
  }

  private func line(
    _ table: MarkdownTable, _ name: String, _ query: InvoiceQuery, in database: LocalDatabase
  ) async throws {
    var times: [Double] = []
    var found = 0
    for _ in 0..<9 {
      let start = clock.now
      found = try await database.invoices(matching: query).count
      times.append((clock.now - start) / .milliseconds(1))
    }
    table.row(name, times.median.digits(2), "\(found)")
  }
}
