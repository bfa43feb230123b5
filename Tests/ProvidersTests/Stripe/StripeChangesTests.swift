import Foundation
import Models
import Networking
import Storage
import Synchronization
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The changes that Stripe's events lead to if some of their objects cannot be fetched.
@Suite(.timeLimit(.minutes(10))) struct StripeChangesTests {
  private static func event(_ number: Int) -> String {
    """
    {"id":"evt_\(number)","type":"invoice.updated","created":\(number),
     "data":{"object":{"id":"in_\(number)"}}}
    """
  }

  private static func invoice(_ number: Int, total: String = "1099") -> String {
    StripeTests.invoice.replacing(#""id":"in_1""#, with: #""id":"in_\#(number)""#)
      .replacing(#""total":1099"#, with: #""total":\#(total)"#)
  }

  private static func id(_ path: String) -> Int {
    path.split(separator: "_").last.flatMap { Int($0) } ?? 0
  }

  @Test("an invoice of an older event that cannot be read keeps no newer event waiting")
  func unreadableBehind() async throws {
    // The newest first, a page each.
    let events = Mutex([2, 1])
    let broken = Mutex<Set<Int>>([1])
    let server = AnsweringServer { path, query in
      switch path {
      case "/v1/account": return (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": return (200, #"{"livemode":true}"#)
      case "/v1/invoices": return (200, #"{"data":[],"has_more":false}"#)
      case "/v1/events":
        let after = query["starting_after"].map(Self.id)
        let left = events.withLock { $0 }.drop { number in after.map { number >= $0 } ?? false }
        let page = left.prefix(1).map(Self.event).joined()
        return (200, #"{"data":[\#(page)],"has_more":\#(left.count > 1)}"#)
      default:
        let number = Self.id(path)
        let isBroken = broken.withLock { $0.contains(number) }
        return (200, Self.invoice(number, total: isBroken ? #""x""# : "1099"))
      }
    }
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      let first = try await sync.run()
      #expect(first.ending == .unreadable && first.failures.map(\.id) == ["in_1"])
      events.withLock { $0.insert(3, at: 0) }
      let second = try await sync.run()
      #expect(second.result == .complete && second.failures.map(\.id) == ["in_1"])
      #expect(try await database.invoice("in_3", account: nil) != nil)
      broken.withLock { $0 = [] }
      let last = try await sync.run()
      #expect(last.result == .complete && last.failureCount == 0)
      #expect(try await database.invoice("in_1", account: nil) != nil)
    }
  }

  @Test(
    "an invoice is removed if Stripe says so, not if an address on the way is not found",
    arguments: [
      "<html>not found</html>", #"{"error":{"type":"invalid_request_error"}}"#,
      #"{"error":{"code":"url_invalid"}}"#, "",
    ])
  func notFound(body: String) async throws {
    let list = #"{"data":[\#(Self.invoice(1))],"has_more":false}"#
    let events = #"{"data":[\#(Self.event(1))],"has_more":false}"#
    let server = AnsweringServer { path, _ in
      switch path {
      case "/v1/account": (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": (200, #"{"livemode":true}"#)
      case "/v1/invoices": (200, list)
      case "/v1/events": (200, events)
      default: (404, body)
      }
    }
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: Response.canned(200, "").url)) {
      sync, database in
      await #expect {
        _ = try await sync.run()
      } throws: {
        if case SyncError.serverFailed(status: 404, _) = $0 { true } else { false }
      }
      let stored = try await database.invoice("in_1", account: nil)
      #expect(stored != nil && stored?.deletedAt == nil)
    }
  }
}
