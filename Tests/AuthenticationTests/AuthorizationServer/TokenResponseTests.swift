import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Valid token responses with malformed members.
///
/// The tests run serially: each authenticator uses one of the user's 128 inotify instances.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct TokenResponseTests {
  // Edge case 16
  @Test(
    "a new refresh token is kept in whatever form the server writes it",
    arguments: [
      (#"{"access_token":"a1","refresh_token":4711,"expires_in":1800}"#, "4711"),
      (#"{"access_token":"a1","refresh_token":18446744073709551615}"#, "18446744073709551615"),
      ("access_token=a1&refresh_token=r%2F1&expires_in=1800&token_type=bearer", "r/1"),
    ])
  func refreshTokenForms(body: String, token: String) async throws {
    let fixture = try await WireFixture([[.tokens(body)]])
    #expect(await fixture.failure() == nil)
    #expect(try await fixture.stored()?.accessToken == Secret("a1"))
    #expect(try await fixture.stored()?.refreshToken == Secret(token))
  }

  // Edge case 16
  @Test(
    "a lifetime that is over on arrival counts as unknown, so no request renews the token again",
    arguments: [#""expires_in":0"#, #""expires_in":"0""#, #""expires_in":-1"#, #""expires_at":0"#])
  func noLifetime(member: String) async throws {
    let fixture = try await WireFixture([
      [.tokens(#"{"access_token":"a1","refresh_token":"r1","# + member + "}")]
    ])
    for _ in 0..<3 { #expect(await fixture.failure() == nil) }
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge case 16
  @Test(
    "a renewal takes the valid members of a response and ignores the others",
    arguments: [
      (#""scope":["a","b"],"expires_in":1800"#, ["a", "b"]),
      (#""scope":"a  b","expires_in":"1800""#, ["a", "b"]),
      (#""scope":{"a":1},"expires_in":1800"#, ["s"]), (#""scope":[1],"expires_in":[]"#, ["s"]),
      (#""scope":null,"expires_in":null,"token_type":null"#, ["s"]),
      (#""token_type":["Bearer"],"expires_at":{},"id_token":[[]]"#, ["s"]),
      (
        #""x":"# + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
        ["s"]
      ),
      (##""\ud800":1,"x":NaN,"scope":"a""##, ["a"]),
    ])
  func oddMembers(members: String, scopes: [String]) async throws {
    let fixture = try await WireFixture([
      [.tokens(#"{"access_token":"a1","refresh_token":"r1","# + members + "}")]
    ])
    #expect(await fixture.failure() == nil)
    let stored = try #require(try await fixture.stored())
    #expect(stored.accessToken == Secret("a1") && stored.refreshToken == Secret("r1"))
    #expect(stored.scopes == scopes)
    #expect(try await fixture.record()?.pendingExchange == nil)
  }

  // Edge case 16
  @Test(
    "a renewal stores the new refresh token beside an unusable access token, and spends it next",
    arguments: [
      #""token_type":"mac","access_token":"a1""#, #""access_token":"""#, #""access_token":5"#,
      #""access_token":"a b""#, #""expires_in":1800"#,
    ])
  func unusableAccessToken(members: String) async throws {
    let fixture = try await WireFixture([
      [.tokens(#"{"refresh_token":"r1","# + members + "}")],
      [.tokens(#"{"access_token":"a2","refresh_token":"r2","expires_in":1800}"#)],
    ]) {
      // A server that must not see a spent token again is the strictest.
      $0.replay = .forbidden
    }
    let failure = await fixture.failure()
    guard case AuthenticationError.temporarilyUnavailable(_, _, let reason)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason as? TokenEndpointError == .unusableToken)
    let stored = try #require(try await fixture.stored())
    #expect(stored.refreshToken == Secret("r1") && !stored.isUsable(at: fixture.clock.wall))
    #expect(try await fixture.record()?.pendingExchange == nil)
    #expect(try await fixture.authenticator.status(of: "default").state == .expired)
    // The next process renews with the new one.
    let next = try fixture.next()
    #expect(await fixture.failure(next) == nil)
    #expect(fixture.sentTokens == ["r0", "r1"])
    #expect(try await fixture.stored()?.refreshToken == Secret("r2"))
    // This process uses the stored pair.
    #expect(await fixture.failure() == nil)
    #expect(fixture.sentTokens.count == 2)
  }

  @Test("a renewal pauses between unusable responses and sends the newest refresh token each time")
  func neverUsable() async throws {
    let fixture = try await WireFixture([
      [.tokens(#"{"refresh_token":"r1"}"#)], [.tokens(#"{"refresh_token":"r2"}"#)],
      [.tokens(#"{"refresh_token":"r3"}"#)],
    ])
    for _ in 0..<5 { #expect(await fixture.failure() != nil) }
    #expect(fixture.sentTokens == ["r0", "r1"])
    fixture.clock.advance(by: .seconds(60))
    #expect(await fixture.failure() != nil)
    #expect(fixture.sentTokens == ["r0", "r1", "r2"])
    #expect(try await fixture.stored()?.refreshToken == Secret("r3"))
  }

  @Test("a response without any usable token keeps the login and its journal entry")
  func nothingToKeep() async throws {
    let fixture = try await WireFixture([
      [.tokens(#"{"access_token":"a1","token_type":"mac"}"#)],
      [.tokens(#"{"access_token":"a2","refresh_token":"r2"}"#)],
    ])
    #expect(await fixture.failure() != nil)
    #expect(try await fixture.record()?.pendingExchange?.isAnswered == true)
    #expect(try await fixture.stored()?.refreshToken == Secret("r0"))
    #expect(await fixture.failure() == nil)
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  @Test("a front end's renewal without an access token keeps the new refresh token")
  func customRenewal() async throws {
    let fixture = try await WireFixture([[.hang]]) { account in
      account.refresh = { old in
        TokenSet(
          accessToken: Secret(old.refreshToken == Secret("r0") ? "" : "a2"),
          refreshToken: Secret("r1"))
      }
    }
    #expect(await fixture.failure() != nil)
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
    #expect(await fixture.failure() == nil)
    #expect(try await fixture.stored()?.accessToken == Secret("a2"))
  }

  @Test("a sign-in with only a refresh token is stored and reports the missing access token")
  func signIn() async throws {
    let fixture = try await WireFixture([
      [.tokens(#"{"access_token":"a1","token_type":"mac","refresh_token":"r1"}"#)],
      [.tokens(#"{"access_token":"a2","token_type":"bearer","refresh_token":"r2"}"#)],
    ])
    await #expect {
      _ = try await fixture.authenticator.signIn("default", with: .clientCredentials)
    } throws: { error in
      guard case AuthenticationError.temporarilyUnavailable(_, _, let reason) = error else {
        return false
      }
      return reason as? TokenEndpointError == .unusableToken
    }
    let stored = try #require(try await fixture.stored())
    #expect(stored.refreshToken == Secret("r1") && stored.grant == .clientCredentials)
    #expect(await fixture.failure() == nil)
  }

  // Edge case 41
  @Test(
    "a device authorization response is read as leniently",
    arguments: [
      (
        #""user_code":"U","verification_uri":"https://a.example/","interval":[]"#, "U",
        nil as String?
      ),
      (#""user_code":12,"verification_url":"https://a.example/","expires_in":"x""#, "12", nil),
      (
        #""user_code":"U","verification_uri":5,"verification_url":"https://a.example/","#
          + #""verification_uri_complete":"http://elsewhere.example/""#, "U", nil
      ),
      (
        #""user_code":"U","verification_uri":"https://a.example/","#
          + #""verification_uri_complete":"https://a.example/?c=U""#, "U", "https://a.example/?c=U"
      ),
    ])
  func device(members: String, code: String, complete: String?) throws {
    let now = Date()
    let response = try #require(
      DeviceAuthorizationResponse(
        body: Array((#"{"device_code":"d","# + members + "}").utf8), receivedAt: now))
    #expect(response.prompt.userCode == code && response.interval == .seconds(5))
    #expect(response.prompt.completeURL?.absoluteString == complete)
    #expect(response.prompt.expiresAt == now.addingTimeInterval(600))
  }

  @Test("a pasted response is read as leniently, and refused without an access token")
  func pasted() throws {
    let tokens = try #require(
      TokenSet(pasted: #"{"access_token":"a","scope":["x","y"],"expires_in":{},"refresh_token":7}"#)
    )
    #expect(tokens.scopes == ["x", "y"] && tokens.expiresAt == nil)
    #expect(tokens.refreshToken == Secret("7"))
    #expect(TokenSet(pasted: #"{"refresh_token":"r"}"#) == nil)
    #expect(TokenSet(pasted: #"{"access_token":"a","token_type":"mac"}"#) == nil)
  }
}
