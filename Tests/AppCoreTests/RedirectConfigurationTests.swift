import Authentication
import Foundation
import Networking
import Providers
import TestSupport
import Testing

@testable import AppCore

/// The end of a browser sign-in, and the servers of an environment, as the configuration selects
/// them.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RedirectConfigurationTests {
  private func configuration(_ account: String, _ more: String = "") throws -> CoreConfiguration {
    try CoreConfiguration(yaml: "accounts: { a: { \(account) } }\n" + more)
  }

  private func account(_ account: String, _ more: String = "") throws -> Account {
    let configuration = try configuration(account, more)
    return try #require(configuration.accounts["a"]).account(
      named: "a", in: configuration, ServiceCredentials(environment: [:]))
  }

  @Test(
    "the redirect URI is the configured one, or else what the provider accepts",
    arguments: [
      ("provider: xero", "", .loopback(host: .address, port: 0)),
      ("provider: xero, redirectHost: localhost", "", .loopback(host: .localhost, port: 0)),
      ("provider: xero, redirectURI: https://me.example/x", "", .page("https://me.example/x")),
      (
        "provider: quickbooks", "",
        .page("https://developer.intuit.com/v2/OAuth2Playground/RedirectUrl")
      ),
      ("provider: quickbooks, redirectPort: 8080", "", .loopback(host: .address, port: 8_080)),
      (
        "provider: quickbooks, environment: sandbox", "", .loopback(host: .localhost, port: 0)
      ),
      (
        "provider: quickbooks", "providers: { quickbooks: { issuer: 'https://id.example' } }",
        .loopback(host: .address, port: 0)
      ),
    ] as [(String, String, OAuthClient.Redirect)])
  func redirects(text: String, more: String, expected: OAuthClient.Redirect) throws {
    #expect(try account(text, more).client.redirect == expected)
  }

  @Test("a browser sign-in to Square without an https page is refused with the key to set")
  func missing() async throws {
    let configuration = try configuration("provider: square, clientID: c")
    let folder = try TemporaryDirectory()
    let core = try ApplicationCore(configuration, in: folder)
    struct Nobody: AuthenticationDelegate {}
    await #expect {
      _ = try await core.signIn(
        "a", with: .authorizationCode(delegate: Nobody()), unlocksStore: false)
    } throws: { error in
      guard let error = error as? ConfigurationError else { return false }
      return error.key == "accounts.a.redirectURI" && "\(error.problem)".contains("https")
    }
  }

  @Test("a sandbox has its own addresses, and its login is not one of production")
  func sandbox() throws {
    let production = try account("provider: square")
    let sandbox = try account("provider: square, environment: sandbox")
    #expect(production.apiOrigin?.host == "connect.squareup.com")
    #expect(sandbox.apiOrigin?.host == "connect.squareupsandbox.com")
    #expect(sandbox.server != production.server && sandbox.sendsJSONTokenRequests)
    let books = try account("provider: quickbooks, environment: sandbox")
    #expect(books.apiOrigin?.host == "sandbox-quickbooks.api.intuit.com")
    #expect(books.server == (try account("provider: quickbooks").server))
    // An account that uses the login is at the same servers.
    let shared = try CoreConfiguration(
      yaml: """
        defaultAccount: a
        accounts:
          a: { provider: square, environment: sandbox }
          b: { login: a, tenantID: L1 }
        """)
    #expect(shared.accounts["b"]?.environment == .sandbox)
  }

  @Test(
    "a wrong value is refused",
    arguments: [
      "redirectURI: http://me.example/x", "redirectURI: https://me.example/x?a=b",
      "redirectURI: https://me.example/x, redirectPort: 1", "redirectHost: example.com",
      "environment: staging", "provider: xero, environment: sandbox",
    ])
  func refused(text: String) {
    #expect(throws: ConfigurationError.self) { try configuration(text) }
  }
}
