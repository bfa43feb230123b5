import Foundation
import HTTPTypes
import InMemoryLogging
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Searches for a sign-in's secrets and tokens in every text that the module produces.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SecretCanaryTests {
  private static let code = "canary-code-5d1f"
  private static let good =
    #"{"access_token":"canary-access-77","refresh_token":"canary-refresh-88","expires_in":1800}"#

  /// An end of a sign-in; a careless client would quote the server's answer.
  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [FaultScript.Step]
    var answer = "code=\(SecretCanaryTests.code)"

    init(_ name: String, _ steps: FaultScript.Step..., answer: String? = nil) {
      testDescription = name
      self.steps = steps
      if let answer { self.answer = answer }
    }
  }

  private static let echo = #"{"error":"invalid_grant","error_description":"\#(code) is spent"}"#

  /// Returns the dump, the description and the reflection of a value.
  private func renderings(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [dumped, "\(value)", String(reflecting: value)]
  }

  // Edge cases 39 and 43
  @Test(
    "no log, error, dump or page shows a sign-in's code, verifier, state or tokens",
    arguments: [
      Ending("signed in", .tokens(good)),
      Ending("invalid_grant", .response("400 Bad Request", body: echo)),
      Ending("an unknown code", .response("400 Bad Request", body: #"{"error":"odd"}"#)),
      Ending("an outage", .response("500 Oops", body: echo)),
      Ending("a page", .response("200 OK", body: "<html>\(code)</html>")),
      Ending("a redirect", .response("302 Found", fields: ["Location: /x?code=\(code)"])),
      Ending("broken tokens", .response("200 OK", body: String(good.dropLast(3)))),
      Ending("a reset", .reset), Ending("no HTTP", .send(Bytes("\(code)\r\n\r\n")), .close),
      Ending("another issuer", .hang, answer: "code=\(code)&iss=https%3A%2F%2Fother.example"),
      Ending("denied", .hang, answer: "error=access_denied&code=\(code)"),
      Ending("an odd error", .hang, answer: "error=odd&error_description=\(code)&code=\(code)"),
    ])
  func signIn(ending: Ending) async throws {
    let scene = try await SignInScene([ending.steps], issuer: "https://issuer.example")
    let signIn = try await scene.begin()
    let answer = signIn.callback + "?\(ending.answer)&state=" + signIn.state
    let foreign = signIn.callback + "?code=\(Self.code)&state=wrong"
    var texts: [String] = []
    for url in [foreign, answer] {
      let page = try #require(try await scene.browse(url))
      texts += [String(decoding: page.body, as: UTF8.self), "\(page.head.headerFields)"]
    }
    do { texts += renderings(of: try await signIn.task.joined) } catch {
      texts += renderings(of: error)
    }
    texts +=
      scene.log.entries.flatMap { renderings(of: $0) }
      + scene.exchanges.flatMap { renderings(of: $0) }
    texts += renderings(of: scene.session.configuration)
    #expect(!scene.log.entries.isEmpty)
    if !scene.sent("code").isEmpty {
      #expect(scene.sent("code") == [Self.code] && !scene.exchanges.isEmpty)
    }

    let secrets =
      [Self.code, signIn.state, "canary-access-77", "canary-refresh-88"]
      + scene.sent("code_verifier")
    for secret in secrets {
      #expect(secret.count > 15)
      for text in texts { #expect(!text.contains(secret), "\(secret): \(text)") }
    }
    // The store keeps the tokens, and no secret of the sign-in.
    let key = SecretKey(service: "appcore", account: "default")
    if let record = try await scene.store.backing.secret(for: key)?.exposedText {
      for secret in [Self.code, signIn.state] + scene.sent("code_verifier") {
        #expect(!record.contains(secret))
      }
    }
  }

  // Edge case 43
  @Test("no dump or description of a value shows its tokens")
  func values() async throws {
    let fixture = try await WireFixture([[.tokens(Self.good)]])
    let tokens = TokenSet(
      accessToken: Secret("canary-access"), refreshToken: Secret("canary-refresh"))
    let credential = Credential(tokens, after: nil, grant: .provided, now: Date())
    let record = CredentialRecord(.active(credential), of: fixture.account)
    let response = try #require(
      TokenResponse(body: Array(Self.good.utf8), receivedAt: Date()))
    let callback = AuthorizationCallback.read(
      target: "/callback?code=canary-code&state=canary-state&iss=i", path: "/callback",
      state: Secret("canary-state"))
    let client = OAuthClient(id: "c", secret: Secret("canary-secret"))
    let values: [Any] = [
      tokens, credential, record, response, callback, client, ProofKey(verifier: "canary-verifier"),
      TokenGrant.refreshToken(Secret("canary"), redirectURI: nil), SignInMethod.tokens(tokens),
      TokenGrant.authorizationCode(
        code: Secret("canary"), verifier: Secret("canary"), redirectURI: "u"),
      TokenGrant.deviceCode(Secret("canary")), try record.encoded(),
      CredentialRecord.PendingExchange(Secret("canary"), at: Date()),
    ]
    for value in values {
      for text in renderings(of: value) {
        #expect(!text.contains("canary"), "\(type(of: value)): \(text)")
      }
    }
  }
}
