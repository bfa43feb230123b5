import Foundation
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct ClientAuthenticationTests {
  private func basic(_ id: String, _ secret: String) -> [String: String] {
    ["Authorization": "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()]
  }

  @Test("the confidential client authenticates by header and by body")
  func bothWays() async throws {
    let (_, caller) = try await startSandbox()
    let byHeader = try await caller.post(
      "/connect/token", form: ["grant_type": "client_credentials", "scope": "accounting.read"],
      headers: basic(caller.machineID, caller.machineSecret))
    let tokens = try Tokens(byHeader)
    #expect(tokens.scope == "accounting.read")
    #expect(tokens.refreshToken == nil)
    let other = try await caller.machineToken()
    #expect(other.accessToken != tokens.accessToken)
    #expect(try await caller.invoices(token: tokens.accessToken).status == 200)
  }

  @Test("identifier and secret in the header are form-encoded first")
  func encodedSecret() async throws {
    let (_, caller) = try await startSandbox { $0.clientSecret = "p:ä %" }
    let answer = try await caller.post(
      "/connect/token", form: ["grant_type": "client_credentials"],
      headers: basic(caller.machineID, "p%3A%C3%A4+%25"))
    #expect(answer.status == 200)
  }

  @Test("a wrong secret in the header is answered with 401 and a challenge")
  func wrongHeader() async throws {
    let (_, caller) = try await startSandbox()
    for headers in [
      basic(caller.machineID, "wrong"), basic("nobody", "x"),
      ["Authorization": "Basic ???"], ["Authorization": "Bearer x"],
    ] {
      let answer = try await caller.post(
        "/connect/token", form: ["grant_type": "client_credentials"], headers: headers)
      #expect(answer.status == 401)
      #expect(answer[header: "www-authenticate"]?.hasPrefix("Basic") == true)
      #expect(try oauthError(answer) == "invalid_client")
    }
  }

  @Test("a wrong or missing secret in the body is answered with 401 and no challenge")
  func wrongBody() async throws {
    let (_, caller) = try await startSandbox()
    for form in [
      ["client_id": caller.machineID, "client_secret": "wrong"],
      ["client_id": caller.machineID], ["client_id": "nobody"], [:],
      ["client_id": caller.clientID, "client_secret": "a public client has none"],
    ] {
      let answer = try await caller.post(
        "/connect/token", form: form.merging(["grant_type": "client_credentials"]) { $1 })
      #expect(answer.status == 401)
      #expect(answer[header: "www-authenticate"] == nil)
      #expect(try oauthError(answer) == "invalid_client")
    }
  }

  @Test("two client authentications in one request are refused")
  func twoWays() async throws {
    let (_, caller) = try await startSandbox()
    let answer = try await caller.post(
      "/connect/token",
      form: ["grant_type": "client_credentials", "client_secret": caller.machineSecret],
      headers: basic(caller.machineID, caller.machineSecret))
    #expect(answer.status == 400)
    #expect(try oauthError(answer) == "invalid_request")
  }

  @Test("the confidential client may not use the code flow's grants")
  func machineGrants() async throws {
    let (_, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    let answer = try await caller.post(
      "/connect/token",
      form: ["grant_type": "refresh_token", "refresh_token": tokens.refreshToken ?? ""],
      headers: basic(caller.machineID, caller.machineSecret))
    #expect(try oauthError(answer) == "unauthorized_client")
    // The token was not spent by the attempt.
    #expect(try await caller.refresh(tokens.refreshToken).status == 200)
  }
}
