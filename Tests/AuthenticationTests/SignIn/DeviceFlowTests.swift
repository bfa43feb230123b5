import Foundation
import Networking
import Sandbox
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DeviceFlowTests {
  /// A delegate that records the prompt shown to the user.
  private final class Display: AuthenticationDelegate {
    let prompt = Mutex<DeviceCodePrompt?>(nil)
    func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {
      self.prompt.withLock { $0 = prompt }
    }
  }

  @Test("a device signs in after the user approves elsewhere, and renews like any other")
  func approval() async throws {
    let fixture = try await AuthenticationFixture { $0.deviceInterval = .seconds(1) }
    let display = Display()
    let authenticator = fixture.authenticator
    let signIn = Task {
      try await authenticator.signIn("default", with: .deviceCode(delegate: display))
    }
    try await eventually("the code is shown") { display.prompt.withLock { $0 } != nil }
    let prompt = try #require(display.prompt.withLock { $0 })
    try await fixture.clock.awaitSleeper(of: .seconds(1))
    let complete = try #require(prompt.completeURL)
    try await ApprovingBrowser().approve(complete.absoluteString)
    fixture.clock.advance(by: .seconds(1))
    #expect(try await signIn.joined.state == .valid)
    fixture.clock.advance(by: .seconds(3_600))
    _ = try await authenticator.credential(for: "default")
    #expect(await fixture.refreshes() == 1)
  }

  private static func answer(_ status: String, _ body: String, _ fields: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      + fields + "Connection: close\r\n\r\n" + body
  }

  /// Starts a flow against prepared answers.
  private func flow(
    _ answers: [ScriptedServer.Step], expiresIn: Int = 600, interval: String = ""
  ) async throws -> (ScriptedServer, ManualClock, Task<TokenResponse, any Error>) {
    let device = """
      {"device_code":"d","user_code":"U","verification_uri":"https://example.com/",
       "expires_in":\(expiresIn)\(interval)}
      """
    let server = try ScriptedServer([.reply(Self.answer("200 OK", device))] + answers)
    let clock = ManualClock()
    let url = try #require(URL(string: server.url))
    let account = try #require(
      Account(
        name: "default",
        server: .endpoints(
          AuthorizationServer(
            authorizationEndpoint: url, tokenEndpoint: url, deviceAuthorizationEndpoint: url)),
        client: OAuthClient(id: "c")))
    guard case .endpoints(let endpoints) = account.server else {
      throw CocoaError(.coderInvalidValue)
    }
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    configuration.timeout = .patient
    let endpoint = TokenEndpoint(
      server: endpoints, account: account,
      session: Session(name: "auth", configuration: configuration), time: clock.source,
      onRequest: {})
    let flow = DeviceAuthorizationFlow(
      account: account, endpoint: endpoint, delegate: Display(), time: clock.source)
    return (server, clock, Task { try await flow.run() })
  }

  private static let tokens = ScriptedServer.Step.reply(
    answer("200 OK", #"{"access_token":"a","token_type":"Bearer"}"#))

  private static func refusal(_ code: String) -> ScriptedServer.Step {
    .reply(answer("400 Bad Request", "{\"error\":\"\(code)\"}"))
  }

  // Edge case 41
  @Test("a device polls every 5 s by default, and 5 s slower after each slow_down")
  func pace() async throws {
    let (server, clock, task) = try await flow([
      Self.refusal("authorization_pending"), Self.refusal("slow_down"), Self.refusal("slow_down"),
      Self.refusal("authorization_pending"), Self.tokens,
    ])
    for pause in [5, 5, 10, 15, 15] {
      try await clock.awaitSleeper(of: .seconds(pause))
      clock.advance(by: .seconds(pause) - .milliseconds(1))
      try await clock.awaitSleeper(of: .milliseconds(1))
      clock.advance(by: .milliseconds(1))
    }
    _ = try await task.joined
    #expect(server.requests.count == 6)
  }

  // Edge case 41
  @Test("errors with status 200 mean the same: the pace stays, and a denial is noticed at once")
  func successfulErrors() async throws {
    func refusal(_ code: String) -> ScriptedServer.Step {
      .reply(Self.answer("200 OK", #"{"error":"\#(code)","error_description":"why"}"#))
    }
    let (_, clock, task) = try await flow([
      refusal("authorization_pending"), refusal("authorization_pending"), refusal("slow_down"),
      refusal("access_denied"),
    ])
    for pause in [5, 5, 5, 10] {
      try await clock.awaitSleeper(of: .seconds(pause))
      clock.advance(by: .seconds(pause))
    }
    await #expect {
      _ = try await task.joined
    } throws: { error in
      if case AuthenticationError.signInFailed(_, .denied, let message) = error {
        message?.text == "why"
      } else {
        false
      }
    }
  }

  // Edge case 41
  @Test("a device polls more slowly after a bare 429, an outage or a lost connection")
  func trouble() async throws {
    let (_, clock, task) = try await flow(
      [
        .reply(Self.answer("429 Too Many Requests", "", "Retry-After: 20\r\n")),
        .reply(Self.answer("503 Unavailable", "")), .reset, Self.tokens,
      ], interval: #","interval":"2""#)
    for pause in [2, 20, 40, 60] {
      try await clock.awaitSleeper(of: .seconds(pause))
      clock.advance(by: .seconds(pause))
    }
    _ = try await task.joined
  }

  // Edge case 41
  @Test(
    "an expired device code and a refusal are different failures",
    arguments: [
      ("expired_token", AuthenticationError.SignInFailure.codeExpired), ("access_denied", .denied),
    ])
  func ends(code: String, reason: AuthenticationError.SignInFailure) async throws {
    let (_, clock, task) = try await flow([Self.refusal(code)])
    try await clock.awaitSleeper(of: .seconds(5))
    clock.advance(by: .seconds(5))
    #expect(signInFailure(await error { try await task.joined }) == reason)

    let (_, manual, expiring) = try await flow(
      [Self.refusal("authorization_pending")], expiresIn: 8)
    try await manual.awaitSleeper(of: .seconds(5))
    manual.advance(by: .seconds(5))
    #expect(signInFailure(await error { try await expiring.joined }) == .codeExpired)
  }

  @Test("a device is polled for an hour at most, whatever expiry the server names")
  func endless() async throws {
    let (_, clock, task) = try await flow(
      [Self.refusal("authorization_pending"), Self.tokens], expiresIn: 1_000_000_000,
      interval: #","interval":300"#)
    try await clock.awaitSleeper(of: .seconds(300))
    clock.advance(by: .seconds(3_599))
    // Without an end, the next poll would bring tokens.
    let time = Task {
      while !Task.isCancelled {
        if let wait = clock.pending.first { clock.advance(by: wait) }
        await Task.yield()
      }
    }
    #expect(signInFailure(await error { try await task.joined }) == .codeExpired)
    time.cancel()
  }
}
