import Foundation
import HTTPTypes
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct EarlyRenewalTests {
  private func authorizer(_ fixture: AuthenticationFixture) throws -> AccountAuthorizer {
    let origin = try #require(Origin(fixture.server.url))
    return try fixture.authenticator.authorizer(for: "default", origins: [origin])
  }

  private func request(_ fixture: AuthenticationFixture) -> HTTPRequest {
    HTTPRequest(
      method: .get, scheme: "http", authority: "127.0.0.1:\(fixture.server.url.port ?? 0)",
      path: "/")
  }

  @Test("an early renewal serves the old token to every request meanwhile")
  func nobodyWaits() async throws {
    let gate = TokenGate()
    let fixture = try await AuthenticationFixture(gate: gate).signedIn()
    gate.close()
    let authorizer = try authorizer(fixture)
    var request = request(fixture)
    let first = try await authorizer.authorize(&request)
    fixture.clock.advance(by: .seconds(1_600))
    for _ in 0..<100 { #expect(try await authorizer.authorize(&request) == first) }
    try await gate.reached()
    for _ in 0..<100 { #expect(try await authorizer.authorize(&request) == first) }
    gate.open()
    try await eventually("the renewal is done") { await fixture.refreshes() == 1 }
    try await eventually("the newer token is served") {
      try await authorizer.authorize(&request) != first
    }
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 36
  @Test("an early renewal that fails is repeated with pauses, and the old token is served")
  func offline() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let authorizer = try authorizer(fixture)
    var request = request(fixture)
    let first = try await authorizer.authorize(&request)
    fixture.server.armFault(
      Fault(path: "/connect/token", kind: .status, times: 1_000, status: 429))
    fixture.clock.advance(by: .seconds(1_550))
    let lease = try #require(fixture.authenticator.defaultLogin?.lease)
    for _ in 0..<60 {
      for _ in 0..<3 { #expect(try await authorizer.authorize(&request) == first) }
      // Waits for the renewal that this may have started.
      try await eventually("no renewal is under way") { lease.isEarlyRenewalScheduled }
      fixture.clock.advance(by: .seconds(1))
    }
    let asked = await fixture.refreshes()
    #expect(asked >= 2 && asked <= 12, "\(asked) requests in a minute")
    fixture.clock.advance(by: .seconds(300))
    await #expect(throws: AuthenticationError.self) { _ = try await authorizer.authorize(&request) }
  }

  // Edge case 35
  @Test(
    "a token with a very short lifetime does not cause a loop of renewals",
    arguments: [1, 2, 10, 60])
  func shortLives(lifetime: Int) async throws {
    let fixture = try await AuthenticationFixture { $0.tokenLifetime = .seconds(lifetime) }
      .signedIn()
    let authorizer = try authorizer(fixture)
    var request = request(fixture)
    for _ in 0..<50 { _ = try await authorizer.authorize(&request) }
    #expect(await fixture.refreshes() == 0)
    fixture.clock.advance(by: .milliseconds(lifetime * 1_000 + 10))
    for _ in 0..<50 { _ = try await authorizer.authorize(&request) }
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 34
  @Test(
    "a change of the wall clock does not affect a running process", arguments: [-86_400.0, 86_400])
  func wallClock(seconds: Double) async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let authorizer = try authorizer(fixture)
    var request = request(fixture)
    fixture.clock.setWallClock(by: seconds)
    _ = try await authorizer.authorize(&request)
    #expect(await fixture.refreshes() == 0)
    // Once the lifetime is over, the token is not served.
    fixture.clock.advance(by: .seconds(1_801))
    _ = try? await authorizer.authorize(&request)
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 34
  @Test("a stored token lives no longer than its lifetime, whatever the wall clock says")
  func setBack() {
    let now = Date()
    let tokens = TokenSet(accessToken: Secret("a"), expiresAt: now.addingTimeInterval(1_800))
    let credential = Credential(tokens, after: nil, grant: .provided, now: now)
    let yesterday = now.addingTimeInterval(-86_400)
    #expect((credential.remaining(at: yesterday) ?? 0) <= 1_800)
    #expect(!credential.isUsable(at: now.addingTimeInterval(86_400)))
  }

  // Edge case 34
  @Test("the server's Date header corrects the instants that it sends")
  func skew() async throws {
    let fixture = try await AuthenticationFixture()
    fixture.clock.setWallClock(by: -86_400)
    try await fixture.signIn()
    let skew = try #require(try await fixture.authenticator.status(of: "default").clockSkew)
    // The test's clock stands still while the server's advances.
    #expect(abs(skew - 86_400) < 600)
    let response = TokenResponse(
      body: Array(#"{"access_token":"a","expires_at":1060}"#.utf8),
      receivedAt: Date(timeIntervalSince1970: 500), clockSkew: 500)
    #expect(response?.expiresAt == Date(timeIntervalSince1970: 560))
  }
}
