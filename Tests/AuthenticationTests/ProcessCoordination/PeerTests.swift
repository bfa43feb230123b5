import Foundation
import Networking
import Sandbox
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Other processes with the same login, each simulated by its own authenticator.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct PeerTests {
  // Edge case 29
  @Test("a process that slept through a rotation uses the new pair without a renewal")
  func idleAcrossRotation() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let idle = try fixture.peer()
    _ = try await idle.credential(for: "default")
    fixture.clock.advance(by: .seconds(3_600))
    let renewed = try await fixture.authenticator.credential(for: "default")
    #expect(try await idle.credential(for: "default").generation == renewed.generation)
    #expect(await fixture.refreshes() == 1)
  }

  @Test("a process notices another's rotation without a request")
  func rotationIsNoticed() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let peer = try fixture.peer()
    _ = try await peer.credential(for: "default")
    let changes = peer.credentialChanges()
    fixture.clock.advance(by: .seconds(3_600))
    let renewed = try await fixture.authenticator.credential(for: "default")
    for await change in changes {
      #expect(change.kind == .renewed && change.generation == renewed.generation.rawValue)
      break
    }
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 30
  @Test("a sign-out in one process ends the login in another, even with a valid token")
  func signOutIsNoticed() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let peer = try fixture.peer()
    _ = try await peer.credential(for: "default")
    let changes = peer.credentialChanges()
    _ = try await fixture.authenticator.signOut("default")
    for await change in changes {
      #expect(change.kind == .signedOut)
      break
    }
    let session = try fixture.feature("peer", peer)
    await #expect(throws: AuthenticationError.self) {
      _ = try await session.send(try fixture.connections())
    }
  }

  @Test("a process that holds no login hears of each change by another, also if they cancel")
  func changesWithoutLogin() async throws {
    let fixture = try await AuthenticationFixture()
    let peer = try fixture.peer()
    let changes = peer.credentialChanges()
    try await fixture.signIn()
    _ = try await fixture.authenticator.signOut("default")
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    _ = try await fixture.authenticator.credential(for: "default")
    var kinds: [CredentialChange.Kind] = []
    for await change in changes {
      kinds.append(change.kind)
      if kinds.count == 4 { break }
    }
    #expect(kinds == [.signedIn, .signedOut, .signedIn, .renewed])
    withExtendedLifetime(peer) {}
  }

  @Test("the first use of a login, and a first use without one, are no changes")
  func firstUse() async throws {
    let fixture = try await AuthenticationFixture()
    let peer = try fixture.peer()
    let changes = peer.credentialChanges()
    await #expect(throws: AuthenticationError.self) {
      _ = try await peer.credential(for: "default")
    }
    try await fixture.signIn()
    let later = try fixture.peer(accounts: [fixture.account])
    let ownChanges = later.credentialChanges()
    _ = try await later.credential(for: "default")
    _ = try await later.signOut("default")
    for await change in ownChanges {
      #expect(change.kind == .signedOut)
      break
    }
    var kinds: [CredentialChange.Kind] = []
    for await change in changes {
      kinds.append(change.kind)
      if kinds.count == 2 { break }
    }
    #expect(kinds == [.signedIn, .signedOut])
    withExtendedLifetime((peer, later)) {}
  }

  @Test("a notice keeps the newest changes, and a login that was signed out has no later one")
  func notice() throws {
    let folder = try TemporaryDirectory()
    let notice = LoginNotice(account: "default", folder: folder.path)
    let credential = Credential(
      TokenSet(accessToken: Secret("a"), expiresAt: Date(timeIntervalSince1970: 9.5)), after: nil,
      grant: .provided, now: Date(timeIntervalSince1970: 1))
    notice.post(.signedIn, credential)
    notice.post(.ended(.interruptedRenewal), credential)
    let first = notice.changes()
    #expect(first.map(\.kind) == [.signedIn, .ended(.interruptedRenewal)])
    #expect(first.map(\.number) == [1, 2] && first[0].loginID == credential.loginID)
    #expect(
      first[0].generation == credential.generation && first[0].expiresAt == credential.expiresAt)
    #expect(notice.read() == .stored(credential.generation))
    notice.postSignOut(loginID: credential.loginID)
    notice.post(.renewed, credential)
    #expect(notice.read() == .signedOut(loginID: credential.loginID))
    for _ in 1...200 { notice.postSignOut(loginID: "") }
    #expect(notice.changes().map(\.number) == Array(104...203))
  }

  @Test("a process that was signed out uses the sign-in of another")
  func signInIsNoticed() async throws {
    let fixture = try await AuthenticationFixture()
    let peer = try fixture.peer()
    await #expect(throws: AuthenticationError.self) {
      _ = try await peer.credential(for: "default")
    }
    try await fixture.signIn()
    try await eventually("the peer may ask again") {
      await peer.defaultLogin?.failure == nil
    }
    _ = try await peer.credential(for: "default")
  }

  // Edge case 21
  @Test("a renewal revokes its new pair if a peer signed out meanwhile")
  func lateRenewal() async throws {
    let (fixture, gate, renewing) = try await AuthenticationFixture.holdingRenewal()
    // The steps of a sign-out that could not take the lock.
    _ = try await CredentialStore(store: fixture.store.backing).remove("default")
    gate.open()
    #expect(await ending { try await renewing.joined } == "signInRequired(signedOut)")
    #expect(try await fixture.record() == nil)
    #expect(await fixture.server.statistics().revocations == 1)
  }

  @Test("a record that a late write restored after the sign-out does not count")
  func signedOutForGood() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let key = SecretKey(service: "appcore", account: "default")
    let old = try #require(try await fixture.store.backing.secret(for: key))
    _ = try await fixture.authenticator.signOut("default")
    try await fixture.store.backing.store(old, for: key, label: "late")
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "signInRequired(notSignedIn)")
    try await fixture.signIn()
    _ = try await fixture.authenticator.credential(for: "default")
  }

  @Test("a pair that cannot be stored keeps other processes from spending the old token")
  func unsavedKeepsLock() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let peer = try fixture.peer(lockTimeout: .milliseconds(100))
    fixture.clock.advance(by: .seconds(3_600))
    fixture.store.failWrites(.locked, after: 1)
    let served = try await fixture.authenticator.credential(for: "default")
    #expect(await ending { try await peer.credential(for: "default") } == "lockUnavailable")
    fixture.store.fail(nil)
    try await fixture.authenticator.drain()
    #expect(try await peer.credential(for: "default").generation == served.generation)
    #expect(await fixture.server.statistics().refreshReuseDetected == 0)
  }

  // Edge case 25
  @Test("a stopped holder of the lock delays others for a limited time and ends no login")
  func stoppedHolder() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let peer = try fixture.peer(lockTimeout: .milliseconds(200))
    fixture.clock.advance(by: .seconds(3_600))
    let lock = try #require(try FileLockHolder(fixture.authenticator.lockPath(for: "default")))
    #expect(await ending { try await peer.credential(for: "default") } == "lockUnavailable")
    try await eventually("the holder is named") {
      try await peer.status(of: "default").lockHolder == getpid()
    }
    lock.release()
    _ = try await peer.credential(for: "default")
    #expect(try await peer.status(of: "default").lockHolder == nil)
  }

  // Edge case 27
  @Test("a process waits for another's exchange even if the lock's file was removed")
  func unlinkedLock() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    // This test's parent stands for another live process with an exchange under way.
    let other = try #require(ProcessIdentity(of: getppid()))
    try await fixture.interruptRenewal(after: 3_600, process: other)
    fixture.clock.advance(by: .seconds(3_600))
    let waiter = fixture.asking()
    try await fixture.clock.awaitSleeper()
    let newer = Credential(
      TokenSet(accessToken: Secret("newer")), after: try await fixture.record()?.generation,
      grant: .provided, now: fixture.clock.wall)
    try await fixture.replace { record in
      record.content = .active(newer)
      record.pendingExchange = nil
    }
    fixture.clock.advance(by: .seconds(1))
    #expect(try await waiter.joined.generation == newer.generation)
    #expect(await fixture.refreshes() == 0)
  }

  // Edge case 27
  @Test(
    "a wait for another's exchange that times out spends no token while that may be under way",
    arguments: [true, false])
  func unlinkedLockTimesOut(mayBeUnderWay: Bool) async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let other = try #require(ProcessIdentity(of: getppid()))
    try await fixture.interruptRenewal(after: 3_600, process: other)
    let limit = fixture.session.configuration.exchangeLimit
    fixture.clock.advance(by: .seconds(3_600) + (mayBeUnderWay ? .zero : limit))
    let impatient = try fixture.peer(lockTimeout: .seconds(1))
    let waiter = Task { try await impatient.credential(for: "default") }
    try await fixture.clock.sleeper(of: .milliseconds(100))
    fixture.clock.advance(by: .seconds(1))
    if mayBeUnderWay {
      #expect(await ending { try await waiter.joined } == "lockUnavailable")
    } else {
      _ = try await waiter.joined
    }
    #expect(await fixture.refreshes() == (mayBeUnderWay ? 0 : 1))
  }

  // Edge case 27
  @Test("a read-only lock folder fails renewals, and a valid token is still served")
  func readOnlyFolder() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let peer = try fixture.peer(lockFolder: "/proc/self")
    _ = try await peer.credential(for: "default")
    fixture.clock.advance(by: .seconds(3_600))
    #expect(await ending { try await peer.credential(for: "default") } == "lockUnavailable")
    #expect(await fixture.refreshes() == 0)
  }
}
