import Authentication
import Foundation
import Networking
import Providers
import Sandbox
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import AppCore

/// The promise of the README: appcore never writes to the user's books, and talks to nobody but the
/// account's provider.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ReadOnlyTests {
  /// An account at a sandbox, and the requests besides `GET` that its syncs may send.
  struct Shape: Sendable, CustomTestStringConvertible {
    let provider: String
    let played: SandboxProvider
    /// The paths of requests that read, and that the vendor defines as `POST`.
    var reads: Set<String> = []
    /// The number of invoices, which decides if every kind of request is sent.
    var invoices = 300
    /// The token that the user passes; `nil` signs in with a browser.
    var token: String?
    var description = ""

    var testDescription: String { provider }

    static let all: [Shape] = [
      Shape(provider: "xero", played: .xero),
      // https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/batch
      Shape(provider: "quickbooks", played: .quickbooks, reads: ["batch"], invoices: 2_000),
      Shape(provider: "stripe", played: .stripe),
      // https://developer.squareup.com/reference/square/orders-api/batch-retrieve-orders
      // Its sign-in ends on a page elsewhere; the token is always valid at a sandbox.
      Shape(
        provider: "square", played: .square, reads: ["batch-retrieve", "search"], token: "sk_live_1"
      ),
      // https://developer.moneybird.com/api/sales-invoices-synchronization
      Shape(provider: "moneybird", played: .moneybird, reads: ["synchronization.json"]),
      Shape(
        provider: "described", played: .moneybird, reads: ["synchronization.json"],
        description: """
          kind: rest
              resources:
                invoices:
                  path: "/api/v2/{tenantID}/sales_invoices/synchronization.json"
                  query: { filter: "state:all,period:19000101..99991231" }
                  changes: { model: versions, id: id, version: version, idsField: ids, batch: 100,
                    path: "/api/v2/{tenantID}/sales_invoices/synchronization.json" }
                  fields: { id: id, version: version, type: { value: invoice },
                    status: { path: state, map: { open: open } }, currency: currency,
                    total: total_price_incl_tax }
          """),
    ]
  }

  @Test("every built-in provider is tried, and one that is described")
  func complete() {
    #expect(Set(Shape.all.map(\.provider)) == Set(BuiltInProviders.all.map(\.name) + ["described"]))
  }

  @Test(
    "a sign-in, syncs of all kinds and a sign-out only read, and ask the provider's servers alone",
    arguments: Shape.all)
  func requests(shape: Shape) async throws {
    var sandbox = SandboxConfiguration()
    sandbox.provider = shape.played
    sandbox.source = .generated(invoices: shape.invoices, seed: 1)
    sandbox.autoApprove = true
    let server = try await SandboxServer.untilEnd(sandbox)
    let organisation = try await organisation(of: shape, server)
    let folder = try TemporaryDirectory()
    let client = "clientID: \(server.clientID), redirectPort: 0,"
    let seen = Mutex<[HTTPExchange]>([])
    let yaml = """
      database: \(folder.file("data.sqlite"))
      providers:
        \(shape.provider):
          \(shape.description)
          baseURL: "\(server.url)"
          authorizationURL: "\(server.url)/connect/authorize"
          tokenURL: "\(server.url)/connect/token"
          revocationURL: "\(server.url)/connect/revoke"
      accounts:
        default: { provider: \(shape.provider), \(shape.token == nil ? client : "")
          scopes: [offline_access]\(organisation.map { ", tenantID: \"\($0)\"" } ?? "") }
      """
    let core = try ApplicationCore(
      CoreConfiguration(yaml: yaml), in: folder,
      httpObserver: { exchange in seen.withLock { $0.append(exchange) } })
    let token = try shape.token.map { try #require(TokenSet(pasted: $0)) }
    _ = try await core.signIn(
      "default",
      with: token.map { .tokens($0) }
        ?? .authorizationCode(delegate: ApprovingBrowser(), timeout: Patience.limit))
    let before = server.invoices()
    for adjust in Self.runs {
      for resource in try core.resources(account: "default") {
        var options = SyncOptions()
        adjust(&options)
        let report = try await core.sync(resource, account: "default").run(options)
        #expect(report.result != .partial && report.failures.isEmpty, "\(report)")
      }
      server.expireAccessTokens()
    }
    #expect(server.invoices() == before)
    let stored = try await core.database().invoices(matching: InvoiceQuery()).count
    #expect(stored > 50)
    _ = try await core.signOut("default")

    let own = try #require(Origin(server.url))
    var posted: Set<String> = []
    for exchange in seen.withLock({ $0 }) {
      let url = try #require(URL(string: exchange.url))
      #expect(Origin(url) == own, "\(exchange.url)")
      if exchange.method != "GET" {
        #expect(exchange.method == "POST", "\(exchange.method) \(exchange.url)")
        posted.insert(url.lastPathComponent)
      }
    }
    #expect(posted == shape.reads.union(token == nil ? ["token", "revoke"] : ["revoke"]))
  }

  private static let runs: [@Sendable (inout SyncOptions) -> Void] = [
    { _ in }, { _ in }, { $0.isFull = true }, { $0.verifies = true },
  ]

  /// Returns the identifier of the organisation, where no sign-in and no list names it.
  private func organisation(of shape: Shape, _ server: SandboxServer) async throws -> String? {
    guard shape.provider == "described" else { return nil }
    let session = Session(name: "test", configuration: SessionConfiguration())
    var request = try Request(url: server.url.appending(path: "api/v2/administrations.json"))
    try request.setField("Authorization", to: "Bearer sk_live_1")
    let body = try await session.send(request).body
    await session.shutdown()
    let list = try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]
    return (list?.first?["id"]).map { "\($0)" }
  }

  @Test("the addresses of the built-in providers are their vendors'")
  func addresses() throws {
    let vendors = [
      "xero": ["xero.com"], "quickbooks": ["intuit.com"], "stripe": ["stripe.com"],
      "square": ["squareup.com", "squareupsandbox.com"], "moneybird": ["moneybird.com"],
    ]
    for provider in BuiltInProviders.all {
      let domains = try #require(vendors[provider.name])
      for environment in ProviderEnvironment.allCases {
        let profile = provider.profile.of(environment)
        for address in [
          profile.baseURL, profile.authorizationURL, profile.tokenURL, profile.issuer,
          profile.revocationURL, profile.deviceAuthorizationURL,
        ].compactMap(\.self) {
          let host = try #require(URL(string: address)?.host())
          #expect(
            address.hasPrefix("https://")
              && domains.contains { host == $0 || host.hasSuffix("." + $0) }, "\(address)")
        }
      }
    }
  }
}
