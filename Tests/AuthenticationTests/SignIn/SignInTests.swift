import Foundation
import Networking
import Sandbox
import SecureStore
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SignInTests {
  @Test("the verifier of RFC 7636 appendix B gives its challenge")
  func proofKey() {
    let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(ProofKey().verifier != ProofKey().verifier)
  }

  // Edge case 39
  @Test(
    "only the answer with the right path and state counts",
    arguments: [
      ("/favicon.ico", 404), ("/callback?code=c&state=wrong", 400), ("/callback?code=c", 400),
      ("/callback", 400), ("/callback?code=c&state=s&state=s", 400), ("/callback?state=s", 400),
      ("/callback?code=%FF&state=s", 400),
    ])
  func foreignCallbacks(target: String, status: Int) async throws {
    let receiver = CallbackReceiver(path: "/callback", state: Secret("s"))
    #expect(receiver.receive(method: "GET", target: target).status == status)
    #expect(receiver.receive(method: "POST", target: "/callback?code=c&state=s").status == 405)
    for code in ["first", "second"] {
      let reply = receiver.receive(method: "GET", target: "/callback?code=\(code)&state=s")
      #expect(reply.status == 200)
      receiver.finish(reply)
    }
    guard case .code(let code) = try await receiver.outcome.value().answer else {
      Issue.record("no code")
      return
    }
    #expect(code == Secret("first"))
  }

  // Edge case 39, RFC 9207
  @Test("an answer from another issuer, or without the announced one, is refused")
  func issuers() throws {
    let url = try #require(URL(string: "https://a.example/x"))
    var server = AuthorizationServer(
      issuer: "https://a.example", authorizationEndpoint: url, tokenEndpoint: url)
    func callback(_ issuer: String?) -> AuthorizationCallback {
      AuthorizationCallback(answer: .code(Secret("c")), issuer: issuer)
    }
    #expect(callback(nil).comes(from: server))
    #expect(!callback("https://b.example").comes(from: server))
    server.announcesIssuer = true
    #expect(!callback(nil).comes(from: server))
    #expect(callback("https://a.example").comes(from: server))
  }

  @Test("a sign-in that is cancelled while its tokens are stored succeeds")
  func cancelledTooLate() async throws {
    let fixture = try await AuthenticationFixture()
    fixture.store.writes.close()
    let signIn = Task { try await fixture.signIn() }
    try await fixture.store.writes.reached()
    signIn.cancel()
    fixture.store.writes.open()
    try await signIn.joined
    #expect(try await fixture.authenticator.status(of: "default").state == .valid)
  }

  @Test("a sign-in that is cancelled before its tokens are stored stores none")
  func cancelledInTime() async throws {
    let fixture = try await AuthenticationFixture()
    let lock = try #require(
      try FileLockHolder(fixture.authenticator.lockPath(for: "default")))
    let signIn = Task { try await fixture.signIn() }
    try await eventually("the sign-in has its tokens") {
      await fixture.authenticator.defaultLogin?.storingSignIn != nil
    }
    signIn.cancel()
    await #expect(throws: CancellationError.self) { try await signIn.joined }
    lock.release()
    try await eventually("the sign-in is over") {
      await fixture.authenticator.defaultLogin?.signInTask == nil
    }
    #expect(try await fixture.record() == nil)
  }

  @Test("a machine signs in with its secret and renews without a refresh token")
  func clientCredentials() async throws {
    let fixture = try await AuthenticationFixture()
    let account = try #require(
      Account(
        name: "machine", server: .discovery(issuer: fixture.server.url),
        client: OAuthClient(
          id: fixture.server.machineClientID, secret: Secret(fixture.server.machineClientSecret))))
    let authenticator = try Authenticator(
      accounts: [account], store: InMemorySecretStore(), session: fixture.session,
      lockFolder: fixture.folder.path, time: fixture.clock.source)
    let status = try await authenticator.signIn("machine", with: .clientCredentials)
    #expect(status.state == .valid)
    fixture.clock.advance(by: .seconds(3_600))
    let renewed = try await authenticator.credential(for: "machine")
    #expect(renewed.generation.rawValue > (status.generation ?? 0))
    #expect(await fixture.server.statistics().tokenRequests["client_credentials"] == 2)
  }

  @Test("a server with only OpenID metadata is discovered behind its path")
  func openIDDiscovery() async throws {
    let server = try ScriptedServer([
      .reply("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
      .reply("HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    ])
    let fixture = try await AuthenticationFixture()
    let issuer = try #require(URL(string: server.url + "/tenant/"))
    let discovery = ServerDiscovery(session: fixture.session)
    await #expect(throws: DiscoveryError.unavailable(status: 503)) {
      try await discovery.server(of: issuer)
    }
    #expect(
      server.requests.prefix(2).map { $0.split(separator: " ")[1] } == [
        "/.well-known/oauth-authorization-server/tenant",
        "/tenant/.well-known/openid-configuration",
      ])
    let metadata = try ServerDiscovery.server(
      from: Array(
        """
        {"issuer": "\(server.url)/tenant", "authorization_endpoint": "\(server.url)/a",
         "token_endpoint": "\(server.url)/t"}
        """.utf8), issuer: issuer)
    #expect(metadata.tokenEndpoint.path() == "/t" && metadata.revocationEndpoint == nil)
  }

  // Edge case 16
  @Test(
    "token responses are read leniently",
    arguments: [
      (#"{"access_token":"a","token_type":"Bearer"}"#, nil as Double?),
      (#"{"access_token":"a","token_type":"bearer","expires_in":"60"}"#, 60),
      (#"{"access_token":"a","expires_in":0}"#, nil),
      (#"{"access_token":"a","expires_at":1060}"#, 60),
      (#"{"access_token":"a","expires_at":"1970-01-01T00:17:40Z"}"#, 60),
      (#"{"access_token":"a","expires_in":[60]}"#, nil),
      (#"{"access_token":"a","expires_in":{},"expires_at":1060}"#, 60),
      (#"{"access_token":"a","token_type":["Bearer"],"expires_in":60}"#, 60),
      (#"{"access_token":"a","refresh_token":5,"expires_in":1e999,"id_token":{}}"#, nil),
    ])
  func tokenResponses(body: String, lifetime: Double?) throws {
    let now = Date(timeIntervalSince1970: 1_000)
    let response = try #require(TokenResponse(body: Array(body.utf8), receivedAt: now))
    #expect(response.expiresAt == lifetime.map { now.addingTimeInterval($0) })
  }

  @Test(
    "a response without a token is refused",
    arguments: [
      "", "<html>", "{}", #"{"access_token":""}"#, #"{"access_token":"a b"}"#,
      #"{"access_token":"a\r\nX: y"}"#, #"{"access_token":"a","token_type":"mac"}"#, "[]",
      #"{"refresh_token":""}"#, #"{"refresh_token":["r"]}"#,
    ])
  func refusedTokenResponses(body: String) {
    #expect(TokenResponse(body: Array(body.utf8), receivedAt: Date()) == nil)
  }

  private static func record(_ members: String) -> String {
    #"{"version":1,"server":"s","clientID":"c","generation":1,"accessToken":"a","#
      + #""refreshToken":"r","grant":"provided","login":"l""# + (members.isEmpty ? "" : ",")
      + members
      + "}"
  }

  // Edge case 20
  @Test(
    "a damaged or newer record requires a sign-in and stays where it is", .serialized,
    arguments: [
      "", "{", #"{"version":2}"#, #"{"version":1}"#,
      record(#""expiresAt":1e300"#), record(#""obtainedAt":-1e300"#),
      record(#""obtainedAt":0,"expiresAt":1e15"#), record(#""clockSkew":1e300"#),
      record(#""endedAt":1e300"#), record(#""refusals":{"count":1,"lastAt":-1e18}"#),
      record(#""refusals":{"count":9223372036854775807,"lastAt":0}"#),
      record(
        #""pendingExchange":{"hash":"x","startedAt":1e300,"lastSentAt":0,"process":{"processID":1,"startTime":1}}"#
      ),
      record(
        #""pendingExchange":{"hash":"x","startedAt":0,"lastSentAt":-1e300,"process":{"processID":1,"startTime":1}}"#
      ),
      record("").replacing(#""generation":1"#, with: #""generation":18446744073709551615"#),
    ])
  func damagedRecords(text: String) async throws {
    let fixture = try await AuthenticationFixture()
    let key = SecretKey(service: "appcore", account: "default")
    try await fixture.store.store(Secret(text), for: key, label: "x")
    #expect(
      await ending { try await fixture.authenticator.credential(for: "default") }
        == "signInRequired(unreadable)")
    #expect(try await fixture.store.secret(for: key) == Secret(text))
    await #expect(throws: AuthenticationError.self) {
      _ = try await fixture.authenticator.status(of: "default")
    }
    let peer = try fixture.peer()
    #expect(try await peer.signOut("default").wasSignedIn)
    try await fixture.store.store(Secret(text), for: key, label: "x")
    try await fixture.signIn()
    #expect(try await fixture.authenticator.status(of: "default").state == .valid)
  }
}
