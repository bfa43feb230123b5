import Authentication
import Foundation
import HTTPTypes
import Networking
import SecureStore
import TestSupport
import Testing

@testable import AppCore

/// The binding of a stored login to the hosts that the configuration names.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct LoginBindingTests {
  private func makeCore(
    _ providers: String, provider: String, store: any SecretStore, _ folder: TemporaryDirectory
  ) throws -> ApplicationCore {
    let yaml = """
      accounts: { default: { provider: \(provider), clientID: c } }
      providers:
      \(providers)
      """
    return try ApplicationCore(CoreConfiguration(yaml: yaml), in: folder, store: store)
  }

  @Test("a stored key is not sent to another host that the configuration names later")
  func otherHost() async throws {
    let first = try await FaultServer(FaultScript())
    let second = try await FaultServer(FaultScript())
    let folder = try TemporaryDirectory()
    let backing = InMemorySecretStore()
    for (server, isSignedIn) in [(first, false), (second, true), (first, true)] {
      let core = try makeCore(
        "  stripe: { baseURL: \"\(server.url)\" }", provider: "stripe", store: backing, folder)
      if !isSignedIn {
        let key = try #require(TokenSet(pasted: "sk_test_canary"))
        _ = try await core.authenticator.setTokens(key, for: "default")
      }
      let session = try core.session(for: "invoices", account: "default")
      let request = try Request(url: try #require(URL(string: server.url + "/v1/invoices")))
      if server === second {
        await #expect {
          _ = try await session.send(request)
        } throws: { error in
          if case AuthenticationError.signInRequired(_, .otherServer, _) = error {
            true
          } else {
            false
          }
        }
        #expect(try await core.authenticator.status(of: "default").state == .signedOut)
        let stored = try await core.authenticator.storedLogin(of: "default")
        #expect(stored?.server == first.url)
      } else {
        #expect(try await session.send(request).head.status.code == 200)
      }
      try await core.close()
    }
    #expect(first.requests.count == 2 && second.requests.isEmpty)
    await first.stop()
    await second.stop()
  }

  @Test("a login that accounts share is not sent to another host that one of them names")
  func sharedHost() async throws {
    let folder = try TemporaryDirectory()
    var configuration = try CoreConfiguration(
      yaml: """
        accounts:
          firm: { provider: xero, clientID: c }
          shop: { login: firm, tenantID: 00000000-0000-0000-0000-000000000001 }
        """)
    configuration.accounts["shop"]?.endpoints.baseURL = "https://other.example"
    let core = try ApplicationCore(configuration, in: folder)
    _ = try core.session(for: "invoices", account: "firm")
    #expect(throws: ConfigurationError.self) {
      _ = try core.session(for: "invoices", account: "shop")
    }
  }

  @Test("an endpoint that is set besides an issuer wins over its metadata, for any provider")
  func givenEndpoints() throws {
    let builtIn = try CoreConfiguration(
      yaml: """
        accounts: { default: { provider: xero, clientID: c } }
        providers:
          xero:
            issuer: https://id.example
            deviceAuthorizationURL: https://id.example/device
        """)
    let described = try CoreConfiguration(
      yaml: """
        accounts: { default: { provider: acme, clientID: c } }
        providers:
          acme:
            kind: rest
            baseURL: https://api.example
            issuer: https://id.example
            deviceAuthorizationURL: https://id.example/device
            resources:
              invoices:
                path: /invoices
                rows: .
                fields: { id: id, type: { value: invoice }, status: state, currency: currency, total: total }
        """)
    for (name, configuration) in [("xero", builtIn), ("acme", described)] {
      let provider = try configuration.provider(name)
      let account = try #require(configuration.accounts["default"])
      var given = AuthorizationEndpoints()
      given.deviceAuthorization = URL(string: "https://id.example/device")
      let issuer = try #require(URL(string: "https://id.example"))
      #expect(
        try provider.server(account.endpoints) == .discovery(issuer: issuer, given: given),
        "\(name)")
    }
  }
}
