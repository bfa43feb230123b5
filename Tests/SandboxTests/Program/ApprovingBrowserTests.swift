import Foundation
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ApprovingBrowserTests {
  /// The callback is another sandbox: its control answers 200, an unknown path of it 404.
  private func approve(autoApprove: Bool, callbackPath: String) async throws {
    let (callback, _) = try await startSandbox()
    let (server, caller) = try await startSandbox { $0.autoApprove = autoApprove }
    let redirect = callback.url.absoluteString + callbackPath
    let url = caller.url + caller.authorizePath(["redirect_uri": redirect])
    try await ApprovingBrowser().approve(url)
    let endpoint = "GET \(callbackPath)"
    #expect(await callback.statistics().requests[endpoint] == ["200": 1])
    #expect(await server.statistics().requests["GET /connect/authorize"]?.count == 1)
  }

  private static let callbackPath = "/.well-known/oauth-authorization-server"

  @Test("the browser approves the page and follows the redirect", arguments: [true, false])
  func approved(autoApprove: Bool) async throws {
    try await approve(autoApprove: autoApprove, callbackPath: Self.callbackPath)
  }

  @Test("a callback that does not answer 2xx is no approval")
  func refusedCallback() async throws {
    await #expect(throws: ApprovingBrowser.Failure.refused(status: 404)) {
      try await approve(autoApprove: true, callbackPath: "/nowhere")
    }
  }

  @Test("a request that the server does not trust is no approval")
  func refusedRequest() async throws {
    let (_, caller) = try await startSandbox()
    await #expect(throws: ApprovingBrowser.Failure.refused(status: 400)) {
      try await ApprovingBrowser().approve(caller.url + "/connect/authorize")
    }
    await #expect(throws: ApprovingBrowser.Failure.refused(status: 200)) {
      try await ApprovingBrowser().approve(caller.url + "/_sandbox/stats")
    }
  }

  @Test(
    "the browser opens nothing but http on this machine",
    arguments: [
      "https://127.0.0.1/", "http://example.org/", "http://127.0.0.1.example.org/",
      "http://127.0.0.1@example.org/", "file:///etc/passwd", "http://192.0.2.1/", "",
      "http://127.0.0.1/a b", "http://127.0.0.1:99999/",
    ])
  func notLoopback(url: String) async {
    await #expect(throws: ApprovingBrowser.Failure.notLoopback) {
      try await ApprovingBrowser().approve(url)
    }
  }
}
