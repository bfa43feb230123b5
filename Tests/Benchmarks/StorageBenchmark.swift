import Foundation
import Models
import Storage
import TestSupport

/// What a front end asks of a large database, inside its process: the first of a list, and words.
struct StorageBenchmark {
  private let clock = ContinuousClock()
  private let invoices =
    ProcessInfo.processInfo.environment["APPCORE_BENCH_ROWS"].flatMap { Int($0) } ?? 1_000_000

  func run() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("large.sqlite")
    try await LocalDatabase.open(at: path).close()
    _ = try SyncFloor(database: path, invoices: invoices).insert()
    let database = try await LocalDatabase.open(at: path)
    print("\n\(invoices) invoices with 3 lines each; medians of 9")

    var first = InvoiceQuery()
    first.limit = 50
    try await line("the first 50", first, in: database)
    var account = first
    account.account = "default"
    try await line("the first 50 of an account", account, in: database)
    var open = first
    open.statuses = [.open]
    try await line("the first 50 that are open", open, in: database)
    var overdue = first
    overdue.dueBefore = CalendarDate("2024-04-10")
    try await line("the first 50 that are overdue", overdue, in: database)
    var month = first
    (month.issuedFrom, month.issuedThrough) = (
      CalendarDate("2024-03-01"), CalendarDate("2024-03-15")
    )
    try await line("the first 50 of half a month", month, in: database)
    for contact in ["00000000-0000-4000-8000-000000000077", "customer number 77"] {
      var party = first
      party.contact = contact
      try await line("the first 50 of '\(contact)'", party, in: database)
    }
    for words in [
      "INV-\(invoices / 2)", "customer number 77", "order 4321", "blue tins 55", "paint",
    ] {
      var search = first
      search.search = words
      try await line("the first 50 with '\(words)'", search, in: database)
    }
    try await database.close()
  }

  private func line(
    _ name: String, _ query: InvoiceQuery, in database: LocalDatabase
  ) async throws {
    var times: [Double] = []
    var found = 0
    for _ in 0..<9 {
      let start = clock.now
      found = try await database.invoices(matching: query).count
      times.append((clock.now - start) / .milliseconds(1))
    }
    print(
      "  " + name.padding(toLength: 54, withPad: " ", startingAt: 0)
        + String(format: "%9.2f ms  (%d found)", times.median, found))
    fflush(nil)
  }
}
