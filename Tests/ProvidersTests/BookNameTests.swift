import Foundation
import Models
import Networking
import Storage
import Sync
import SyncSupport
import Synchronization
import TestSupport
import Testing

@testable import Providers

/// The names of taxes and accounts, which two providers list apart from the invoices.
@Suite(.timeLimit(.minutes(10))) struct BookNameTests {
  /// Xero with some invoices of one line each, and with the lists of names.
  private final class XeroServer: Sendable {
    /// The code of the account of each invoice.
    let invoices = Mutex(["200", "200", "310"])
    let sales = Mutex("Sales")
    let maySeeSettings = Mutex(true)

    func answer(_ path: String) -> AnsweringServer.Answer {
      guard path.hasSuffix("/TaxRates") || path.hasSuffix("/Accounts") else {
        return (200, path == "/connections" ? XeroReply.organisations : list)
      }
      guard maySeeSettings.withLock(\.self) else {
        return (403, #"{"Title":"Forbidden","Status":403,"Detail":"AuthorizationUnsuccessful"}"#)
      }
      guard path.hasSuffix("/Accounts") else {
        return (200, #"{"TaxRates":[{"Name":"20% VAT","TaxType":"OUTPUT2"},{"Name":"No type"}]}"#)
      }
      let name = sales.withLock(\.self)
      return (200, #"{"Accounts":[{"Code":"200","Name":"\#(name)"},{"Name":"A bank"}]}"#)
    }

    /// Each run reads the last rows of the run before again.
    private var list: String {
      let rows = invoices.withLock { $0 }.enumerated().map { number, code in
        """
        {"Type":"ACCREC","InvoiceID":"\(number)","CurrencyCode":"EUR","Total":1,"Status":"PAID",
         "UpdatedDateUTC":"/Date(\(1_500_000_000_000 + number * 60_000)+0000)/",
         "LineItems":[{"LineAmount":1,"TaxType":"OUTPUT2","AccountCode":"\(code)"}]}
        """
      }
      return #"{"pagination":{"pageCount":1,"itemCount":\#(rows.count)},"#
        + #""Invoices":[\#(rows.joined(separator: ","))]}"#
    }
  }

  private func feed() throws -> XeroFeed<XeroInvoices> {
    XeroFeed(XeroInvoices.self, baseURL: try #require(URL(string: "https://xero.test")))
  }

  private func names(_ database: LocalDatabase) async throws -> [String] {
    try await database.invoices(matching: InvoiceQuery()).map(\.invoice).sorted { $0.id < $1.id }
      .flatMap(\.lines).map { "\($0.taxName ?? "-"), \($0.accountName ?? "-")" }
  }

  @Test("Xero's names are fetched once, not by a run without changes, and anew with a change")
  func xero() async throws {
    let books = XeroServer()
    let server = AnsweringServer { path, _ in books.answer(path) }
    func lists(since number: Int) -> [String] {
      server.requests.dropFirst(number).filter { !$0.contains("/Invoices") }
    }
    try await server.run(feed()) { sync, database in
      let first = try await sync.run()
      #expect(first.missingScope == nil)
      #expect(try await names(database) == ["20% VAT, Sales", "20% VAT, Sales", "20% VAT, -"])
      #expect(lists(since: 0).count { $0.contains("/TaxRates") } == 1)
      #expect(lists(since: 0).count { $0.contains("/Accounts") } == 1)

      // Nothing in the invoices says that an account has another name.
      books.sales.withLock { $0 = "Turnover" }
      let before = server.requests.count
      #expect(try await sync.run().counts.updated == 0)
      #expect(server.requests.count > before && lists(since: before) == [])

      books.invoices.withLock { $0.append("200") }
      let changed = server.requests.count
      #expect(try await sync.run().counts.inserted == 1)
      #expect(lists(since: changed).count == 2)
      #expect(try await names(database).last == "20% VAT, Turnover")
    }
  }

  @Test("a login without the scope for names syncs the invoices, and is told what it lacks")
  func refused() async throws {
    let books = XeroServer()
    books.maySeeSettings.withLock { $0 = false }
    let server = AnsweringServer { path, _ in books.answer(path) }
    try await server.run(feed()) { sync, database in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 3)
      #expect(report.missingScope == "accounting.settings.read")
      #expect(server.requests.count { $0.contains("/TaxRates") || $0.contains("/Accounts") } == 1)
      let before = server.requests.count
      #expect(try await sync.run().missingScope == nil)
      #expect(server.requests.dropFirst(before).allSatisfy { $0.contains("/Invoices") })
      #expect(try await names(database) == ["-, -", "-, -", "-, -"])

      books.maySeeSettings.withLock { $0 = true }
      var options = SyncOptions()
      options.isFull = true
      let whole = try await sync.run(options)
      #expect(whole.missingScope == nil && whole.counts.updated == 3)
      #expect(try await names(database).first == "20% VAT, Sales")
    }
  }

  @Test("codes that no list has, on every page, cost no request more", arguments: [true, false])
  func missingCodes(maySeeSettings: Bool) async throws {
    let server = AnsweringServer { path, query in
      if path == "/connections" { return (200, XeroReply.organisations) }
      guard path.hasSuffix("/Invoices") else {
        return maySeeSettings
          ? (200, #"{"TaxRates":[],"Accounts":[]}"#)
          : (403, #"{"Title":"Forbidden","Status":403,"Detail":"AuthorizationUnsuccessful"}"#)
      }
      let page = query["page"].flatMap { Int($0) } ?? 1
      let row = """
        {"Type":"ACCREC","InvoiceID":"\(page)","CurrencyCode":"EUR","Total":1,"Status":"PAID",
         "UpdatedDateUTC":"/Date(\(1_500_000_000_000 + page * 60_000)+0000)/",
         "LineItems":[{"LineAmount":1,"TaxType":"T\(page)","AccountCode":"\(page)"}]}
        """
      return (
        200, #"{"pagination":{"pageCount":9,"itemCount":9},"Invoices":[\#(page > 9 ? "" : row)]}"#
      )
    }
    let url = try #require(URL(string: "https://xero.test"))
    let feed = XeroFeed(XeroInvoices.self, baseURL: url, pageSize: 1, maxConcurrentPages: 4)
    try await server.run(feed) { sync, _ in
      let report = try await sync.run()
      #expect(report.counts.inserted == 9)
      #expect(report.missingScope == (maySeeSettings ? nil : "accounting.settings.read"))
      let lists = server.requests.count { $0.contains("/TaxRates") || $0.contains("/Accounts") }
      #expect(lists == (maySeeSettings ? 2 : 1), "\(server.requests)")
    }
  }

  @Test("Moneybird's names are fetched once for all batches, however many pages they fill")
  func moneybird() async throws {
    let isChanged = Mutex(false)
    let server = AnsweringServer { path, query in
      let ids = (1...250).map { "i\($0)" }
      func list(_ rows: [String]) -> AnsweringServer.Answer {
        (200, "[\(rows.joined(separator: ","))]")
      }
      if path.hasSuffix("administrations.json") { return (200, #"[{"id":"1"}]"#) }
      if path.hasSuffix("ledger_accounts.json") { return list([#"{"id":"7","name":"Omzet"}"#]) }
      if path.hasSuffix("tax_rates.json") {
        let first = ((query["page"].flatMap { Int($0) } ?? 1) - 1) * 100 + 1
        return list((first..<min(first + 100, 106)).map { #"{"id":\#($0),"name":"\#($0) %"}"# })
      }
      // The request for records names them in its body, so that all of them are returned.
      return list(
        ids.map { id in
          let version = isChanged.withLock { $0 } && id == "i1" ? 2 : 1
          let record = """
            ,"state":"open","currency":"EUR","total_price_incl_tax":"1.0","details":[
             {"tax_rate_id":"105","ledger_account_id":7}],
             "tax_totals":[{"tax_rate_id":"105","tax_amount":"0.1"},{"tax_rate_id":"x",
             "tax_amount":"0.2"}]
            """
          let isList = query["filter"] != nil
          return #"{"id":"\#(id)","version":\#(version)\#(isList ? "" : record)}"#
        })
    }
    func lists(since number: Int) -> Int {
      server.requests.dropFirst(number)
        .count { $0.contains("/tax_rates") || $0.contains("/ledger_accounts") }
    }
    let url = try #require(URL(string: "https://moneybird.test"))
    try await server.run(MoneybirdFeed(MoneybirdInvoices.self, baseURL: url)) { sync, database in
      _ = try await sync.run()
      let invoices = try await database.invoices(matching: InvoiceQuery()).map(\.invoice)
      #expect(invoices.count == 250)
      #expect(Set(invoices.flatMap(\.lines).map(\.taxName)) == ["105 %"])
      #expect(Set(invoices.flatMap(\.lines).map(\.accountName)) == ["Omzet"])
      #expect(Set(invoices.map { $0.taxBreakdown.map(\.name) }) == [["105 %", "x"]])
      #expect(lists(since: 0) == 3, "\(server.requests)")

      let unchanged = server.requests.count
      _ = try await sync.run()
      #expect(lists(since: unchanged) == 0)
      isChanged.withLock { $0 = true }
      let changed = server.requests.count
      _ = try await sync.run()
      #expect(lists(since: changed) == 3)
    }
  }

  @Test("a batch that is abandoned takes the names from no other one, and an error is not kept")
  func abandoned() async throws {
    let lists = BookNameLists()
    let (asked, started) = AsyncStream.makeStream(of: Void.self)
    let (never, ending) = AsyncStream.makeStream(of: Void.self)
    defer { ending.finish() }
    let calls = Mutex(0)
    let fetch: @Sendable () async throws -> [String: String] = {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      guard call == 1 else { return ["1": "One"] }
      started.yield()
      // Ends with the cancellation alone.
      for await _ in never {}
      throw CancellationError()
    }
    let first = Task { try await lists.names(of: .taxes, fetch: fetch) }
    for await _ in asked { break }
    let second = Task { try await lists.names(of: .taxes, fetch: fetch) }
    first.cancel()
    #expect(try await second.value == ["1": "One"])
    await #expect(throws: CancellationError.self) { _ = try await first.value }

    await #expect(throws: SyncError.self) {
      _ = try await lists.names(of: .accounts) { throw SyncError.serverFailed(status: 500) }
    }
    let accounts = try await lists.names(of: .accounts) { ["2": "Two"] }
    #expect(accounts == ["2": "Two"])
  }
}
