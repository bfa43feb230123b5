import Foundation
import HTTPTypes
import Networking
import Sandbox
import SecureStore
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct WaiterTests {
  // Edge cases 9 and 10
  @Test("the caller that started a refresh can leave without harm to the others or the stored pair")
  func initiatorLeaves() async throws {
    let (fixture, gate, first) = try await AuthenticationFixture.holdingRenewal()
    let authenticator = fixture.authenticator
    // The renewal is the first one's, and has spent its token.
    let second = fixture.asking()
    first.cancel()
    await #expect(throws: CancellationError.self) { _ = try await first.joined }
    gate.open()
    _ = try await second.joined
    #expect(await fixture.refreshes() == 1)

    fixture.clock.advance(by: .seconds(7_200))
    gate.close()
    let last = fixture.asking()
    try await gate.reached()
    last.cancel()
    await #expect(throws: CancellationError.self) { _ = try await last.joined }
    gate.open()
    try await authenticator.drain()
    #expect(await fixture.refreshes() == 2)
    #expect(try await authenticator.status(of: "default").state == .valid)
  }

  // Edge cases 11 and 12
  @Test("an outcome does not keep a waiter that was cancelled before it came")
  func cancelledBefore() async throws {
    let outcome = SharedOutcome<Int>()
    let waiter = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await outcome.value()
    }
    await #expect(throws: CancellationError.self) { _ = try await waiter.joined }
    outcome.resolve(.success(1))
    outcome.resolve(.success(2))
    #expect(try await outcome.value() == 1)
  }

  // Edge case 13
  @Test("one session's cancelAll leaves the refresh and the other session running")
  func sessionsAreApart() async throws {
    let gate = TokenGate()
    let fixture = try await AuthenticationFixture(gate: gate).expired()
    gate.close()
    let a = try fixture.feature("a")
    let b = try fixture.feature("b")
    let request = try fixture.connections()
    let fromA = Task { try await a.send(request) }
    // The renewal is A's.
    try await gate.reached()
    let fromB = Task { try await b.send(request) }
    a.cancelAll()
    await #expect(throws: SessionError.self) { _ = try await fromA.joined }
    gate.open()
    #expect(try await fromB.joined.head.status.code == 200)
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 14
  @Test("a request that times out before the refresh gets its error, and the refresh continues")
  func impatientModule() async throws {
    let gate = TokenGate()
    let fixture = try await AuthenticationFixture(gate: gate).expired()
    gate.close()
    let session = try fixture.feature { $0.timeout.request = .milliseconds(50) }
    #expect(
      await ending { try await session.send(try fixture.connections()) } == "timedOut(request)")
    gate.open()
    _ = try await fixture.authenticator.credential(for: "default")
    #expect(await fixture.refreshes() == 1)
  }

  // Edge case 4
  @Test("a late 401 for an old token gets the newer token without a refresh")
  func lateRejection() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let old = try await fixture.authenticator.credential(for: "default")
    let renewed = try await fixture.authenticator.replaceCredential(
      for: "default", rejected: old.generation)
    #expect(renewed)
    for _ in 0..<10 {
      let again = try await fixture.authenticator.replaceCredential(
        for: "default", rejected: old.generation)
      #expect(again)
    }
    #expect(await fixture.refreshes() == 1)
  }

  // Edge cases 7 and 8
  @Test(
    "a 401 repeats the whole body, and the token endpoint never sees a token of the account")
  func bodiesAndEndpoint() async throws {
    func answer(_ status: String, _ body: String) -> ScriptedServer.Step {
      .reply(
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: "
          + "\(body.utf8.count)\r\nConnection: close\r\n\r\n" + body)
    }
    let server = try ScriptedServer([
      answer("401 Unauthorized", ""), answer("200 OK", #"{"access_token":"second"}"#),
      answer("200 OK", "done"),
    ])
    let url = try #require(URL(string: server.url))
    let folder = try TemporaryDirectory()
    let session = Session(name: "auth", configuration: .patient)
    let account = try #require(
      Account(
        name: "default",
        server: .endpoints(AuthorizationServer(authorizationEndpoint: url, tokenEndpoint: url)),
        client: OAuthClient(id: "c")))
    let authenticator = try Authenticator(
      accounts: [account], store: InMemorySecretStore(), session: session,
      lockFolder: folder.path)
    _ = try await authenticator.setTokens(
      TokenSet(accessToken: Secret("first"), refreshToken: Secret("r")), for: "default")
    let origin = try #require(Origin(url))
    let feature = Session(
      name: "x", configuration: SessionConfiguration(),
      authorizer: try authenticator.authorizer(for: "default", origins: [origin]))
    let request = try Request(method: .post, url: url, body: Array("the whole body".utf8))
    #expect(try await feature.send(request).body == Array("done".utf8))
    let count = server.requests.count
    try #require(count == 3)
    #expect(server.requests[0].hasSuffix("the whole body"))
    #expect(server.requests[0].contains("Bearer first"))
    #expect(!server.requests[1].lowercased().contains("authorization:"))
    #expect(server.requests[2].hasSuffix("the whole body"))
    #expect(server.requests[2].contains("Bearer second"))
  }

  // Edge case 21
  @Test("a sign-out ends waiters, and a late refresh does not restore the login")
  func signOutWins() async throws {
    let (fixture, gate, waiter) = try await AuthenticationFixture.holdingRenewal()
    let authenticator = fixture.authenticator
    let signOut = Task { try await authenticator.signOut("default") }
    // From here on the account is being signed out.
    try await eventually("the login is forgotten") {
      await authenticator.defaultLogin?.flight == nil
    }
    gate.open()
    #expect(try await signOut.joined.wasSignedIn)
    await #expect {
      _ = try await waiter.joined
    } throws: { error in
      if case AuthenticationError.signInRequired = error { true } else { false }
    }
    try await authenticator.drain()
    #expect(try await authenticator.status(of: "default").state == .signedOut)
  }

  // Edge case 33
  @Test("a sign-out offline succeeds and reports that nothing was revoked")
  func signOutOffline() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    await fixture.server.stop()
    let report = try await fixture.authenticator.signOut("default")
    #expect(report.wasSignedIn && !report.isRevoked)
    #expect(try await fixture.authenticator.status(of: "default").state == .signedOut)
  }

  @Test("a sign-out removes a login of another server and sends its tokens nowhere")
  func signOutOfAnotherServer() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let other = try ScriptedServer([
      .reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    ])
    let url = try #require(URL(string: other.url))
    let account = try #require(
      Account(
        name: "default",
        server: .endpoints(
          AuthorizationServer(
            authorizationEndpoint: url, tokenEndpoint: url, revocationEndpoint: url)),
        client: fixture.account.client))
    let peer = try Authenticator(
      accounts: [account], store: TestStore(backing: fixture.store.backing),
      session: fixture.session, lockFolder: fixture.folder.path)
    #expect(try await peer.status(of: "default").state == .signedOut)
    let report = try await peer.signOut("default")
    #expect(report.wasSignedIn && !report.isRevoked)
    #expect(other.requests.isEmpty)
    #expect(try await fixture.record() == nil)
  }

  @Test("a second authenticator for the same store is refused")
  func onePerStore() async throws {
    let fixture = try await AuthenticationFixture()
    #expect(throws: AuthenticationError.self) {
      _ = try Authenticator(
        accounts: [], store: fixture.store, session: fixture.session,
        lockFolder: fixture.folder.path)
    }
  }

  // Edge case 42
  @Test("an authorizer sends credentials to its own origin only")
  func originBound() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let session = try fixture.feature()
    let elsewhere = try Request(url: try #require(URL(string: "http://127.0.0.1:9/connections")))
    #expect(await ending { try await session.send(elsewhere) } == "credentialsRefused")
  }
}
