import Foundation
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// The parts of a sign-in's redirect that a login keeps.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RedirectTests {
  private func needingURI(_ isSent: Bool) async throws -> AuthenticationFixture {
    try await AuthenticationFixture {
      $0.refreshNeedsRedirectURI = true
    } account: {
      $0.refreshSendsRedirectURI = isSent
    }
  }

  @Test(
    "each renewal in every process repeats the sign-in's redirect URI if the server requires it")
  func redirectURI() async throws {
    let fixture = try await needingURI(true)
    try await fixture.signIn()
    let first = try await fixture.authenticator.credential(for: "default")
    let uri = try #require(first.redirect?.uri)
    #expect(uri.wholeMatch(of: #/http://127\.0\.0\.1:\d+/callback/#) != nil)
    let peer = try fixture.peer()
    for authenticator in [fixture.authenticator, peer, fixture.authenticator] {
      fixture.clock.advance(by: .seconds(3_600))
      let renewed = try await authenticator.credential(for: "default")
      #expect(renewed.redirect?.uri == uri)
    }
    #expect(await fixture.refreshes() == 3)
  }

  @Test("a renewal omits the redirect URI if the server does not require it")
  func unwanted() async throws {
    let fixture = try await needingURI(false)
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "signInRequired(rejected)")
  }

  @Test("a login without a redirect uses the client's fixed redirect URI")
  func handedOver() throws {
    #expect(
      OAuthClient(id: "a", redirect: .loopback(port: 8_123)).redirectURI
        == "http://127.0.0.1:8123/callback")
    #expect(
      OAuthClient(id: "a", redirect: .loopback(host: .localhost, port: 8_123)).redirectURI
        == "http://localhost:8123/callback")
    #expect(OAuthClient(id: "a").redirectURI == nil)
    let fields = TokenGrant.refreshToken(Secret("r"), redirectURI: "http://127.0.0.1:1/callback")
      .fields.map { "\($0.name)=\($0.value)" }
    #expect(
      fields == [
        "grant_type=refresh_token", "refresh_token=r", "redirect_uri=http://127.0.0.1:1/callback",
      ])
    let without = TokenGrant.refreshToken(Secret("r"), redirectURI: nil).fields.map(\.name)
    #expect(without == ["grant_type", "refresh_token"])
  }

  @Test("the organisation that the redirect names is kept with the login in every process")
  func tenant() async throws {
    let fixture = try await AuthenticationFixture {
      $0.provider = .quickbooks
    } account: {
      $0.redirectTenantParameter = "realmId"
    }
    #expect(
      await ending { try await fixture.authenticator.tenantID(of: "default") }
        == "signInRequired(notSignedIn)")
    try await fixture.signIn()
    let realm = try #require(fixture.server.tenantIDs.first)
    #expect(try await fixture.authenticator.tenantID(of: "default") == realm)
    fixture.clock.advance(by: .seconds(3_600))
    let peer = try fixture.peer()
    _ = try await peer.credential(for: "default")
    #expect(await fixture.refreshes() == 1)
    for authenticator in [fixture.authenticator, peer] {
      #expect(try await authenticator.tenantID(of: "default") == realm)
    }
  }

  @Test("an unconfigured parameter of the redirect is not kept")
  func unasked() async throws {
    let fixture = try await AuthenticationFixture { $0.provider = .quickbooks }.signedIn()
    #expect(try await fixture.authenticator.tenantID(of: "default") == nil)
  }

  @Test(
    "a malformed organisation in the redirect is ignored",
    arguments: [
      ("realm=4620816365", "4620816365"), ("realm=a-b_c.d~e:f", "a-b_c.d~e:f"), ("realm=", nil),
      ("realm=..", nil), ("realm=a%2Fb", nil), ("realm=a%0D%0Ab", nil), ("realm=a%20b", nil),
      ("realms=1", nil), ("realm=" + String(repeating: "1", count: 129), nil),
    ] as [(String, String?)])
  func identifiers(query: String, expected: String?) throws {
    let reading = AuthorizationCallback.read(
      target: "/callback?code=c&state=s&" + query, path: "/callback", state: Secret("s"))
    guard case .callback(let callback) = reading else {
      Issue.record("it is not read")
      return
    }
    #expect(callback.tenantID(named: "realm") == expected)
  }

  @Test("a record of an earlier version without a redirect is readable")
  func earlierVersion() async throws {
    let fixture = try await AuthenticationFixture()
    let text = """
      {"version":1,"server":"\(fixture.server.url)","clientID":"\(fixture.server.clientID)",
       "generation":7,"accessToken":"a","refreshToken":"r","grant":"authorization_code","login":"l"}
      """
    let record = try CredentialRecord(Secret(text))
    guard case .active(let credential) = record.content else {
      Issue.record("there is no login")
      return
    }
    #expect(credential.redirect == nil && credential.loginID == "l")
  }
}
