import Networking
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RefreshTests {
  @Test("a refresh gives a new pair, and the old access token lives on")
  func rotation() async throws {
    let (server, caller) = try await startSandbox()
    let first = try await caller.signIn()
    let second = try Tokens(try await caller.refresh(first.refreshToken))
    #expect(second.accessToken != first.accessToken)
    #expect(second.refreshToken != first.refreshToken)
    #expect(try await caller.invoices(token: first.accessToken).status == 200)
    #expect(try await caller.invoices(token: second.accessToken).status == 200)
    #expect(await server.statistics().refreshReuseDetected == 0)
  }

  @Test("a repeated refresh token ends every token of its sign-in and no other's")
  func reuse() async throws {
    let (server, caller) = try await startSandbox()
    let other = try await caller.signIn()
    let first = try await caller.signIn()
    let second = try Tokens(try await caller.refresh(first.refreshToken))
    let reused = try await caller.refresh(first.refreshToken)
    #expect(reused.status == 400)
    #expect(try oauthError(reused) == "invalid_grant")
    #expect(try oauthError(try await caller.refresh(second.refreshToken)) == "invalid_grant")
    #expect(try await caller.invoices(token: second.accessToken).status == 401)
    #expect(await server.statistics().refreshReuseDetected == 1)
    // Edge case 22
    #expect(try await caller.refresh(other.refreshToken).status == 200)
  }

  @Test("exactly one of many concurrent refreshes with one token wins")
  func concurrent() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 {
        group.addTask { try await caller.refresh(tokens.refreshToken).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count(where: { $0 == 200 }) == 1)
    #expect(statuses.count(where: { $0 == 400 }) == 11)
    let statistics = await server.statistics()
    #expect(statistics.refreshReuseDetected == 11)
    #expect(statistics.tokenRequests["refresh_token"] == 12)
  }

  @Test("a spent token is accepted again within the grace period")
  func grace() async throws {
    let (server, caller) = try await startSandbox { $0.reuseGrace = .seconds(1_800) }
    let first = try await caller.signIn()
    let second = try Tokens(try await caller.refresh(first.refreshToken))
    let third = try Tokens(try await caller.refresh(first.refreshToken))
    #expect(try await caller.refresh(second.refreshToken).status == 200)
    #expect(try await caller.refresh(third.refreshToken).status == 200)
    #expect(await server.statistics().refreshReuseDetected == 0)
  }

  @Test("a narrower scope is given, a wider one refused without spending the token")
  func scope() async throws {
    let (_, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    let wider = try await caller.refresh(tokens.refreshToken, extra: ["scope": "everything"])
    #expect(try oauthError(wider) == "invalid_scope")
    let narrower = try Tokens(
      try await caller.refresh(
        tokens.refreshToken, extra: ["scope": "accounting.invoices.read"]))
    #expect(narrower.scope == "accounting.invoices.read")
    // RFC 6749 section 6: the refresh token keeps the scope it had.
    #expect(narrower.refreshToken != nil)
  }

  @Test("expired access tokens are refused while refresh tokens stay valid")
  func expiry() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    server.expireAccessTokens()
    let answer = try await caller.invoices(token: tokens.accessToken)
    #expect(answer.status == 401)
    #expect(answer[header: "www-authenticate"] == "Bearer error=\"invalid_token\"")
    let renewed = try Tokens(try await caller.refresh(tokens.refreshToken))
    #expect(try await caller.invoices(token: renewed.accessToken).status == 200)
  }

  @Test("the exchange is committed before its latency begins")
  func tokenLatency() async throws {
    let (server, caller) = try await startSandbox { $0.tokenLatency = .seconds(3_600) }
    let code = try await caller.code()
    let hanging = Task { try await caller.exchange(code: code) }
    // The server counts the reuse only once the first exchange is committed.
    try await eventually("the first exchange is committed") {
      await server.statistics().tokenRequests["authorization_code"] != 0
    }
    let second = Task { try await caller.exchange(code: code) }
    try await eventually("the reuse is seen") { await server.statistics().codeReuseDetected > 0 }
    await server.stop()
    await #expect(throws: SessionError.self) { try await hanging.joined }
    await #expect(throws: SessionError.self) { try await second.joined }
  }
}
