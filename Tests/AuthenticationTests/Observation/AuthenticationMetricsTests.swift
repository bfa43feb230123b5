import Foundation
import Metrics
import Networking
import Sandbox
import SecureStore
import Synchronization
import TestSupport
import Testing

@testable import Authentication

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct AuthenticationMetricsTests {
  /// A recorder of counts, by name and outcome.
  private final class Recorder: MetricsFactory {
    final class Handler: CounterHandler, TimerHandler {
      let name: String
      let recorder: Recorder

      init(_ name: String, _ recorder: Recorder) {
        self.name = name
        self.recorder = recorder
      }

      func increment(by amount: Int64) {
        recorder.counts.withLock { $0[name, default: 0] += amount }
      }
      func reset() {}
      func recordNanoseconds(_ duration: Int64) {
        recorder.counts.withLock { $0[name, default: 0] += 1 }
      }
    }

    let counts = Mutex<[String: Int64]>([:])

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
      Handler(label + (dimensions.first { $0.0 == "outcome" }.map { " " + $0.1 } ?? ""), self)
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      handler(label, dimensions)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      handler(label, dimensions)
    }
    func makeRecorder(
      label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }

  @Test("the metrics count uses, renewals by outcome, and waits")
  func metrics() async throws {
    let fixture = try await AuthenticationFixture().signedIn()
    let recorder = Recorder()
    let authenticator = try fixture.peer(metrics: recorder)
    let session = try fixture.feature("x", authenticator)
    for _ in 0..<5 { _ = try await session.send(try fixture.connections()) }
    fixture.clock.advance(by: .seconds(3_600))
    _ = try await session.send(try fixture.connections())
    fixture.clock.advance(by: .seconds(3_600))
    fixture.server.armFault(Fault(path: "/connect/token", kind: .status, status: 503))
    _ = try? await session.send(try fixture.connections())
    fixture.clock.advance(by: .seconds(61))
    fixture.server.armFault(
      Fault(
        path: "/connect/token", kind: .status, status: 400, body: #"{"error":"invalid_grant"}"#))
    _ = try? await session.send(try fixture.connections())
    try await authenticator.drain()
    let counts = recorder.counts.withLock { $0 }
    #expect(counts["appcore_auth_uses_total"] == 4)
    for outcome in ["found", "refreshed", "transient", "terminal"] {
      #expect(counts["appcore_auth_renewals_total \(outcome)"] == 1, "\(outcome)")
    }
    #expect(counts["appcore_auth_wait_duration"] == 4)
    #expect(counts["appcore_auth_renewal_duration"] == 4)
  }

  @Test("token requests name the resources and the audience, and OpenID sign-ins send a nonce")
  func targets() async throws {
    final class Page: AuthenticationDelegate {
      let url = Mutex<URL?>(nil)
      func showAuthorizationPage(_ url: URL) async throws { self.url.withLock { $0 = url } }
    }
    let body = #"{"access_token":"a","refresh_token":"r","expires_in":60}"#
    let server = try ScriptedServer([
      .reply(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
          + "\r\nConnection: close\r\n\r\n" + body)
    ])
    let url = try #require(URL(string: server.url))
    var account = try #require(
      Account(
        name: "default",
        server: .endpoints(AuthorizationServer(authorizationEndpoint: url, tokenEndpoint: url)),
        client: OAuthClient(id: "c"), scopes: ["openid"]))
    account.resources = [try #require(URL(string: "https://api.example.com/a"))]
    account.audience = "the api"
    let folder = try TemporaryDirectory()
    let clock = ManualClock()
    let session = Session(name: "auth", configuration: .patient)
    let authenticator = try Authenticator(
      accounts: [account], store: InMemorySecretStore(), session: session, lockFolder: folder.path,
      time: clock.source)
    let page = Page()
    let signIn = Task {
      try await authenticator.signIn("default", with: .authorizationCode(delegate: page))
    }
    try await eventually("the page is shown") { page.url.withLock { $0 } != nil }
    let query = try #require(page.url.withLock { $0 }?.query(percentEncoded: true))
    let fields = try #require(FormEncoding.decode(query))
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    #expect(value("resource") == "https://api.example.com/a" && value("audience") == "the api")
    #expect(value("nonce")?.isEmpty == false)
    let callback = try #require(value("redirect_uri").flatMap(URL.init(string:)))
    let state = try #require(value("state"))
    let browser = Session(name: "browser", configuration: .patient)
    let answer = callback.appending(queryItems: [
      .init(name: "code", value: "c"), .init(name: "state", value: state),
    ])
    _ = try await browser.send(try Request(url: answer))
    _ = try await signIn.joined
    clock.advance(by: .seconds(60))
    _ = try await authenticator.credential(for: "default")
    for request in server.requests {
      #expect(request.contains("resource=https%3A%2F%2Fapi.example.com%2Fa&audience=the%20api"))
    }
    #expect(server.requests.count == 2)
  }
}
