import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Restricted keys of Stripe, which may read some things and not others.
@Suite(.timeLimit(.minutes(10))) struct StripePermissionTests {
  /// Answers as Stripe does for a key with some permissions.
  private final class KeyedServer: Sendable {
    let permissions: Mutex<Set<String>>
    let rows = Mutex(["in_1"])
    /// The end of the sentence that names the account.
    private let account: String

    init(_ permissions: Set<String>, namesAccount: Bool = true) {
      self.permissions = Mutex(permissions)
      account = namesAccount ? "account 'acct_1'" : "account"
    }

    func answer(_ path: String, _ query: [String: String]) -> AnsweringServer.Answer {
      let needed =
        switch path {
        case "/v1/account": "connected_account_read"
        case "/v1/balance": "balance_read"
        case "/v1/events": "event_read"
        default:
          query["expand[]"]?.hasSuffix("charge") == true
            && permissions.withLock { $0.contains("invoice_read") }
            ? "charge_read" : "invoice_read"
        }
      guard permissions.withLock({ $0.contains(needed) }) else { return refusal(needed) }
      switch path {
      case "/v1/account": return (200, #"{"id":"acct_1"}"#)
      case "/v1/events": return (200, #"{"data":[],"has_more":false}"#)
      case "/v1/balance": return (200, #"{"livemode":true}"#)
      default:
        let rows = rows.withLock { ids in
          ids.map {
            #"{"id":"\#($0)","livemode":true,"created":1,"currency":"eur","total":1,"#
              + #""amount_paid":1,"status":"open","charge":"#
              + (query["expand[]"]?.hasSuffix("charge") == true
                ? #"{"id":"ch_1","paid":true,"payment_method_details":{"type":"card"}}}"#
                : #""ch_1"}"#)
          }
        }
        return (200, #"{"data":[\#(rows.joined(separator: ","))],"has_more":false}"#)
      }
    }

    private func refusal(_ permission: String) -> AnsweringServer.Answer {
      let text = """
        The provided key 'rk_live_***abc' does not have the required permissions for this endpoint \
        on \(account). Having the 'rak_\(permission)' permission would allow this request to \
        continue.
        """
      return (
        403, #"{"error":{"message":"\#(text)","type":"invalid_request_error"}}"#
      )
    }
  }

  private func feed() throws -> StripeFeed<StripeInvoices> {
    StripeFeed(
      StripeInvoices.self, baseURL: try #require(URL(string: "https://api.stripe.example")))
  }

  @Test("a key that may read invoices only reads the whole list in each sync, deletions included")
  func invoicesOnly() async throws {
    let keyed = KeyedServer(["invoice_read"], namesAccount: false)
    let server = AnsweringServer { keyed.answer($0, $1) }
    let fixture = try await SignInFixture(server)
    fixture.credentials.signIn("rk_live_1")
    #expect(try await fixture.run(feed()).counts.inserted == 1)
    keyed.rows.withLock { $0 = ["in_2"] }
    let second = try await fixture.run(feed())
    #expect(second.result == .complete)
    #expect(second.counts.inserted == 1 && second.counts.deleted == 1)
    #expect(try await fixture.stored() == ["in_1": false, "in_2": true])
    // Another key that shows no account: only the user knows if it is the same one.
    fixture.credentials.signIn("rk_live_2")
    await #expect {
      _ = try await fixture.run(feed())
    } throws: { error in
      if case SyncError.organisationUnproven = error { true } else { false }
    }
    #expect(try await fixture.run(feed()) { $0.isSameOrganisation = true }.result == .complete)
    try await fixture.stop()
  }

  @Test("a key that gets the permission to read events reads only what has changed from then on")
  func eventsLater() async throws {
    let keyed = KeyedServer(["invoice_read", "connected_account_read"])
    let server = AnsweringServer { keyed.answer($0, $1) }
    let fixture = try await SignInFixture(server)
    fixture.credentials.signIn("rk_live_1")
    _ = try await fixture.run(feed())
    keyed.permissions.withLock { _ = $0.insert("event_read") }
    let before = server.requests.count
    #expect(try await fixture.run(feed()).result == .complete)
    #expect(
      server.requests.dropFirst(before).allSatisfy { $0.hasPrefix("/v1/events") },
      "\(server.requests)")
    // It is taken away again.
    keyed.permissions.withLock { _ = $0.remove("event_read") }
    keyed.rows.withLock { $0 = ["in_2"] }
    let whole = try await fixture.run(feed())
    #expect(whole.result == .complete && whole.counts.deleted == 1)
    try await fixture.stop()
  }

  @Test("a key that may not read charges syncs payments without their means, until it may")
  func charges() async throws {
    let keyed = KeyedServer(["invoice_read", "connected_account_read", "event_read"])
    let server = AnsweringServer { keyed.answer($0, $1) }
    func methods(_ database: LocalDatabase) async throws -> [String?] {
      try await database.invoices(matching: InvoiceQuery()).flatMap(\.invoice.payments)
        .map(\.method)
    }
    try await server.run(feed()) { sync, database in
      let first = try await sync.run()
      #expect(first.result == .complete)
      #expect(try await methods(database) == [nil])
      let before = server.requests.count
      #expect(try await sync.run().result == .complete)
      #expect(server.requests.dropFirst(before).allSatisfy { $0.hasPrefix("/v1/events") })
      keyed.permissions.withLock { _ = $0.insert("charge_read") }
      var options = SyncOptions()
      options.isFull = true
      #expect(try await sync.run(options).result == .complete)
      #expect(try await methods(database) == ["card"])
    }
  }

  @Test("the account is known from the sentence in which Stripe refuses to show it")
  func namedInRefusal() async throws {
    let keyed = KeyedServer(["invoice_read"])
    let server = AnsweringServer { keyed.answer($0, $1) }
    try await server.run(feed()) { sync, database in
      _ = try await sync.run()
      #expect(try await database.owner(account: "default")?.source == "stripe:acct_1:live")
    }
  }

  @Test("a key that may not read invoices is refused at the sign-in, whatever else it may read")
  func noInvoices() async throws {
    let keyed = KeyedServer(["connected_account_read", "balance_read", "event_read"])
    let server = AnsweringServer { keyed.answer($0, $1) }
    try await server.run(feed()) { sync, _ in
      await #expect {
        _ = try await sync.run()
      } throws: { error in
        guard case SyncError.accessDenied(403, let message) = error else { return false }
        return message?.text.contains("rak_invoice_read") == true
      }
    }
  }

  @Test("--since reads the whole list if the key may not read events")
  func since() async throws {
    let keyed = KeyedServer(["invoice_read"])
    let server = AnsweringServer { keyed.answer($0, $1) }
    let fixture = try await SignInFixture(server)
    fixture.credentials.signIn("rk_live_1")
    let report = try await fixture.run(feed()) { $0.since = Timestamp(.now) }
    #expect(report.result == .complete && report.counts.inserted == 1)
    try await fixture.stop()
  }
}
