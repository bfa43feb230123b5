import Foundation
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Renewals that the server refuses, or that are impossible.
@Suite(.timeLimit(.minutes(10))) struct RefusedRenewalTests {
  @Test("refusals without a reason keep the login, and the third requires a sign-in")
  func unexplained() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(
      Fault(path: "/connect/token", kind: .status, times: 4, status: 400, body: ""))
    for _ in 0..<2 {
      let error = temporaryCause(await fixture.failure()) as? TokenEndpointError
      #expect(error == .unexplained(status: 400))
    }
    fixture.clock.advance(by: .seconds(61))
    #expect(signInReason(await fixture.failure()) == .refusedWithoutReason)
    fixture.clock.advance(by: .seconds(61))
    // For ten minutes the server gets no request.
    #expect(signInReason(await fixture.failure()) == .refusedWithoutReason)
    #expect(await fixture.refreshes() == 3)
    fixture.server.clearFaults()
    fixture.clock.advance(by: .seconds(601))
    #expect(await fixture.failure() == nil)
    #expect(try await fixture.record()?.refusals == nil)
    await fixture.stop()
  }

  // Edge case 26
  @Test("a refusal does not end a login whose newer pair was stored meanwhile")
  func refusedButReplaced() async throws {
    let gate = TokenGate()
    let fixture = try await AuthenticationFixture(gate: gate)
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_grant"}"#))
    let authenticator = fixture.authenticator
    gate.close()
    let waiter = Task { try await authenticator.credential(for: "default") }
    try await gate.reached()
    let tokens = TokenSet(accessToken: Secret("newer"))
    let newer = Credential(
      tokens, after: try await fixture.record()?.generation, grant: .provided,
      now: fixture.clock.wall)
    try await fixture.replace { record in
      record.content = .active(newer)
      record.pendingExchange = nil
    }
    gate.open()
    #expect(try await waiter.joined.generation == newer.generation)
    #expect(try await fixture.authenticator.status(of: "default").state == .valid)
    await fixture.stop()
  }

  @Test("a login without a refresh token is served until it expires")
  func notRenewable() async throws {
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    _ = try await authenticator.setTokens(
      TokenSet(
        accessToken: Secret("a"), expiresAt: fixture.clock.wall.addingTimeInterval(1_800)),
      for: "default")
    fixture.clock.advance(by: .seconds(1_700))
    await authenticator.renewEarly("default")
    #expect(authenticator.defaultLogin?.lease.generation != nil)
    _ = try await authenticator.credential(for: "default")
    fixture.clock.advance(by: .seconds(100))
    #expect(signInReason(await fixture.failure()) == .notRenewable)
    await fixture.stop()
  }
}
