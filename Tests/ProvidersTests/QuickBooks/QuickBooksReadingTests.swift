import Foundation
import Models
import Networking
import Storage
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Faults inside QuickBooks' answers, rows dated ahead of time, and second readings.
@Suite(.timeLimit(.minutes(10))) struct QuickBooksReadingTests {
  private static let time = #""time":"2024-01-02T00:00:00Z""#
  private static let preferences = """
    {"QueryResponse":{"Preferences":[{"CurrencyPrefs":{"HomeCurrency":{"value":"EUR"}}}]},\(time)}
    """

  private static func row(_ id: Int, _ updated: String = "2024-01-01T00:00:00Z") -> String {
    """
    {"Id":"\(id)","MetaData":{"LastUpdatedTime":"\(updated)"},"TotalAmt":1,"Balance":1,
     "CurrencyRef":{"value":"EUR"}}
    """
  }

  private static func list(_ rows: [String]) -> String {
    #"{"QueryResponse":{"Invoice":[\#(rows.joined(separator: ","))]},\#(time)}"#
  }

  private static let empty = #"{"QueryResponse":{},\#(time)}"#

  private func feed(pageSize: Int = 1_000) throws -> QuickBooksFeed<QuickBooksInvoices> {
    QuickBooksFeed(
      QuickBooksInvoices.self, baseURL: try Response.canned(200, "").url, realmID: "1",
      pageSize: pageSize)
  }

  private static let throttle = #"{"Error":[{"code":"003001"}],"type":"SERVICE"}"#
  private static let refusal = #"{"Error":[{"code":"4000"}],"type":"ValidationFault"}"#

  @Test(
    "a fault inside an answer does not count as an empty list",
    arguments: [
      (#"{"QueryResponse":{"Fault":\#(throttle)},\#(time)}"#, true),
      (#"{"QueryResponse":{"Fault":\#(refusal)},\#(time)}"#, false),
      (#"{"QueryResponse":{},"Fault":\#(refusal),\#(time)}"#, false),
    ])
  func faultInQuery(body: String, isThrottle: Bool) throws {
    #expect {
      _ = try QuickBooksPage<QuickBooksInvoices>(Array(body.utf8), of: .invoice, homeCurrency: nil)
    } throws: {
      isExpected($0, isThrottle)
    }
    #expect {
      _ = try QuickBooksCompany(Array(body.utf8))
    } throws: {
      isExpected($0, isThrottle)
    }
  }

  @Test(
    "a fault in the answer to a request for changes does not mean that nothing has changed",
    arguments: [
      (#"{"CDCResponse":[{"Fault":\#(throttle)}],\#(time)}"#, true),
      (#"{"CDCResponse":[{"QueryResponse":[{"Fault":\#(refusal)}]}],\#(time)}"#, false),
      (#"{"CDCResponse":[{"QueryResponse":[{},{"Fault":\#(throttle)}]}],\#(time)}"#, true),
      (#"{"CDCResponse":[],"Fault":\#(refusal),\#(time)}"#, false),
    ])
  func faultInChanges(body: String, isThrottle: Bool) throws {
    #expect {
      _ = try changes(body)
    } throws: {
      isExpected($0, isThrottle)
    }
    #expect(throws: Never.self) {
      _ = try changes(#"{"CDCResponse":[],"Fault":null,\#(Self.time)}"#)
    }
  }

  private func changes(_ body: String) throws -> QuickBooksChanges<QuickBooksInvoices> {
    try QuickBooksChanges(Array(body.utf8), homeCurrency: nil)
  }

  private func isExpected(_ error: any Error, _ isThrottle: Bool) -> Bool {
    switch error {
    case SyncError.rateLimited: isThrottle
    case SyncError.unreadable: !isThrottle
    default: false
    }
  }

  @Test("a second reading begins where the first began, and fetches the deletions since")
  func secondReading() async throws {
    // Two rows of one instant, a page each; a third is counted and never seen.
    let server = AnsweringServer { path, query in
      guard !path.hasSuffix("batch") else {
        let counts = [3, 0, 0, 0].map { #"{"QueryResponse":{"totalCount":\#($0)}}"# }
        return (200, #"{"BatchItemResponse":[\#(counts.joined(separator: ","))]}"#)
      }
      let text = query["query"] ?? ""
      if text.contains("Preferences") { return (200, Self.preferences) }
      guard text.contains("from Invoice") else { return (200, Self.empty) }
      let position = text.components(separatedBy: "startposition ").last?.prefix { $0 != " " }
      let rows = [1, 2].dropFirst((position.flatMap { Int($0) } ?? 1) - 1).prefix(1)
      return (200, Self.list(rows.map { Self.row($0) }))
    }
    try await server.run(feed(pageSize: 1)) { sync, _ in
      let report = try await sync.run()
      #expect(report.result == .complete && report.counts.inserted == 2)
    }
    #expect(server.requests.filter { $0.contains("Preferences") }.count == 1)
    #expect(server.requests.filter { $0.contains("startposition 1 ") }.count > 6)
  }

  @Test("a row dated far ahead hides no later change")
  func datedAhead() throws {
    let cursor = QuickBooksCursor(
      realmID: "1", homeCurrency: nil, changesKnownUntil: Timestamp(microsecondsSinceEpoch: 0))
    let body = Self.list([Self.row(1), Self.row(2, "3000-01-01T00:00:00Z")])
    let page = try feed(pageSize: 2).page(.canned(200, body), at: cursor)
    #expect(page.records.count == 2)
    #expect(page.resume.newest["Invoice"] == Timestamp("2024-01-01T00:00:00Z"))
    let next = try #require(page.next)
    let again = try feed(pageSize: 2).page(
      .canned(
        200, Self.list([Self.row(2, "3000-01-01T00:00:00Z"), Self.row(3, "3000-01-01T00:00:00Z")])),
      at: next)
    #expect(again.next?.position == 3 && again.next?.newest == next.newest)
  }
}
