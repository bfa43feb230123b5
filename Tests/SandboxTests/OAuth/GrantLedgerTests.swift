import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct GrantLedgerTests {
  private let start = ContinuousClock.now
  private let client = "client"

  private func request() throws -> AuthorizationRequest {
    AuthorizationRequest(
      clientID: client,
      redirectURI: try #require(RedirectURI(SandboxCaller.redirectURI)),
      state: nil, scope: .standard, challenge: SandboxCaller.challenge)
  }

  private func redeem(
    _ code: String, in ledger: inout GrantLedger, after seconds: Int
  ) throws -> TokenReply {
    try ledger.exchange(
      code: code, clientID: client, redirectURI: SandboxCaller.redirectURI,
      verifier: SandboxCaller.verifier, at: start + .seconds(seconds))
  }

  @Test("a code can be exchanged for five minutes")
  func codeLifetime() throws {
    var ledger = GrantLedger(tokenLifetime: .seconds(60), reuseGrace: .zero)
    let code = ledger.issueCode(for: try request(), at: start)
    let late = ledger.issueCode(for: try request(), at: start)
    _ = try redeem(code, in: &ledger, after: 299)
    #expect(throws: OAuthError.self) { try redeem(late, in: &ledger, after: 300) }
  }

  @Test("an access token is accepted up to its lifetime and not at it")
  func tokenLifetime() throws {
    var ledger = GrantLedger(tokenLifetime: .seconds(60), reuseGrace: .zero)
    let token = ledger.issueMachineToken(clientID: client, scope: .standard, at: start).accessToken
    #expect(ledger.accepts(accessToken: token, at: start + .seconds(59)))
    #expect(!ledger.accepts(accessToken: token, at: start + .seconds(60)))
    #expect(!ledger.accepts(accessToken: "other", at: start))
  }

  // Edge case 19
  @Test("the grace period counts from the first use and is not prolonged by repetition")
  func grace() throws {
    var ledger = GrantLedger(tokenLifetime: .seconds(60), reuseGrace: .seconds(100))
    let code = ledger.issueCode(for: try request(), at: start)
    let token = try #require(try redeem(code, in: &ledger, after: 0).refreshToken)
    for seconds in [10, 60, 109] {
      _ = try ledger.refresh(
        token: token, clientID: client, scope: nil, at: start + .seconds(seconds))
    }
    #expect(ledger.counts.refreshReuse == 0)
    #expect(throws: OAuthError.self) {
      try ledger.refresh(token: token, clientID: client, scope: nil, at: start + .seconds(110))
    }
    #expect(ledger.counts.refreshReuse == 1)
  }

  @Test("a refresh token of another client is unknown to this one")
  func otherClient() throws {
    var ledger = GrantLedger(tokenLifetime: .seconds(60), reuseGrace: .zero)
    let code = ledger.issueCode(for: try request(), at: start)
    let token = try #require(try redeem(code, in: &ledger, after: 0).refreshToken)
    #expect(throws: OAuthError.self) {
      try ledger.refresh(token: token, clientID: "other", scope: nil, at: start)
    }
    _ = try ledger.refresh(token: token, clientID: client, scope: nil, at: start)
  }

  @Test("the example of RFC 7636 appendix B gives the challenge that it says")
  func proofKey() {
    #expect(
      CodeChallenge.challenge(for: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("opaque tokens do not repeat")
  func randomTokens() {
    let tokens = Set((0..<1_000).map { _ in RandomToken.make() })
    #expect(tokens.count == 1_000)
    #expect(tokens.allSatisfy { $0.utf8.count == 43 })
  }
}
