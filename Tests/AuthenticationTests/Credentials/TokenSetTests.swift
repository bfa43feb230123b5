import Foundation
import Networking
import Sandbox
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import Authentication

/// A front end's own login: its tokens are set, renewed, followed and removed.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct TokenSetTests {
  @Test("tokens that are set are used and stored, and malformed ones are refused")
  func setting() async throws {
    let fixture = try await AuthenticationFixture()
    let status = try await fixture.authenticator.setTokens(
      TokenSet(accessToken: Secret("mine")), for: "default")
    #expect(status.state == .valid && status.expiresAt == nil)
    #expect(
      try await fixture.authenticator.credential(for: "default").accessToken == Secret("mine"))
    for text in ["", "a b", "ä"] {
      #expect(
        signInFailure(
          await error {
            try await fixture.authenticator.setTokens(
              TokenSet(accessToken: Secret(text)), for: "default")
          }) == .malformedToken)
    }
  }

  @Test("each sign-in has its own login ID, and renewals keep it")
  func logins() async throws {
    let fixture = try await AuthenticationFixture()
    await #expect(throws: AuthenticationError.self) {
      try await fixture.authenticator.loginID(of: "default")
    }
    try await fixture.signIn()
    let first = try await fixture.authenticator.loginID(of: "default")
    #expect(await fixture.authenticator.currentLoginID(of: "default") == first)
    fixture.clock.advance(by: .seconds(3_600))
    #expect(try await fixture.authenticator.loginID(of: "default") == first)
    #expect(await fixture.refreshes() == 1)
    try await fixture.signIn()
    #expect(try await fixture.authenticator.loginID(of: "default") != first)
    _ = try await fixture.authenticator.signOut("default")
    #expect(await fixture.authenticator.currentLoginID(of: "default") == nil)
  }

  @Test("provided tokens have different login IDs that reveal little of them")
  func providedLogins() async throws {
    var marks: [String] = []
    for token in ["one-company", "one-company", "another-company"] {
      let fixture = try await AuthenticationFixture { _ in
      } account: {
        $0.providedTokens = TokenSet(accessToken: Secret(token))
      }
      marks.append(try await fixture.authenticator.loginID(of: "default"))
    }
    #expect(marks[0] == marks[1] && marks[0] != marks[2])
    #expect(marks.allSatisfy { $0.count == "provided:".count + 4 })
  }

  // Edge case 21
  @Test("tokens that are set during a renewal win over its result")
  func settingDuringRenewal() async throws {
    let (fixture, gate, waiter) = try await AuthenticationFixture.holdingRenewal()
    let authenticator = fixture.authenticator
    let setting = Task {
      try await authenticator.setTokens(TokenSet(accessToken: Secret("mine")), for: "default")
    }
    try await eventually("they are being set") {
      await authenticator.defaultLogin?.signInTask != nil
    }
    gate.open()
    _ = try await setting.joined
    _ = try await waiter.joined
    #expect(try await authenticator.credential(for: "default").accessToken == Secret("mine"))
    let stored = try #require(try await fixture.record()?.credential)
    #expect(stored.accessToken == Secret("mine"))
  }

  @Test("a front end's own renewal runs once for all callers, and values that it omits stay")
  func customRenewal() async throws {
    let calls = Mutex(0)
    let fixture = try await AuthenticationFixture { _ in
    } account: { account in
      account.refresh = { old in
        let number = calls.withLock { calls in
          calls += 1
          return calls
        }
        #expect(old.refreshToken == Secret("r"))
        return TokenSet(
          accessToken: Secret("renewed-\(number)"),
          expiresAt: old.expiresAt?.addingTimeInterval(3_600))
      }
    }
    _ = try await fixture.authenticator.setTokens(
      TokenSet(
        accessToken: Secret("first"), refreshToken: Secret("r"),
        expiresAt: fixture.clock.wall.addingTimeInterval(3_600), scopes: ["s"]), for: "default")
    fixture.clock.advance(by: .seconds(3_600))
    let authenticator = fixture.authenticator
    let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<50 {
        group.addTask { try await authenticator.credential(for: "default").accessToken }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens.allSatisfy { $0 == Secret("renewed-1") } && tokens.count == 50)
    let stored = try #require(try await fixture.record()?.credential)
    #expect(stored.refreshToken == Secret("r") && stored.scopes == ["s"])
  }

  @Test("a front end's own renewal can end the login")
  func customRenewalFails() async throws {
    struct Offline: Error {}
    let isOver = Mutex(false)
    let fixture = try await AuthenticationFixture { _ in
    } account: { account in
      account.refresh = { _ in
        if isOver.withLock({ $0 }) {
          throw AuthenticationError.signInRequired(account: "default", reason: .rejected)
        }
        throw Offline()
      }
    }
    _ = try await fixture.authenticator.setTokens(
      TokenSet(accessToken: Secret("first"), expiresAt: fixture.clock.wall.addingTimeInterval(60)),
      for: "default")
    fixture.clock.advance(by: .seconds(60))
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "temporarilyUnavailable")
    isOver.withLock { $0 = true }
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "signInRequired(rejected)")
  }

  @Test("a reset ends waiters and removes the login without a request to the server")
  func reset() async throws {
    let (fixture, gate, waiter) = try await AuthenticationFixture.holdingRenewal()
    let authenticator = fixture.authenticator
    let reset = Task { try await authenticator.reset("default") }
    try await eventually("the login is forgotten") {
      await authenticator.defaultLogin?.flight == nil
    }
    gate.open()
    try await reset.joined
    await #expect(throws: AuthenticationError.self) { _ = try await waiter.joined }
    #expect(try await fixture.record() == nil)
  }

  @Test("any number of listeners follow the changes, and one that leaves is removed")
  func changes() async throws {
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    var streams = [authenticator.credentialChanges(), authenticator.credentialChanges()]
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(3_600))
    _ = try await authenticator.credential(for: "default")
    _ = try await authenticator.signOut("default")
    while let stream = streams.popLast() {
      var kinds: [CredentialChange.Kind] = []
      for await change in stream {
        kinds.append(change.kind)
        if kinds.count == 3 { break }
      }
      #expect(kinds == [.signedIn, .renewed, .signedOut])
    }
    try await eventually("the listeners are removed") {
      !authenticator.context.changes.hasListeners
    }
  }

  // Edge case 22
  @Test("a renewal, a rejection and a sign-out of one account leave another alone")
  func accountsAreApart() async throws {
    let fixture = try await AuthenticationFixture()
    var other = try #require(
      Account(
        name: "other", server: fixture.account.server, client: fixture.account.client,
        scopes: fixture.account.scopes))
    other.audience = "x"
    let both = try fixture.peer(accounts: [fixture.account, other])
    for name in ["default", "other"] {
      _ = try await both.signIn(
        name, with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
    }
    let before = try await both.credential(for: "other")
    fixture.clock.advance(by: .seconds(1_000))
    _ = try await both.replaceCredential(
      for: "default", rejected: try await both.credential(for: "default").generation)
    _ = try await both.signOut("default")
    #expect(try await both.credential(for: "other").generation == before.generation)
    #expect(try await both.status(of: "other").state == .valid)
    #expect(await fixture.refreshes() == 1)
  }

  @Test("concurrent sign-ins ask the user once, and end when the last caller leaves")
  func signInIsShared() async throws {
    final class User: AuthenticationDelegate {
      let asked = Mutex(0)
      func showAuthorizationPage(_ url: URL) async throws { asked.withLock { $0 += 1 } }
    }
    let fixture = try await AuthenticationFixture()
    let authenticator = fixture.authenticator
    let user = User()
    let tasks = (0..<5).map { _ in
      Task {
        try await authenticator.signIn("default", with: .authorizationCode(delegate: user))
      }
    }
    try await eventually("the page is shown") { user.asked.withLock { $0 } == 1 }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { _ = try await task.joined }
    }
    try await eventually("the sign-in is over") {
      await authenticator.defaultLogin?.signInTask == nil
    }
    #expect(user.asked.withLock { $0 } == 1)
    try await fixture.signIn()
  }

  @Test("a flow that a front end does not support fails with notOffered")
  func notOffered() async throws {
    struct Silent: AuthenticationDelegate {}
    let fixture = try await AuthenticationFixture()
    for method in [
      SignInMethod.authorizationCode(delegate: Silent()), .deviceCode(delegate: Silent()),
    ] {
      #expect(
        signInFailure(
          await error { try await fixture.authenticator.signIn("default", with: method) })
          == .notOffered)
    }
  }
}
