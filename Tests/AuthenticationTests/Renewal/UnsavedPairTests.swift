import Foundation
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// A pair that is newer than the stored one.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct UnsavedPairTests {
  // Edge case 38
  @Test("a renewal replaces an older pair that a late write restored")
  func lateWrite() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let key = SecretKey(service: "appcore", account: "default")
    let old = try #require(try await fixture.store.backing.secret(for: key))
    fixture.clock.advance(by: .seconds(3_600))
    let new = try await fixture.authenticator.credential(for: "default")
    try await fixture.store.backing.store(old, for: key, label: "late")
    _ = try await fixture.authenticator.credential(for: "default")
    #expect(try await fixture.record()?.generation == new.generation)
    #expect(await fixture.refreshes() == 1)
  }

  @Test("the end of a login releases the lock of its unsaved pair")
  func unsavedAndEnded() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    try await fixture.renewWithoutStoring()
    fixture.store.fail(nil)
    _ = try await CredentialStore(store: fixture.store.backing).remove("default")
    // After a sign-out the unsaved pair is revoked, and the next sign-in finds the lock free.
    try await fixture.authenticator.drain()
    #expect(await fixture.server.statistics().revocations == 1)
    let peer = try fixture.peer()
    _ = try await peer.signIn(
      "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
  }

  @Test("a sign-in and a sign-out release the lock of an unsaved pair and revoke the valid one")
  func unsavedAndReplaced() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    try await fixture.renewWithoutStoring()
    fixture.store.fail(nil)
    try await fixture.signIn()
    #expect(await fixture.authenticator.defaultLogin?.unsaved == nil)
    try await fixture.renewWithoutStoring()
    fixture.store.fail(nil)
    let report = try await fixture.authenticator.signOut("default")
    #expect(report.isRevoked)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
    try await fixture.signIn()
    #expect(await fixture.failure() == nil)
  }
}
