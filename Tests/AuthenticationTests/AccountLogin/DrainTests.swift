import Foundation
import Networking
import SecureStore
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

/// Work that a drain waits for, and work that it no longer starts.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DrainTests {
  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#

  // Edge case 15
  @Test("a drain waits for an exchange that has begun, even when hurried, and stores the pair")
  func begun() async throws {
    let gate = Gate()
    let fixture = try await WireFixture([[.pause(until: gate), .tokens(Self.tokens)]])
    let authenticator = fixture.authenticator
    let waiter = fixture.asking()
    try await fixture.server.requests(become: 1)
    let waits = Mutex<[DrainedWork]>([])
    let hurried = SharedOutcome<Void>()
    hurried.resolve(.success(()))
    let drain = Task {
      try await authenticator.drain(hurried: hurried) { work in
        waits.withLock { $0.append(work) }
      }
    }
    try await eventually("the drain waits") { !waits.withLock { $0 }.isEmpty }
    gate.open()
    try await drain.value
    #expect(waits.withLock { $0 } == [.renewal(account: "default")])
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
    #expect(try await waiter.joined.accessToken == Secret("a1"))
  }

  @Test("a renewal that waits for another process begins no exchange after a drain")
  func waitingForLock() async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    let authenticator = fixture.authenticator
    let lock = try #require(try FileLockHolder(authenticator.lockPath(for: "default")))
    let waiter = fixture.asking()
    try await eventually("the renewal is under way") {
      await authenticator.defaultLogin?.flight != nil
    }
    // It does not wait until the lock is free.
    try await authenticator.drain()
    let failure = await error { try await waiter.joined }
    #expect(temporaryCause(failure) is AuthenticatorClosing)
    lock.release()
    #expect(temporaryCause(await fixture.failure()) is AuthenticatorClosing)
    #expect(fixture.server.requests.isEmpty)
    #expect(try await fixture.record()?.pendingExchange == nil)
  }

  @Test("a replay that waits for an earlier request begins no exchange after a drain")
  func settling() async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    let authenticator = fixture.authenticator
    var record = try #require(try await fixture.record())
    record.pendingExchange = .init(Secret("r0"), at: fixture.clock.wall)
    try await CredentialStore(store: fixture.store.backing).save(record, for: "default")
    let waiter = fixture.asking()
    try await fixture.clock.awaitSleeper()
    try await authenticator.drain()
    await #expect(throws: AuthenticationError.self) { _ = try await waiter.joined }
    #expect(fixture.server.requests.isEmpty)
  }

  @Test("a drain ends a sign-in that waits for the user, and refuses new ones")
  func signIn() async throws {
    final class User: AuthenticationDelegate {
      let gate = Gate()
      func showAuthorizationPage(_ url: URL) async throws { gate.open() }
    }
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    let authenticator = fixture.authenticator
    let user = User()
    let waiter = Task {
      try await authenticator.signIn("default", with: .authorizationCode(delegate: user))
    }
    await user.gate.wait()
    try await authenticator.drain()
    await #expect(throws: AuthenticationError.self) { _ = try await waiter.joined }
    await #expect(throws: AuthenticationError.self) {
      _ = try await authenticator.setTokens(TokenSet(accessToken: Secret("x")), for: "default")
    }
    #expect(try await fixture.stored()?.refreshToken == Secret("r0"))
  }

  // Edge case 17
  @Test("a drain reports an unsaved login, and gives it up when hurried")
  func unsaved() async throws {
    let fixture = try await WireFixture([[.tokens(Self.tokens)]])
    fixture.store.failWrites(.locked, after: 1)
    #expect(await fixture.failure() == nil)
    let hurried = SharedOutcome<Void>()
    hurried.resolve(.success(()))
    let waits = Mutex<[DrainedWork]>([])
    await #expect {
      try await fixture.authenticator.drain(hurried: hurried) { work in
        waits.withLock { $0.append(work) }
      }
    } throws: { error in
      if case AuthenticationError.keptSealed = error { true } else { false }
    }
    #expect(waits.withLock { $0 } == [.unsavedLogin(account: "default")])
  }

  // Edge case 17
  @Test("a drain tries to store every login, and names each account whose login it cannot store")
  func severalAccounts() async throws {
    let fixture = try await WireFixture([
      [.tokens(Self.tokens)],
      [.tokens(#"{"access_token":"a2","refresh_token":"r2","expires_in":1800}"#)],
    ])
    let names = ["first", "second"]
    let store = TestStore(backing: fixture.store.backing)
    let authenticator = try Authenticator(
      accounts: names.compactMap {
        Account(name: $0, server: fixture.account.server, client: fixture.account.client)
      },
      store: store, session: fixture.session, lockFolder: fixture.folder.path, logger: .silent,
      time: fixture.clock.source)
    let record = try #require(try await fixture.record())
    let credentials = CredentialStore(store: store.backing)
    for name in names {
      try await credentials.save(record, for: name)
      store.failWrites(.locked, after: 1)
      _ = try await authenticator.credential(for: name)
    }
    await #expect {
      try await authenticator.drain()
    } throws: { error in
      "\(error)"
        == "cannot store the renewed logins of accounts 'first', 'second': the keyring is locked"
    }
    // From now on, only one read fails: that for the first account.
    store.failRead(.locked, after: 0)
    await #expect {
      try await authenticator.drain()
    } throws: { error in
      if case AuthenticationError.keptSealed(let accounts, _) = error {
        accounts == ["first"]
      } else {
        false
      }
    }
    guard case .active(let saved)? = try await credentials.record(of: "second")?.content else {
      Issue.record("the second login is lost")
      return
    }
    #expect(saved.refreshToken == Secret("r2"))
  }

  @Test("a sign-in that is cancelled during a renewal ends and does not block the account")
  func cancelledSignIn() async throws {
    let gate = Gate()
    let fixture = try await WireFixture([[.pause(until: gate), .tokens(Self.tokens)]])
    let authenticator = fixture.authenticator
    let renewal = fixture.asking()
    try await fixture.server.requests(become: 1)
    let signIn = Task {
      try await authenticator.setTokens(TokenSet(accessToken: Secret("x")), for: "default")
    }
    try await eventually("it waits for the renewal") {
      await authenticator.defaultLogin?.storingSignIn != nil
    }
    signIn.cancel()
    await #expect(throws: CancellationError.self) { _ = try await signIn.joined }
    // The actor answers, and the sign-in is over, while the renewal is still under way.
    try await eventually("the sign-in is over") {
      await authenticator.defaultLogin?.signInTask == nil
    }
    #expect(await authenticator.defaultLogin?.flight != nil)
    gate.open()
    #expect(try await renewal.joined.accessToken == Secret("a1"))
  }

  @Test("a save that is cancelled during a renewal ends and does not block the account")
  func cancelledSave() async throws {
    let gate = Gate()
    let fixture = try await WireFixture([[.pause(until: gate), .tokens(Self.tokens)]])
    // A save that blocks the account would also keep the renewal from ending.
    defer { gate.open() }
    let login = try #require(fixture.authenticator.defaultLogin)
    let renewal = fixture.asking()
    try await fixture.server.requests(become: 1)
    let hasEnded = Gate()
    let save = Task {
      await login.save()
      hasEnded.open()
    }
    save.cancel()
    try await eventually("the save is over") { hasEnded.isOpen }
    #expect(await login.flight != nil)
    gate.open()
    #expect(try await renewal.joined.accessToken == Secret("a1"))
  }
}
