import Foundation
import HTTPTypes
import Networking
import SecureStore
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

/// Requests to the listener of a sign-in, over real connections.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct BrowserCallbackTests {
  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#
  private static let issuer = "https://issuer.example"

  private func isWrongIssuer(_ error: (any Error)?) -> Bool {
    if case AuthenticationError.signInFailed(_, .wrongIssuer, _)? = error { true } else { false }
  }

  // Edge case 39
  @Test("a refusal in the redirect carries the server's own words")
  func refusalInWords() async throws {
    for (code, text) in [("access_denied", "you said no"), ("vendor_specific", "try later")] {
      let scene = try await SignInScene([], issuer: Self.issuer, announcesIssuer: true)
      let signIn = try await scene.begin()
      _ = try await scene.browse(
        signIn.callback + "?error=\(code)&error_description=\(FormEncoding.escape(text))"
          + "&state=" + signIn.state)
      let failure = await signIn.failure() as? AuthenticationError
      #expect(failure?.providerMessage?.text == text)
      #expect(!isWrongIssuer(failure))
    }
  }

  // Edge case 39
  @Test("requests other than the callback get a page, and the callback counts once")
  func foreignRequests() async throws {
    let scene = try await SignInScene([[.tokens(Self.tokens)]])
    let signIn = try await scene.begin()
    let root = signIn.callback.replacing("/callback", with: "")
    for (url, status) in [
      (root + "/favicon.ico", 404), (root + "/", 404), (root + "/callback/x?code=c", 404),
      (root + "/apple-touch-icon.png", 404), (signIn.callback, 400),
      (signIn.callback + "?code=c", 400), (signIn.callback + "?code=c&state=", 400),
      (signIn.callback + "?code=c&state=" + signIn.state.dropLast(), 400),
      (signIn.callback + "?code=c&state=" + signIn.state + "x", 400),
      (signIn.callback + "?code=c&state=" + signIn.state.lowercased() + "A", 400),
      (signIn.callback + "?code=c&state=\(signIn.state)&state=\(signIn.state)", 400),
      (signIn.callback + "?code=c&code=d&state=" + signIn.state, 400),
      (signIn.callback + "?error=access_denied&state=wrong", 400),
      (signIn.callback + "?error=access_denied", 400),
    ] {
      #expect(try await scene.browse(url)?.head.status.code == status, "\(url)")
    }
    let answer = signIn.callback + "?code=right&state=" + signIn.state
    #expect(try await scene.browse(answer, .post)?.head.status.code == 405)
    #expect(scene.server.requests.isEmpty)
    #expect(try await scene.browse(answer)?.head.status.code == 200)
    #expect(try await signIn.task.joined.state == .valid)
    #expect(scene.sent("code") == ["right"])
    #expect(scene.sent("redirect_uri") == [signIn.callback])
    let verifier = try #require(scene.sent("code_verifier").first)
    #expect(ProofKey(verifier: verifier).challenge == signIn.fields["code_challenge"])
    // The port is closed, so no further answer can arrive.
    #expect(try await scene.browse(answer) == nil)
  }

  // Edge case 39
  @Test("a response counts only after the browser's page was written")
  func pageFirst() async throws {
    let receiver = CallbackReceiver(path: "/callback", state: Secret("s"))
    let reply = receiver.receive(method: "GET", target: "/callback?code=c&state=s")
    #expect(reply.callback != nil && !receiver.outcome.isResolved)
    receiver.finish(reply)
    #expect(receiver.outcome.isResolved)
  }

  // Edge case 39
  @Test("a repeated callback changes nothing, before or after the exchange")
  func twice() async throws {
    let exchanging = Gate()
    let scene = try await SignInScene([[.pause(until: exchanging), .tokens(Self.tokens)]])
    let signIn = try await scene.begin()
    func answer(_ code: String) -> String {
      signIn.callback + "?code=\(code)&state=" + signIn.state
    }
    #expect(try await scene.browse(answer("first"))?.head.status.code == 200)
    try await scene.server.requests(become: 1)
    // The code is at the token endpoint, and the port is still open.
    for late in [
      answer("first"), answer("second"), signIn.callback + "?error=x&state=" + signIn.state,
    ] {
      #expect(try await scene.browse(late)?.head.status.code == 200)
    }
    exchanging.open()
    #expect(try await signIn.task.joined.state == .valid)
    #expect(scene.sent("code") == ["first"])
  }

  // Edge case 39
  @Test("one of several concurrent callbacks counts, and its code is exchanged once")
  func sideBySide() async throws {
    let scene = try await SignInScene([[.tokens(Self.tokens)]])
    let signIn = try await scene.begin()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          _ = try? await scene.browse(
            signIn.callback + "?code=c\(number)&state=" + signIn.state)
        }
      }
    }
    #expect(try await signIn.task.joined.state == .valid)
    #expect(scene.sent("code").count == 1)
  }

  // Edge case 39
  @Test("a sign-in refuses the state of an earlier one")
  func reusedState() async throws {
    let refusal = FaultScript.Step.response("400 Bad Request", body: #"{"error":"invalid_grant"}"#)
    let scene = try await SignInScene([[refusal], [.tokens(Self.tokens)], [.tokens(Self.tokens)]])
    var states: [String] = []
    for code in ["refused", "good", "better"] {
      let signIn = try await scene.begin()
      for state in states {
        let stale = signIn.callback + "?code=stale&state=" + state
        #expect(try await scene.browse(stale)?.head.status.code == 400)
      }
      #expect(!states.contains(signIn.state) && signIn.state.utf8.count == 43)
      states.append(signIn.state)
      _ = try await scene.browse(signIn.callback + "?code=\(code)&state=" + signIn.state)
      #expect(await signIn.failure() == nil || code == "refused")
    }
    #expect(scene.sent("code") == ["refused", "good", "better"])
    #expect(Set(scene.sent("code_verifier")).count == 3)
  }

  // Edge case 39, RFC 9207
  @Test(
    "a code from another issuer, or without the announced one, is not exchanged",
    arguments: [
      (true, nil), (true, ""), (true, "https://attacker.example"),
      (true, "https://issuer.example/"), (true, "https://issuer.example.attacker.example"),
      (false, "https://attacker.example"),
    ] as [(Bool, String?)])
  func wrongIssuer(isAnnounced: Bool, issuer: String?) async throws {
    for answer in ["code=stolen", "error=access_denied"] {
      let scene = try await SignInScene(
        [[.tokens(Self.tokens)]], issuer: Self.issuer, announcesIssuer: isAnnounced)
      let signIn = try await scene.begin()
      let named = issuer.map { "&iss=" + FormEncoding.escape($0) } ?? ""
      _ = try await scene.browse(signIn.callback + "?\(answer)&state=" + signIn.state + named)
      let failure = await signIn.failure()
      // An error hands over nothing, so it may leave out the issuer.
      if issuer == nil, answer.hasPrefix("error") {
        #expect(signInFailure(failure) == .denied)
      } else {
        #expect(isWrongIssuer(failure), "\(String(describing: failure))")
      }
      #expect(scene.server.requests.isEmpty)
      #expect(try await scene.authenticator.status(of: "default").state == .signedOut)
    }
  }

  // Edge case 39, RFC 9207
  @Test(
    "a code from the right issuer is exchanged",
    arguments: [(true, issuer), (false, issuer), (false, nil)] as [(Bool, String?)])
  func rightIssuer(isAnnounced: Bool, issuer: String?) async throws {
    let scene = try await SignInScene(
      [[.tokens(Self.tokens)]], issuer: Self.issuer, announcesIssuer: isAnnounced)
    let signIn = try await scene.begin()
    let named = issuer.map { "&iss=" + FormEncoding.escape($0) } ?? ""
    _ = try await scene.browse(signIn.callback + "?code=c&state=" + signIn.state + named)
    #expect(try await signIn.task.joined.state == .valid)
    #expect(scene.sent("code") == ["c"])
  }

  @Test(
    "offline access is requested with the user's consent, without which OpenID providers ignore it",
    arguments: [
      (["openid", "offline_access"], "consent"), (["openid"], nil), (["offline_access"], nil),
    ] as [([String], String?)])
  func offlineAccess(scopes: [String], prompt: String?) async throws {
    let scene = try await SignInScene([[.tokens(Self.tokens)]], scopes: scopes)
    let signIn = try await scene.begin()
    #expect(signIn.fields["prompt"] == prompt)
    _ = try await scene.browse(signIn.callback + "?code=c&state=" + signIn.state)
    let status = try await signIn.task.joined
    #expect(status.isRenewable && status.endsAt == nil)
  }

  @Test("a login without a refresh token names its end")
  func notRenewable() async throws {
    let scene = try await SignInScene([[.tokens(#"{"access_token":"a1","expires_in":1800}"#)]])
    let signIn = try await scene.begin()
    _ = try await scene.browse(signIn.callback + "?code=c&state=" + signIn.state)
    let status = try await signIn.task.joined
    #expect(!status.isRenewable && status.endsAt != nil && status.endsAt == status.expiresAt)
  }

  // Edge case 40
  @Test("the listener accepts connections on 127.0.0.1 only")
  func addresses() async throws {
    let scene = try await SignInScene([[.tokens(Self.tokens)]])
    let signIn = try await scene.begin()
    let port = try #require(URL(string: signIn.callback)?.port)
    #expect(signIn.callback == "http://127.0.0.1:\(port)/callback")
    // Neither on IPv6 nor on another address of this machine.
    for host in ["[::1]", "127.0.0.2"] {
      #expect(try await scene.browse("http://\(host):\(port)/favicon.ico") == nil)
    }
    let other = "http://localhost:\(port)/callback?code=c&state=" + signIn.state
    #expect(try await scene.browse(other)?.head.status.code == 200)
    #expect(try await signIn.task.joined.state == .valid)
    #expect(scene.sent("redirect_uri") == [signIn.callback])
  }

  // Edge case 40
  @Test("a redirect port in use ends the sign-in before a page is shown")
  func portTaken() async throws {
    let holder = try await FaultServer(FaultScript())
    let scene = try await SignInScene([[.tokens(Self.tokens)]])
    let url = try #require(URL(string: scene.server.url))
    let account = try #require(
      Account(
        name: "default",
        server: .endpoints(AuthorizationServer(authorizationEndpoint: url, tokenEndpoint: url)),
        client: OAuthClient(id: "client", redirect: .loopback(port: holder.port))))
    struct NobodyAsked: AuthenticationDelegate {
      func showAuthorizationPage(_ url: URL) async throws { Issue.record("the page is shown") }
    }
    let folder = try TemporaryDirectory()
    let authenticator = try Authenticator(
      accounts: [account], store: InMemorySecretStore(), session: scene.session,
      lockFolder: folder.path, logger: .silent)
    #expect(
      signInFailure(
        await error {
          try await authenticator.signIn(
            "default", with: .authorizationCode(delegate: NobodyAsked()))
        }) == .listenerUnavailable)
    #expect(holder.acceptedConnections == 0)
  }

  // Edge case 40
  @Test(
    "an endpoint may use any loopback name, and no name that resembles one",
    arguments: [
      ("http://127.0.0.1:1/t", true), ("http://[::1]:1/t", true), ("http://localhost/t", true),
      ("HTTP://127.0.0.1/t", true), ("https://issuer.example/t", true),
      ("http://issuer.example/t", false), ("http://127.0.0.1.issuer.example/t", false),
      ("http://localhost.issuer.example/t", false), ("http://127.0.0.1@issuer.example/t", false),
      ("http://192.0.2.1/t", false), ("http://[2001:db8::1]/t", false), ("file:///t", false),
      ("ftp://127.0.0.1/t", false), ("https:///t", false),
    ])
  func trust(text: String, isTrusted: Bool) throws {
    let url = try #require(URL(string: text))
    #expect(AuthorizationServer.isTrustworthy(url) == isTrusted)
  }
}
