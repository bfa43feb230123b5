import Foundation
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct AuthorizeEndpointTests {
  @Test("a request that is approved automatically is answered with code, state and issuer")
  func autoApproval() async throws {
    let (server, caller) = try await startSandbox()
    let answer = try await caller.get(caller.authorizePath())
    #expect(answer.status == 302)
    #expect(answer[header: "location"]?.hasPrefix(SandboxCaller.redirectURI + "?") == true)
    let parameters = SandboxCaller.parameters(of: answer)
    #expect(parameters["code"]?.isEmpty == false)
    #expect(parameters["state"] == "s t&=")
    #expect(parameters["iss"] == server.url.absoluteString)
    #expect(answer[header: "cache-control"] == "no-store")
  }

  @Test(
    "a request that the client may hear about is refused by a redirect with state and issuer",
    arguments: [
      (["response_type": nil], "invalid_request"),
      (["response_type": "token"], "unsupported_response_type"),
      (["code_challenge": nil], "invalid_request"),
      (["code_challenge": "short"], "invalid_request"),
      (["code_challenge_method": "plain"], "invalid_request"),
      (["code_challenge_method": nil], "invalid_request"),
      (["scope": "a \"b\""], "invalid_scope"),
    ] as [([String: String?], String)])
  func refusals(changes: [String: String?], expected: String) async throws {
    let (server, caller) = try await startSandbox()
    let answer = try await caller.get(caller.authorizePath(changes))
    let parameters = SandboxCaller.parameters(of: answer)
    #expect(answer.status == 302)
    #expect(parameters["error"] == expected)
    #expect(parameters["code"] == nil)
    #expect(parameters["state"] == "s t&=")
    #expect(parameters["iss"] == server.url.absoluteString)
  }

  @Test(
    "a request whose client or redirect is not trusted is answered without a redirect",
    arguments: [
      ["client_id": "somebody"], ["client_id": nil], ["redirect_uri": nil],
      ["redirect_uri": "https://127.0.0.1/callback"],
      ["redirect_uri": "http://127.0.0.1.example.org/callback"],
      ["redirect_uri": "http://192.0.2.1/callback"],
      ["redirect_uri": "http://user@127.0.0.1/callback"],
      ["redirect_uri": "http://127.0.0.1/callback#fragment"],
    ] as [[String: String?]])
  func untrusted(changes: [String: String?]) async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.get(caller.authorizePath(changes))
    #expect(answer.status == 400)
    #expect(answer[header: "location"] == nil)
    #expect(answer[header: "content-type"]?.hasPrefix("text/html") == true)
  }

  // Edge case 40
  @Test(
    "every loopback address and port is a redirect address",
    arguments: [
      "http://127.0.0.1:1/callback", "http://[::1]:65535/", "http://localhost:8080/a?b=c",
    ])
  func loopbackRedirects(uri: String) async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.get(caller.authorizePath(["redirect_uri": uri]))
    #expect(answer.status == 302)
    #expect(answer[header: "location"]?.hasPrefix(uri + (uri.contains("?") ? "&" : "?")) == true)
  }

  @Test("a repeated parameter is refused")
  func repeated() async throws {
    let (_, caller) = try await startSandbox()
    let twice = try await caller.get(caller.authorizePath() + "&state=other")
    #expect(SandboxCaller.parameters(of: twice)["error"] == "invalid_request")
    let client = try await caller.get(caller.authorizePath() + "&client_id=other")
    #expect(client.status == 400)
  }

  @Test("the approval page asks, and its form approves once")
  func approvalPage() async throws {
    let (_, caller) = try await startSandbox { $0.autoApprove = false }
    let page = try await caller.get(caller.authorizePath())
    #expect(page.status == 200)
    #expect(page.text.contains("<button name=\"decision\" value=\"deny\">"))
    let handle = try #require(page.text.firstMatch(of: #/name="request" value="([^"]+)"/#)).output
      .1
    let form = ["request": String(handle), "decision": "approve"]
    let answer = try await caller.post("/connect/authorize", form: form)
    let code = try #require(SandboxCaller.parameters(of: answer)["code"])
    #expect(try await caller.exchange(code: code).status == 200)
    #expect(try await caller.post("/connect/authorize", form: form).status == 400)
  }

  @Test("a denial reaches the client as access_denied")
  func denial() async throws {
    let (_, caller) = try await startSandbox { $0.autoApprove = false }
    let page = try await caller.get(caller.authorizePath())
    let handle = try #require(page.text.firstMatch(of: #/name="request" value="([^"]+)"/#)).output
      .1
    let answer = try await caller.post(
      "/connect/authorize", form: ["request": String(handle), "decision": "deny"])
    #expect(SandboxCaller.parameters(of: answer)["error"] == "access_denied")
    #expect(SandboxCaller.parameters(of: answer)["state"] == "s t&=")
  }

  @Test("text of the request cannot become markup of the page")
  func escaping() async throws {
    let (_, caller) = try await startSandbox { $0.autoApprove = false }
    let page = try await caller.get(caller.authorizePath(["scope": "<script>x</script>"]))
    #expect(!page.text.contains("<script>"))
    #expect(page.text.contains("&lt;script&gt;"))
  }
}
