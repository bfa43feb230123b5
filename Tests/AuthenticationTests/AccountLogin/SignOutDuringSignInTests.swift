import Foundation
import Networking
import Sandbox
import SecureStore
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

/// A sign-out while a sign-in has its tokens, or a pair that could not be stored is being stored.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SignOutDuringSignInTests {
  /// Demands that neither the store nor this process holds a login, once the sign-in is over.
  private func expectSignedOut(
    _ fixture: AuthenticationFixture, _ authenticator: Authenticator
  ) async throws {
    try await eventually("the sign-in is over") {
      await authenticator.defaultLogin?.signInTask == nil
    }
    #expect(try await fixture.record() == nil)
    #expect(authenticator.defaultLogin?.lease.generation == nil)
    #expect(await authenticator.defaultLogin?.latest == nil)
    #expect(try await authenticator.status(of: "default").state == .signedOut)
  }

  // Edge case 21
  @Test("a sign-out before the tokens are stored revokes them and stores nothing")
  func beforeStoring() async throws {
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    let lock = try #require(try FileLockHolder(authenticator.lockPath(for: "default")))
    let signIn = Task { try await fixture.signIn() }
    try await eventually("the sign-in has its tokens") {
      await authenticator.defaultLogin?.storingSignIn != nil
    }
    let signOut = Task { try await authenticator.signOut("default") }
    #expect(signInReason(await error { try await signIn.joined }) == .signedOut)
    lock.release()
    _ = try await signOut.joined
    try await eventually("the tokens are revoked") {
      await fixture.server.statistics().revocations == 1
    }
    try await expectSignedOut(fixture, authenticator)
  }

  // Edge case 21
  @Test("a sign-out while the tokens are being stored removes and revokes them")
  func whileStoring() async throws {
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    fixture.store.writes.close()
    let signIn = Task { try await fixture.signIn() }
    try await fixture.store.writes.reached()
    let signOut = Task { try await authenticator.signOut("default") }
    #expect(signInReason(await error { try await signIn.joined }) == .signedOut)
    fixture.store.writes.open()
    let report = try await signOut.joined
    #expect(report.wasSignedIn && report.isRevoked)
    try await expectSignedOut(fixture, authenticator)
  }

  // Edge case 21
  @Test("tokens that are stored after a sign-out without the lock are removed and revoked")
  func storedAfterRemoval() async throws {
    let fixture = try await AuthenticationFixture()
    let store = TestStore(backing: fixture.store.backing)
    let authenticator = try fixture.peer(store, lockTimeout: .zero)
    store.writes.close()
    let signIn = Task {
      try await authenticator.signIn(
        "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
    }
    try await store.writes.reached()
    #expect(try await !authenticator.signOut("default").wasSignedIn)
    #expect(signInReason(await error { try await signIn.joined }) == .signedOut)
    store.writes.open()
    try await eventually("the tokens are revoked") {
      await fixture.server.statistics().revocations == 1
    }
    try await expectSignedOut(fixture, authenticator)
  }

  @Test("a sign-out before a sign-in has its tokens keeps them out of the store")
  func beforeTokens() async throws {
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    // The sign-in reads the store first.
    fixture.store.reads.close()
    let signIn = Task {
      try await authenticator.setTokens(TokenSet(accessToken: Secret("pasted")), for: "default")
    }
    try await fixture.store.reads.reached()
    _ = try await authenticator.signOut("default")
    #expect(signInReason(await error { try await signIn.joined }) == .signedOut)
    fixture.store.reads.open()
    try await expectSignedOut(fixture, authenticator)
    // Pasted tokens may serve elsewhere too.
    #expect(await fixture.server.statistics().revocations == 0)
  }

  @Test("a sign-out waits for a sign-in that replaces an unsaved pair, and removes its tokens")
  func replacingUnsaved() async throws {
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    try await fixture.signIn()
    try await fixture.renewWithoutStoring()
    fixture.store.fail(nil)
    fixture.store.writes.close()
    let signIn = Task { try await fixture.signIn() }
    try await fixture.store.writes.reached()
    let signOut = Task { try await authenticator.signOut("default") }
    #expect(signInReason(await error { try await signIn.joined }) == .signedOut)
    // Another process must not get the lock while the tokens are being stored.
    #expect(try FileLockHolder(authenticator.lockPath(for: "default")) == nil)
    fixture.store.writes.open()
    let report = try await signOut.joined
    #expect(report.wasSignedIn && report.isRevoked)
    try await expectSignedOut(fixture, authenticator)
    try await fixture.signIn()
    #expect(try await authenticator.status(of: "default").state == .valid)
  }

  @Test("a sign-out by another process leaves a sign-in in progress here alone")
  func otherProcess() async throws {
    let gate = TokenGate()
    let fixture = try await AuthenticationFixture(gate: gate)
    let authenticator = fixture.authenticator
    try await fixture.signIn()
    gate.close()
    let signIn = Task { try await fixture.signIn() }
    try await gate.reached()
    let peer = try fixture.peer()
    #expect(try await peer.signOut("default").wasSignedIn)
    try await eventually("the sign-out is noticed") {
      await authenticator.defaultLogin?.latest == nil
    }
    gate.open()
    try await signIn.joined
    #expect(try await authenticator.status(of: "default").state == .valid)
    #expect(authenticator.defaultLogin?.lease.generation != nil)
  }

  // Edge case 21
  @Test("a caller that waits while a pair is stored gets no credential of an ended login")
  func joinedSave() async throws {
    let fixture = try await AuthenticationFixture()
    let login = try #require(fixture.authenticator.defaultLogin)
    try await fixture.signIn()
    try await fixture.renewWithoutStoring()
    fixture.store.fail(nil)
    _ = try await CredentialStore(store: fixture.store.backing).remove("default")
    fixture.store.reads.close()
    try await fixture.clock.sleeper(of: .seconds(1))
    fixture.clock.advance(by: .seconds(1))
    try await fixture.store.reads.reached()
    // Every caller waits for it now.
    let flight = try #require(await login.flight)
    fixture.store.reads.open()
    #expect(signInReason(await error { try await flight.value() }) == .signedOut)
    #expect(await fixture.server.statistics().revocations == 1)
  }

  @Test("a storing that a sign-out overtook does not let a second one of the next login begin")
  func overtakenSave() async throws {
    let fixture = try await AuthenticationFixture()
    let login = try #require(fixture.authenticator.defaultLogin)
    try await fixture.signIn()
    try await fixture.renewWithoutStoring()
    weak let lock = await login.unsaved?.lock
    #expect(lock != nil)
    fixture.store.writes.close()
    try await fixture.clock.sleeper(of: .seconds(1))
    fixture.clock.advance(by: .seconds(1))
    try await fixture.store.writes.reached()
    fixture.store.fail(nil)
    _ = try await fixture.authenticator.signOut("default")
    try await fixture.signIn()
    try await fixture.renewWithoutStoring()
    #expect(await login.isSaving)
    fixture.store.writes.open()
    // Only the storing of the first login still holds this lock.
    try await eventually("the first storing is over") { lock == nil }
    for _ in 0..<100 {
      await Task.yield()
      #expect(await login.isSaving)
    }
  }
}
