import Foundation
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Interrupted renewals, which the journal entry in the record reveals.
@Suite(.timeLimit(.minutes(10))) struct JournalTests {
  private func failure(_ fixture: AuthenticationFixture) async -> (any Error)? {
    do {
      _ = try await fixture.authenticator.credential(for: "default")
      return nil
    } catch {
      return error
    }
  }

  private func reason(_ error: (any Error)?) -> AuthenticationError.SignInReason? {
    if case AuthenticationError.signInRequired(_, let reason)? = error { reason } else { nil }
  }

  /// Returns the underlying error of a failure that costs nothing.
  private func temporary(_ error: (any Error)?) -> (any Error)? {
    guard case AuthenticationError.temporarilyUnavailable(_, _, let cause)? = error else {
      return nil
    }
    return cause
  }

  @Test("neither a successful nor a refused renewal leaves a journal entry")
  func clean() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_client"}"#))
    #expect(await failure(fixture) != nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
    #expect(await failure(fixture) == nil)
    #expect(try await fixture.record()?.pendingExchange == nil)
    await fixture.stop()
  }

  // Edge case 17
  @Test("a renewal finds a read-only store before it spends the token")
  func unwritableStore() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.store.failWrites(.locked)
    guard case AuthenticationError.secretStoreUnavailable(_, .locked)? = await failure(fixture)
    else {
      Issue.record("the store was not proved writable")
      return
    }
    #expect(await fixture.refreshes() == 0)
    fixture.store.fail(nil)
    #expect(await failure(fixture) == nil)
    await fixture.stop()
  }

  // Edge case 19
  @Test("a renewal sends the token again after a lost answer within the server's grace")
  func lostInsideGrace() async throws {
    let fixture = try await AuthenticationFixture { sandbox in
      sandbox.reuseGrace = .seconds(1_800)
    } account: { account in
      account.replay = .accepted(for: .seconds(1_800))
    }
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    #expect(temporary(await failure(fixture)) is SessionError)
    let pendingExchange = try #require(try await fixture.record()?.pendingExchange)
    #expect(pendingExchange.process == .current)
    fixture.clock.advance(by: .seconds(61))
    #expect(await failure(fixture) == nil)
    let statistics = await fixture.server.statistics()
    #expect(statistics.refreshReuseDetected == 0)
    #expect(statistics.tokenRequests["refresh_token"] == 2)
    await fixture.stop()
  }

  // Edge case 19
  @Test("a lost answer outside any grace ends the login as an interrupted renewal")
  func lostOutsideGrace() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    #expect(temporary(await failure(fixture)) is SessionError)
    fixture.clock.advance(by: .seconds(61))
    #expect(reason(await failure(fixture)) == .interruptedRenewal)
    let status = try await fixture.authenticator.status(of: "default")
    #expect(status.state == .rejected)
    await fixture.stop()
  }

  @Test("a replay waits until the lost request can no longer be on its way")
  func settles() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    try await fixture.interruptRenewal()
    let authenticator = fixture.authenticator
    let limit = fixture.session.configuration.timeout.request
    let waiter = Task { try await authenticator.credential(for: "default") }
    try await fixture.clock.awaitSleeper(of: limit - .seconds(1))
    #expect(await fixture.refreshes() == 0)
    fixture.clock.advance(by: limit)
    _ = try await waiter.joined
    #expect(await fixture.refreshes() == 1)
    await fixture.stop()
  }

  // Edge case 18
  @Test("a token whose exchange never reached the server is exchanged later")
  func neverSent() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    try await fixture.interruptRenewal()
    fixture.clock.advance(by: .seconds(86_400))
    #expect(await failure(fixture) == nil)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
    await fixture.stop()
  }

  @Test("an early renewal is postponed after an unfinished one outside a grace")
  func nothingToGain() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    try await fixture.interruptRenewal()
    fixture.clock.advance(by: .seconds(1_700))
    await fixture.authenticator.renewEarly("default")
    #expect(await fixture.refreshes() == 0)
    #expect(await failure(fixture) == nil)
    await fixture.stop()
  }

  @Test("an interrupted renewal in the future, by the clock, is not within the server's grace")
  func clockSetBack() async throws {
    let fixture = try await AuthenticationFixture { _ in
    } account: {
      $0.replay = .accepted(for: .seconds(1_800))
    }
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(1_700))
    try await fixture.interruptRenewal(after: 600)
    // No request is on its way, so a replay would be sent immediately.
    try await fixture.replace { $0.pendingExchange?.isAnswered = true }
    await fixture.authenticator.renewEarly("default")
    #expect(await fixture.refreshes() == 0)
    #expect(await failure(fixture) == nil)
    await fixture.stop()
  }

  @Test("a renewal sends no spent token to a server that forbids replays")
  func forbidden() async throws {
    let fixture = try await AuthenticationFixture { _ in
    } account: {
      $0.replay = .forbidden
    }
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    _ = await failure(fixture)
    #expect(reason(await failure(fixture)) == .interruptedRenewal)
    #expect(await fixture.refreshes() == 1)
    await fixture.stop()
  }

  @Test("refusals without a reason keep the login, and the third requires a sign-in")
  func unexplained() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(
      Fault(path: "/connect/token", kind: .status, times: 4, status: 400, body: ""))
    for _ in 0..<2 {
      let error = temporary(await failure(fixture)) as? TokenEndpointError
      #expect(error == .unexplained(status: 400))
    }
    fixture.clock.advance(by: .seconds(61))
    #expect(reason(await failure(fixture)) == .refusedWithoutReason)
    fixture.clock.advance(by: .seconds(61))
    // For ten minutes the server gets no request.
    #expect(reason(await failure(fixture)) == .refusedWithoutReason)
    #expect(await fixture.refreshes() == 3)
    fixture.server.clearFaults()
    fixture.clock.advance(by: .seconds(601))
    #expect(await failure(fixture) == nil)
    #expect(try await fixture.record()?.refusals == nil)
    await fixture.stop()
  }

  // Edge case 38
  @Test("a renewal replaces an older pair that a late write restored")
  func lateWrite() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    let key = SecretKey(service: "appcore", account: "default")
    let old = try #require(try await fixture.store.backing.secret(for: key))
    fixture.clock.advance(by: .seconds(3_600))
    let new = try await fixture.authenticator.credential(for: "default")
    try await fixture.store.backing.store(old, for: key, label: "late")
    _ = try await fixture.authenticator.credential(for: "default")
    #expect(try await fixture.record()?.generation == new.generation)
    #expect(await fixture.refreshes() == 1)
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
    #expect(reason(await failure(fixture)) == .notRenewable)
    await fixture.stop()
  }

  @Test("the end of a login releases the lock of its unsaved pair")
  func unsavedAndEnded() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.store.failWrites(.locked, after: 1)
    #expect(await failure(fixture) == nil)
    fixture.store.fail(nil)
    _ = try await CredentialStore(store: fixture.store.backing).remove("default")
    // After a sign-out the unsaved pair is revoked, and the next sign-in finds the lock free.
    try await fixture.authenticator.drain()
    #expect(await fixture.server.statistics().revocations == 1)
    let peer = try fixture.peer()
    _ = try await peer.signIn(
      "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
    await fixture.stop()
  }

  @Test("a sign-in and a sign-out release the lock of an unsaved pair and revoke the valid one")
  func unsavedAndReplaced() async throws {
    let fixture = try await AuthenticationFixture()
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    fixture.store.failWrites(.locked, after: 1)
    #expect(await failure(fixture) == nil)
    fixture.store.fail(nil)
    try await fixture.signIn()
    #expect(await fixture.authenticator.defaultLogin?.unsaved == nil)
    fixture.clock.advance(by: .seconds(3_600))
    fixture.store.failWrites(.locked, after: 1)
    #expect(await failure(fixture) == nil)
    fixture.store.fail(nil)
    let report = try await fixture.authenticator.signOut("default")
    #expect(report.isRevoked)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
    try await fixture.signIn()
    #expect(await failure(fixture) == nil)
    await fixture.stop()
  }
}
