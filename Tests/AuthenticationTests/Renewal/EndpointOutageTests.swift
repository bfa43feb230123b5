import Foundation
import Networking
import SecureStore
import TestSupport
import Testing

@testable import Authentication

/// Failures at the token endpoint, or on the way to it, that never end a login.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct EndpointOutageTests {
  /// An answer that does not come from the authorization server, or no answer.
  struct Outage: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [FaultScript.Step]

    var testDescription: String { name }

    init(_ name: String, _ steps: FaultScript.Step...) {
      self.name = name
      self.steps = steps
    }

    init(page status: String, _ fields: String..., body: String = "<html>Welcome</html>") {
      name = "\(status) \(body)"
      steps = [
        .response(
          status, fields: ["Content-Type: text/html", "Connection: close"] + fields, body: body),
        .close,
      ]
    }
  }

  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#
  private static let half =
    "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"access_token\":\"a1\",\"re"

  /// Returns true for an error after which the same call can work later.
  private func isTransient(_ error: (any Error)?) -> Bool {
    if case AuthenticationError.temporarilyUnavailable? = error { true } else { false }
  }

  /// Expects the login as it was: no token is spent, and the account is signed in.
  private func checkLogin(_ fixture: WireFixture, since before: Credential) async throws {
    let stored = try #require(try await fixture.stored())
    #expect(stored.refreshToken == before.refreshToken && stored.loginID == before.loginID)
    #expect(stored.generation == before.generation)
    #expect(try await fixture.authenticator.status(of: "default").state == .expired)
    #expect(try await fixture.next().status(of: "default").state == .expired)
  }

  // Edge case 31
  @Test(
    "a wrong or truncated response keeps the login, which works afterwards",
    arguments: [
      Outage(page: "500 Internal Server Error"), Outage(page: "500 Oops", body: ""),
      Outage(page: "502 Bad Gateway"), Outage(page: "503 Service Unavailable"),
      Outage(page: "504 Gateway Time-out"), Outage(page: "200 OK"),
      Outage(page: "200 OK", body: ""), Outage(page: "200 OK", body: "[]"),
      Outage(page: "204 No Content", body: ""),
      Outage(page: "302 Found", "Location: http://portal.example/login", body: ""),
      Outage(page: "302 Found", "Location: /login"),
      Outage(page: "307 Temporary Redirect", "Location: http://portal.example/login", body: ""),
      Outage(page: "400 Bad Request", body: "<html>proxy</html>"),
      Outage(page: "400 Bad Request", body: "invalid_grant"),
      Outage(page: "500 Oops", body: #"{"error":"invalid_grant"}"#),
      Outage(page: "403 Forbidden", body: "<html>firewall</html>"),
      Outage(page: "407 Proxy Authentication Required", body: "<html>proxy</html>"),
      Outage(page: "404 Not Found"), Outage(page: "511 Network Authentication Required"),
      Outage("closed", .close), Outage("reset", .reset),
      Outage("reset in the body", .send(Bytes(half)), .reset),
      Outage("closed in the body", .send(Bytes(half)), .close),
      Outage("no HTTP", .send("SSH-2.0-OpenSSH_9.9\r\n\r\n"), .close),
    ])
  func outages(outage: Outage) async throws {
    let fixture = try await WireFixture([outage.steps, [.tokens(Self.tokens)]])
    let before = try #require(try await fixture.stored())
    #expect(isTransient(await fixture.failure()))
    try await checkLogin(fixture, since: before)

    // Until then, the request whose answer was lost may still be under way.
    fixture.clock.advance(by: fixture.session.configuration.exchangeLimit + .seconds(1))
    let next = try fixture.next()
    #expect(try await next.credential(for: "default").accessToken == Secret("a1"))
    #expect(try await fixture.authenticator.credential(for: "default").accessToken == Secret("a1"))
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  // Edge case 31
  @Test(
    "an exchange without an answer times out, and the login stays",
    arguments: [
      Outage("no head", .hang), Outage("no end", .send(Bytes(half)), .hang),
    ])
  func silence(outage: Outage) async throws {
    let limit = Duration.seconds(3_600)
    let fixture = try await WireFixture([outage.steps, [.tokens(Self.tokens)]]) { _ in
    } session: {
      $0.timeout.idle = limit
      $0.timeout.request = limit
    }
    let before = try #require(try await fixture.stored())
    let caller = fixture.asking()
    try await fixture.server.requests(become: 1)
    // Only this clock limits the exchange.
    try await fixture.clock.awaitSleeper(of: limit)
    fixture.clock.advance(by: limit)
    let failure = await error { try await caller.joined }
    #expect(isTransient(failure))
    try await checkLogin(fixture, since: before)
    fixture.clock.advance(by: .seconds(61))
    #expect(await fixture.failure() == nil)
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  // Edge case 31
  @Test(
    "a renewal waits for the time that a rate-limited server names",
    arguments: [429, 503])
  func retryAfter(status: Int) async throws {
    let busy = FaultScript.Step.response("\(status) Later", fields: ["Retry-After: 120"])
    let fixture = try await WireFixture([[busy], [.tokens(Self.tokens)]])
    let before = try #require(try await fixture.stored())
    for _ in 0..<3 {
      guard
        case AuthenticationError.temporarilyUnavailable(_, let retryAt?, _)? =
          await fixture.failure()
      else {
        Issue.record("it does not say when")
        return
      }
      #expect(retryAt == fixture.clock.wall.addingTimeInterval(120))
    }
    #expect(fixture.server.requests.count == 1)
    try await checkLogin(fixture, since: before)
    fixture.clock.advance(by: .seconds(119))
    #expect(await fixture.failure() != nil)
    #expect(fixture.server.requests.count == 1)
    fixture.clock.advance(by: .seconds(2))
    #expect(await fixture.failure() == nil)
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  @Test("a renewal is tried again after an hour, however long the server asks to wait")
  func longRetryAfter() async throws {
    let busy = FaultScript.Step.response("503 Later", fields: ["Retry-After: 31536000"])
    let fixture = try await WireFixture([[busy], [.tokens(Self.tokens)]])
    #expect(isTransient(await fixture.failure()))
    fixture.clock.advance(by: .seconds(3_599))
    #expect(await fixture.failure() != nil)
    #expect(fixture.server.requests.count == 1)
    fixture.clock.advance(by: .seconds(2))
    #expect(await fixture.failure() == nil)
  }

  // Edge cases 31 and 42
  @Test("a portal's redirect is not followed, so no other server sees the refresh token")
  func portal() async throws {
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
      let portal = try await FaultServer(FaultScript(otherwise: [.tokens(Self.tokens)]))
      let fixture = try await WireFixture([
        [.response(status, fields: ["Location: \(portal.url)/token"])]
      ])
      #expect(isTransient(await fixture.failure()))
      #expect(portal.acceptedConnections == 0)
    }
  }

  // Edge case 32
  @Test(
    "a refusal of the client or of the request keeps the refresh token, which works afterwards",
    arguments: [
      ("400 Bad Request", "invalid_client"), ("401 Unauthorized", "invalid_client"),
      ("400 Bad Request", "invalid_scope"), ("200 OK", "invalid_client"),
      ("400 Bad Request", "unauthorized_client"), ("403 Forbidden", "unauthorized_client"),
      ("400 Bad Request", "unsupported_grant_type"), ("400 Bad Request", "invalid_target"),
    ])
  func refusals(status: String, code: String) async throws {
    let refusal = FaultScript.Step.response(
      status, fields: ["Content-Type: application/json", "WWW-Authenticate: Basic"],
      body: #"{"error":"\#(code)","error_description":"no"}"#)
    let fixture = try await WireFixture([[refusal], [.tokens(Self.tokens)]]) {
      // The strictest rule: a token that may have been spent would not be sent again.
      $0.replay = .forbidden
    }
    let before = try #require(try await fixture.stored())
    let failure = await fixture.failure()
    guard case AuthenticationError.misconfigured(_, code, _)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    try await checkLogin(fixture, since: before)
    #expect(try await fixture.record()?.pendingExchange == nil)
    // The user has corrected the configuration.
    let next = try fixture.next()
    #expect(try await next.credential(for: "default").accessToken == Secret("a1"))
    #expect(fixture.sentTokens == ["r0", "r0"])
  }

  // Edge case 32
  @Test(
    "invalid_grant ends the refused login and removes its tokens, however the server writes it",
    arguments: [
      ("400 Bad Request", #"{"error":"invalid_grant","error_description":"revoked"}"#),
      ("200 OK", #"{"error":"invalid_grant","error_description":"revoked"}"#),
      ("200 OK", #"{"error":"bad_refresh_token","error_description":"revoked"}"#),
      ("200 OK", #"{"error":"invalid_code","error_description":"revoked"}"#),
      ("400 Bad Request", #"{"error":{"code":"invalid_grant","message":"revoked"}}"#),
      ("400 Bad Request", "error=invalid_grant&error_description=revoked"),
      ("401 Unauthorized", "error=bad_refresh_token&error_description=revoked"),
    ])
  func invalidGrant(status: String, body: String) async throws {
    let refusal = FaultScript.Step.response(status, body: body)
    let fixture = try await WireFixture([[refusal]])
    let used = try #require(try await fixture.stored()).generation
    guard
      case AuthenticationError.signInRequired(_, .rejected, let message)? =
        await fixture.failure()
    else {
      Issue.record("the login goes on")
      return
    }
    #expect(message?.text == "revoked")
    #expect(
      try await fixture.authenticator.status(of: "default").providerMessage?.text == "revoked")
    guard case .ended(used, _, .rejected)? = try await fixture.record()?.content else {
      Issue.record("another generation was ended")
      return
    }
    let key = SecretKey(service: "appcore", account: "default")
    let text = try #require(try await fixture.store.backing.secret(for: key)?.exposedText)
    #expect(!text.contains("a0") && !text.contains("r0"))
    // Neither this process nor the next asks the server with it again.
    for authenticator in [fixture.authenticator, try fixture.next()] {
      #expect(await fixture.failure(authenticator) != nil)
    }
    #expect(fixture.sentTokens == ["r0"])
  }
}
