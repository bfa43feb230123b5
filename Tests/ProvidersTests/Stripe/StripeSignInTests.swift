import Foundation
import Models
import Providers
import Sandbox
import Storage
import Sync
import Synchronization
import Testing

/// The proof of the account and the mode of a Stripe key, before anything is stored.
@Suite(.timeLimit(.minutes(10))) struct StripeSignInTests {
  @Test("another Stripe account's key, and a test key of the same one, are refused")
  func stripe() async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = .stripe
    configuration.source = .generated(invoices: 30, seed: 7)
    configuration.tenants = 2
    let server = try await SandboxServer.start(configuration)
    let fixture = try await SignInFixture()
    let feed = StripeFeed(StripeInvoices.self, baseURL: server.url)
    fixture.credentials.signIn("sk_live_1")
    #expect(try await fixture.run(feed).result == .complete)
    #expect(try await fixture.run(feed).requests == 1)
    let owner = try await fixture.database.owner(account: "shop")
    #expect(owner?.source.hasSuffix(":live") == true && owner?.login == "sign-in 1")
    let before = try await fixture.stored()
    for key in ["sk_live_2", "sk_test_1"] {
      fixture.credentials.signIn(key)
      await #expect {
        _ = try await fixture.run(feed)
      } throws: { error in
        guard case StorageError.sourceMismatch("shop", let holding, let stored, let offered) = error
        else { return false }
        return holding == "\(before.count) invoices" && stored == owner?.source && offered != stored
      }
      #expect(try await fixture.stored() == before)
    }
    // The first account again, with another key: it is asked once, and noted. The mode is in the
    // balance, since the sandbox's invoices do not state it. One request asks for a charge.
    fixture.credentials.signIn("sk_live_1")
    #expect(try await fixture.run(feed).requests == 5)
    #expect(try await fixture.run(feed).requests == 1)
    try await fixture.stop()
    await server.stop()
  }

  @Test(
    "a restricted key is distinguished from a test key by an invoice if it may not read the balance"
  )
  func restrictedKey() async throws {
    let server = AnsweringServer { path, query in
      switch path {
      case "/v1/account": (200, #"{"id":"acct_1"}"#)
      case "/v1/balance": (403, #"{"error":{"code":"more_permissions_required"}}"#)
      default: (200, #"{"data":[{"id":"in_1","livemode":true,"created":1}],"has_more":false}"#)
      }
    }
    let url = try #require(URL(string: "https://api.stripe.example"))
    try await server.run(StripeFeed(StripeInvoices.self, baseURL: url)) { sync, database in
      _ = try await sync.run()
      #expect(try await database.owner(account: "default")?.source == "stripe:acct_1:live")
    }
  }

  @Test("a key of unknown mode is not accepted for stored records before the user confirms it")
  func unknownMode() async throws {
    let rows = Mutex("")
    let fixture = try await SignInFixture(
      AnsweringServer { path, _ in
        switch path {
        case "/v1/account": (200, #"{"id":"acct_1"}"#)
        case "/v1/balance": (403, #"{"error":{"code":"more_permissions_required"}}"#)
        default: (200, #"{"data":[\#(rows.withLock(\.self))],"has_more":false}"#)
        }
      })
    let feed = StripeFeed(
      StripeInvoices.self, baseURL: try #require(URL(string: "https://api.stripe.example")))
    // A restricted live key, before the account's first invoice.
    fixture.credentials.signIn("rk_live")
    _ = try await fixture.run(feed)
    rows.withLock {
      $0 = #"{"id":"in_1","livemode":true,"created":1,"currency":"eur","total":1,"status":"open"}"#
    }
    #expect(try await fixture.run(feed) { $0.isFull = true }.counts.inserted == 1)
    #expect(try await fixture.database.owner(account: "shop")?.source == "stripe:acct_1")

    rows.withLock { $0 = "" }
    fixture.credentials.signIn("rk_test")
    for isFull in [false, true] {
      await #expect {
        _ = try await fixture.run(feed) { $0.isFull = isFull }
      } throws: { error in
        if case SyncError.organisationUnproven("shop", "1 invoice") = error { true } else { false }
      }
    }
    #expect(try await fixture.stored() == ["in_1": true])
    #expect(try await fixture.run(feed) { $0.isSameOrganisation = true }.result == .complete)
    #expect(try await fixture.run(feed).result == .complete)
    try await fixture.stop()
  }
}
