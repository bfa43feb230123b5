import HTTPTypes
import Networking
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct CodeExchangeTests {
  @Test("a code is exchanged for an access and a refresh token that no cache keeps")
  func exchange() async throws {
    let (_, caller) = try await startSandbox { $0.tokenLifetime = .seconds(90) }
    let answer = try await caller.exchange(code: try await caller.code())
    let tokens = try Tokens(answer)
    #expect(tokens.tokenType == "Bearer")
    #expect(tokens.expiresIn == 90)
    #expect(tokens.scope == "offline_access accounting.invoices.read")
    #expect(tokens.refreshToken?.isEmpty == false)
    #expect(answer[header: "cache-control"] == "no-store")
    #expect(try await caller.invoices(token: tokens.accessToken).status == 200)
  }

  @Test("without offline_access there is no refresh token")
  func online() async throws {
    let (_, caller) = try await startSandbox()
    let online = try await caller.signIn(scope: "accounting.contacts")
    #expect(online.refreshToken == nil)
    let standard = try await caller.signIn(scope: nil)
    #expect(standard.refreshToken != nil)
  }

  @Test("a wrong verifier is refused, and the code is spent by it")
  func wrongVerifier() async throws {
    let (_, caller) = try await startSandbox()
    let code = try await caller.code()
    let wrong = String(repeating: "x", count: 43)
    #expect(
      try oauthError(try await caller.exchange(code: code, verifier: wrong)) == "invalid_grant")
    #expect(try oauthError(try await caller.exchange(code: code)) == "invalid_grant")
  }

  @Test("a redirect address other than the requested one is refused")
  func wrongRedirect() async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.exchange(
      code: try await caller.code(), redirectURI: "http://127.0.0.1:10/callback")
    #expect(try oauthError(answer) == "invalid_grant")
  }

  @Test("a repeated code revokes the tokens that it was exchanged for")
  func codeReuse() async throws {
    let (server, caller) = try await startSandbox()
    let code = try await caller.code()
    let tokens = try Tokens(try await caller.exchange(code: code))
    #expect(try oauthError(try await caller.exchange(code: code)) == "invalid_grant")
    #expect(try await caller.invoices(token: tokens.accessToken).status == 401)
    #expect(try oauthError(try await caller.refresh(tokens.refreshToken)) == "invalid_grant")
    #expect(await server.statistics().codeReuseDetected == 1)
  }

  @Test("an unknown code is refused and counts as no reuse")
  func unknownCode() async throws {
    let (server, caller) = try await startSandbox()
    let answer = try await caller.exchange(code: "nothing")
    #expect(try oauthError(answer) == "invalid_grant")
    #expect(await server.statistics().codeReuseDetected == 0)
  }

  @Test(
    "the refusal of an incomplete token request names what is missing",
    arguments: [
      ([:], "invalid_request"),
      (["grant_type": "password"], "unsupported_grant_type"),
      (["grant_type": "authorization_code"], "invalid_request"),
      (["grant_type": "authorization_code", "code": "c"], "invalid_request"),
      (["grant_type": "refresh_token"], "invalid_request"),
      (["grant_type": "client_credentials"], "unauthorized_client"),
    ] as [([String: String], String)])
  func malformed(form: [String: String], expected: String) async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.post(
      "/connect/token", form: form.merging(["client_id": caller.clientID]) { $1 })
    #expect(answer.status == 400)
    #expect(try oauthError(answer) == expected)
    #expect(answer[header: "cache-control"] == "no-store")
  }

  @Test("a body that is no form, or a parameter that is repeated, is an invalid request")
  func notAForm() async throws {
    let (_, caller) = try await startSandbox()
    let json = try await caller.send(
      .post, "/connect/token", headers: ["Content-Type": "application/json"],
      body: "{}")
    #expect(try oauthError(json) == "invalid_request")
    let repeated = try await caller.send(
      .post, "/connect/token",
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: "client_id=\(caller.clientID)&grant_type=refresh_token&grant_type=refresh_token")
    #expect(try oauthError(repeated) == "invalid_request")
  }
}
