import Models
import Networking
import Storage
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Invoices of Stripe's whose further lines are not to be had.
@Suite(.timeLimit(.minutes(10))) struct StripeLostLinesTests {
  private static let cut = StripeTests.invoice.replacing(
    #""has_more":false"#, with: #""has_more":true"#)

  private static func missing(_ parameter: String) -> String {
    #"{"error":{"code":"resource_missing","param":"\#(parameter)"}}"#
  }

  private static func list(_ rows: String...) -> String {
    #"{"object":"list","data":[\#(rows.joined(separator: ","))],"has_more":false}"#
  }

  /// A server of two invoices; the first has more lines than stand in it once that is counted.
  ///
  /// - Parameters:
  ///   - lines: the answer to a request for further lines.
  ///   - itself: the answer to a request for the first invoice.
  private static func server(
    _ isCut: Counter, lines: AnsweringServer.Answer, itself: AnsweringServer.Answer
  ) -> AnsweringServer {
    AnsweringServer { path, _ in
      let first = isCut.value > 0 ? cut : StripeTests.invoice
      return switch path {
      case "/v1/account": (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": (200, #"{"livemode":true}"#)
      case "/v1/invoices":
        (200, list(first, StripeTests.invoice.replacing("in_1", with: "in_2")))
      case "/v1/events": (200, list())
      case "/v1/invoices/in_1": itself
      default: lines
      }
    }
  }

  @Test(
    "a draft that is deleted between two pages of its lines is removed, and the run is complete",
    arguments: [
      (404, missing("invoice")), (200, #"{"id":"in_1","object":"invoice","deleted":true}"#),
    ], [(404, missing("invoice")), (400, missing("starting_after"))])
  func deleted(itself: AnsweringServer.Answer, lines: AnsweringServer.Answer) async throws {
    let isCut = Counter()
    let server = Self.server(isCut, lines: lines, itself: itself)
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      #expect(try await sync.run().counts.inserted == 2)
      isCut.increment()
      var options = SyncOptions()
      options.isFull = true
      let report = try await sync.run(options)
      #expect(report.result == .complete && report.counts.deleted == 1)
      let gone = try await database.invoice("in_1", account: nil)
      #expect(gone?.deletedReason == (itself.status == 404 ? "not found" : "deleted"))
      #expect(try await database.invoice("in_2", account: nil)?.deletedAt == nil)
    }
    #expect(server.requests.count { $0.hasPrefix("/v1/invoices/in_1?") } == 1)
  }

  @Test("a deleted draft that an event names as well is no failure")
  func named() async throws {
    let looks = Counter()
    let event = """
      {"id":"evt_1","type":"invoice.updated","created":1,"data":{"object":{"id":"in_1"}}}
      """
    let server = AnsweringServer { path, _ in
      switch path {
      case "/v1/account": return (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": return (200, #"{"livemode":true}"#)
      case "/v1/invoices": return (200, Self.list())
      case "/v1/events": return (200, Self.list(event))
      case "/v1/invoices/in_1":
        looks.increment()
        return looks.value == 1 ? (200, Self.cut) : (404, Self.missing("invoice"))
      default: return (404, Self.missing("invoice"))
      }
    }
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      let report = try await sync.run()
      #expect(report.result == .complete && report.failureCount == 0)
      #expect(try await database.invoice("in_1", account: nil) == nil)
    }
    #expect(looks.value == 2)
  }

  @Test(
    "missing lines of an invoice that is not deleted cost only that invoice",
    arguments: [404, 410], [(200, cut), (410, ""), (200, "<html>")])
  func there(status: Int, itself: AnsweringServer.Answer) async throws {
    let isCut = Counter()
    isCut.increment()
    let server = Self.server(isCut, lines: (status, Self.missing("invoice")), itself: itself)
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      let report = try await sync.run()
      #expect(report.result == .partial && report.failures.map(\.id) == ["in_1"])
      #expect(try await database.invoice("in_2", account: nil) != nil)
    }
  }
}
