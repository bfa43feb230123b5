import Foundation
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// What a login keeps of the redirect that a person came back by.
@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
  private func needingURI(_ isSent: Bool) async throws -> AuthenticationFixture {
    try await AuthenticationFixture {
      $0.refreshNeedsRedirectURI = true
    } account: {
      $0.refreshSendsRedirectURI = isSent
    }
  }

  @Test(
    "where the server wants it, each renewal names the sign-in's redirect URI, in every process")
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
    await fixture.stop()
  }

  @Test("it is not sent to a server that does not want it")
  func unwanted() async throws {
    let fixture = try await needingURI(false)
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    await #expect {
      _ = try await fixture.authenticator.credential(for: "default")
    } throws: { error in
      if case AuthenticationError.signInRequired(_, .rejected) = error { true } else { false }
    }
    await fixture.stop()
  }

  @Test("of a login without a redirect it is the client's own, where that is always the same")
  func handedOver() throws {
    #expect(
      OAuthClient(id: "a", redirectPort: 8_123).redirectURI == "http://127.0.0.1:8123/callback")
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
}
