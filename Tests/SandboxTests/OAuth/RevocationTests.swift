import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct RevocationTests {
  @Test("revoking the refresh token ends every token of the sign-in")
  func refreshToken() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    #expect(try await caller.revoke(tokens.refreshToken).status == 200)
    #expect(try await caller.invoices(token: tokens.accessToken).status == 401)
    #expect(try oauthError(try await caller.refresh(tokens.refreshToken)) == "invalid_grant")
    let statistics = await server.statistics()
    #expect(statistics.revocations == 1)
    #expect(statistics.refreshReuseDetected == 0)
  }

  @Test("revoking an access token ends that token alone")
  func accessToken() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    #expect(try await caller.revoke(tokens.accessToken).status == 200)
    #expect(try await caller.invoices(token: tokens.accessToken).status == 401)
    #expect(try await caller.refresh(tokens.refreshToken).status == 200)
    #expect(await server.statistics().revocations == 1)
  }

  @Test("an unknown token and one that is revoked already are no error and not counted")
  func unknown() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    #expect(try await caller.revoke("nothing").status == 200)
    #expect(try await caller.revoke(tokens.refreshToken).status == 200)
    #expect(try await caller.revoke(tokens.refreshToken).status == 200)
    #expect(await server.statistics().revocations == 1)
  }

  @Test("a client that is unknown, or not the token's, revokes nothing")
  func otherClient() async throws {
    let (_, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    let token = tokens.refreshToken ?? ""
    let unknown = try await caller.post(
      "/connect/revoke", form: ["client_id": "nobody", "token": token])
    #expect(unknown.status == 401)
    let other = try await caller.post(
      "/connect/revoke",
      form: [
        "client_id": caller.machineID, "client_secret": caller.machineSecret, "token": token,
      ])
    #expect(other.status == 400)
    let missing = try await caller.post("/connect/revoke", form: ["client_id": caller.clientID])
    #expect(try oauthError(missing) == "invalid_request")
    #expect(try await caller.refresh(token).status == 200)
  }
}
