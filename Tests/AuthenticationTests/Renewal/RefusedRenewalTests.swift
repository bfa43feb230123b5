import Foundation
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Renewals that the server refuses, or that are impossible.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RefusedRenewalTests {
  @Test("refusals without a reason keep the login, and the third requires a sign-in")
  func unexplained() async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.server.armFault(
      Fault(path: "/connect/token", kind: .status, times: 4, status: 400, body: ""))
    for _ in 0..<2 {
      let error = temporaryCause(await fixture.failure()) as? TokenEndpointError
      guard case .unexplained(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(refusal.status == 400 && refusal.code == nil)
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
  }

  // Edge case 32
  @Test(
    "a refusal with no known code keeps the login, and the third requires a sign-in",
    arguments: [
      (400, #"{"error":"invalid_request","error_description":"unknown token"}"#, true),
      (400, #"{"error":"vendor.specific","message":"unknown token"}"#, true),
      (200, #"{"error":"vendor_specific","message":"unknown token"}"#, true),
      (400, #"{"error":{"code":"gone","message":"unknown token"}}"#, true),
      (403, #"{"error":{"code":4711,"message":"unknown token"}}"#, false),
      (400, #"{"error":19,"message":"unknown token"}"#, false),
      (401, #"{"message":"unknown token"}"#, false),
      (400, "error=no_idea&error_description=unknown+token", true),
    ])
  func unknownCode(status: Int, body: String, provesUnspent: Bool) async throws {
    let refusal = FaultScript.Step.response("\(status) No", body: body)
    let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#
    let fixture = try await WireFixture([[refusal], [refusal], [refusal], [.tokens(tokens)]])
    for _ in 0..<2 {
      #expect(temporaryCause(await fixture.failure()) is TokenEndpointError)
      #expect((try await fixture.record()?.pendingExchange == nil) == provesUnspent)
      fixture.clock.advance(by: .seconds(61))
    }
    for _ in 0..<2 {
      let failure = await fixture.failure()
      #expect(signInReason(failure) == .refusedWithoutReason)
      let message = (failure as? AuthenticationError)?.providerMessage?.text
      #expect(message == "unknown token")
    }
    #expect(fixture.sentTokens.count == 3)
    #expect(
      try await fixture.authenticator.status(of: "default").providerMessage?.text
        == "unknown token")
    fixture.clock.advance(by: .seconds(601))
    #expect(await fixture.failure() == nil)
    #expect(fixture.sentTokens == ["r0", "r0", "r0", "r0"])
  }

  // Edge case 32
  @Test(
    "a refusal by the issuer itself costs no login, also where replays are forbidden",
    arguments: [
      (400, #"{"error":"access_denied","error_description":"not expired yet"}"#),
      (200, #"{"error":"temporarily_unavailable"}"#),
      (503, #"{"error":"temporarily_unavailable"}"#),
      (400, #"{"error":"invalid_request"}"#),
    ])
  func provesUnspent(status: Int, body: String) async throws {
    let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#
    let fixture = try await WireFixture([
      [.response("\(status) No", body: body)], [.tokens(tokens)],
    ]) { $0.replay = .forbidden }
    #expect(await fixture.failure() != nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
    fixture.clock.advance(by: .seconds(61))
    #expect(await fixture.failure() == nil)
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  // Edge case 32
  @Test("refusals of early renewals cost nothing and do not count")
  func refusedEarly() async throws {
    let fixture = try await AuthenticationFixture { _ in
    } account: {
      $0.replay = .forbidden
    }.signedIn()
    fixture.clock.advance(by: .seconds(1_600))
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, times: 4, status: 400,
        body: #"{"error":"access_denied","error_description":"not expired yet"}"#))
    for _ in 0..<4 {
      await fixture.authenticator.renewEarly("default")
      fixture.clock.advance(by: .seconds(5))
    }
    #expect(try await fixture.record()?.refusals == nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
    fixture.server.clearFaults()
    fixture.clock.advance(by: .seconds(600))
    #expect(await fixture.failure() == nil)
  }

  // Edge case 26
  @Test("a refusal does not end a login whose newer pair was stored meanwhile")
  func refusedButReplaced() async throws {
    let (fixture, gate, waiter) = try await AuthenticationFixture.holdingRenewal()
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_grant"}"#))
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
  }
}
