import Foundation
import HTTPTypes
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RefreshTests {
  // Edge cases 1 and 3
  @Test("50 requests on an expired token cause one token request")
  func singleFlight() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    fixture.server.expireAccessTokens()
    let session = try fixture.feature()
    let request = try fixture.connections()
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await session.send(request).head.status.code } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 50))
    #expect(await fixture.refreshes() == 1)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
  }

  // Edge case 1
  @Test("1000 callers at a known expiry cause one token request")
  func manyCallers() async throws {
    let fixture = try await AuthenticationFixture().expired()
    let authenticator = fixture.authenticator
    let generations = try await withThrowingTaskGroup(of: CredentialGeneration.self) { group in
      for _ in 0..<1_000 {
        group.addTask { try await authenticator.credential(for: "default").generation }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(generations.count == 1)
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 23
  @Test("the authenticators of several processes cause one token request together")
  func peers() async throws {
    let fixture = try await AuthenticationFixture { $0.tokenLatency = .milliseconds(50) }.expired()
    let peers = try (0..<8).map { _ in try fixture.peer() }
    let generations = try await withThrowingTaskGroup(of: CredentialGeneration.self) { group in
      for peer in peers { group.addTask { try await peer.credential(for: "default").generation } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(generations.count == 1)
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 2
  @Test("a failed refresh can be retried immediately")
  func failureIsNotKept() async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.server.armFault(Fault(path: "/connect/token", kind: .status, status: 500))
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "temporarilyUnavailable")
    _ = try await fixture.authenticator.credential(for: "default")
  }

  // Edge case 31
  @Test(
    "outages, portals and proxies never end a login",
    arguments: [
      Fault(path: "/connect/token", kind: .status, status: 503),
      Fault(path: "/connect/token", kind: .html),
      Fault(path: "/connect/token", kind: .status, status: 200, body: "<html>portal</html>"),
      Fault(path: "/connect/token", kind: .status, status: 302, headers: ["Location": "/portal"]),
      Fault(path: "/connect/token", kind: .status, status: 400, body: "bad request"),
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_client"}"#),
      Fault(path: "/connect/token", kind: .reset),
    ])
  func loginStays(fault: Fault) async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.server.armFault(fault)
    await #expect(throws: AuthenticationError.self) {
      _ = try await fixture.authenticator.credential(for: "default")
    }
    #expect(try await fixture.authenticator.status(of: "default").state == .expired)
    fixture.clock.advance(by: fixture.session.configuration.exchangeLimit + .seconds(1))
    _ = try await fixture.authenticator.credential(for: "default")
  }

  // Edge case 32
  @Test("invalid_grant ends the login, and later calls do not ask the server again")
  func terminal() async throws {
    let fixture = try await AuthenticationFixture().expired()
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_grant"}"#))
    for _ in 0..<3 {
      #expect(
        await ending { try await fixture.authenticator.credential(for: "default") }
          == "signInRequired(rejected)")
    }
    #expect(try await fixture.authenticator.status(of: "default").state == .rejected)
    #expect(fixture.authenticator.tokenRequests == 2)
  }

  // Edge case 6
  @Test("a server that rejects fresh tokens causes no storm of renewals")
  func rejectedFreshTokens() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    fixture.server.armFault(Fault(path: "/connections", kind: .status, times: 1_000, status: 401))
    let session = try fixture.feature()
    for _ in 0..<20 {
      #expect(try await session.send(try fixture.connections()).head.status.code == 401)
    }
    #expect(await fixture.refreshes() <= 3)
  }

  // Edge case 17
  @Test("a pair that cannot be stored is served, kept, and reported by the drain")
  func unsaved() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    try await fixture.renewWithoutStoring()
    #expect(await ending { try await fixture.authenticator.drain() } == "keptSealed")
    fixture.store.fail(nil)
    // The pair is stored without another request.
    try await fixture.clock.awaitSleeper()
    fixture.clock.advance(by: .seconds(60))
    try await eventually("the pair is stored") {
      try await fixture.record()?.pendingExchange == nil
    }
    try await fixture.authenticator.drain()
    #expect(try await fixture.authenticator.status(of: "default").state == .valid)
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 37
  @Test("a locked keyring is not a missing login")
  func lockedStore() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let peer = try fixture.peer()
    _ = peer
    fixture.store.fail(.locked)
    fixture.clock.advance(by: .seconds(3_600))
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "secretStoreUnavailable(locked)")
    fixture.store.fail(nil)
    _ = try await fixture.authenticator.credential(for: "default")
  }
}
