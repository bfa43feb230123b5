import Foundation
import Networking
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct FaultTests {
  private let path = "/api.xro/2.0/Invoices"

  @Test("a status fault answers in place of the endpoint, with its headers and body")
  func status() async throws {
    let (server, caller) = try await startSandbox()
    let token = try await caller.machineToken().accessToken
    server.armFault(
      Fault(
        path: path, kind: .status, skip: 1, status: 429, headers: ["Retry-After": "7"],
        body: "slow down"))
    let answers = [
      try await caller.invoices(token: token), try await caller.invoices(token: token),
      try await caller.invoices(token: token),
    ]
    #expect(answers.map(\.status) == [200, 429, 200])
    #expect(answers[1][header: "retry-after"] == "7")
    #expect(answers[1].text == "slow down")
    let statistics = await server.statistics()
    #expect(statistics.requests["GET " + path] == ["200": 2, "429": 1])
    #expect(statistics.faultsApplied == 1)
  }

  // Edge case 31
  @Test("an HTML fault looks like a captive portal, and the token endpoint did nothing")
  func html() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    server.armFault(Fault(path: "/connect/token", kind: .html))
    server.armFault(Fault(path: "/connect/token", kind: .status, status: 400, body: "proxy"))
    let portal = try await caller.refresh(tokens.refreshToken)
    #expect(portal.status == 200)
    #expect(portal[header: "content-type"]?.hasPrefix("text/html") == true)
    #expect(try await caller.refresh(tokens.refreshToken).text == "proxy")
    #expect(try await caller.refresh(tokens.refreshToken).status == 200)
    // Requests that a fault took are token requests all the same.
    #expect(await server.statistics().tokenRequests["refresh_token"] == 3)
  }

  // Edge case 56
  @Test("a truncated answer ends before its announced length")
  func truncate() async throws {
    let (server, caller) = try await startSandbox()
    let token = try await caller.machineToken().accessToken
    server.armFault(Fault(path: path, kind: .truncate))
    await #expect {
      try await caller.invoices(token: token)
    } throws: {
      isLost($0, byReset: false)
    }
    #expect(try await caller.invoices(token: token).status == 200)
  }

  @Test("a malformed answer is complete as HTTP and broken as JSON")
  func malformed() async throws {
    let (server, caller) = try await startSandbox()
    server.armFault(Fault(path: path, kind: .malformed))
    let answer = try await caller.invoices()
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix("{\"Id\""))
    #expect(throws: (any Error).self) {
      try JSONSerialization.jsonObject(with: Data(answer.body))
    }
  }

  @Test("a reset fault cuts the connection with a TCP reset and leaves the work undone")
  func reset() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    server.armFault(Fault(path: "/connect/token", kind: .reset))
    await #expect {
      try await caller.refresh(tokens.refreshToken)
    } throws: {
      isLost($0, byReset: true)
    }
    #expect(try await caller.refresh(tokens.refreshToken).status == 200)
    let counts = await server.statistics().requests["POST /connect/token"]
    #expect(counts == ["200": 2, "dropped": 1])
  }

  // Edge case 19
  @Test("commit-then-drop spends the refresh token and loses the answer")
  func commitThenDrop() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    server.armFault(Fault(path: "/connect/token", kind: .commitThenDrop))
    await #expect {
      try await caller.refresh(tokens.refreshToken)
    } throws: {
      isLost($0, byReset: false)
    }
    #expect(try oauthError(try await caller.refresh(tokens.refreshToken)) == "invalid_grant")
    #expect(await server.statistics().refreshReuseDetected == 1)
  }

  @Test("a replaced answer keeps the status of the work and has another body")
  func replace() async throws {
    let (server, caller) = try await startSandbox()
    let tokens = try await caller.signIn()
    server.armFault(Fault(path: "/connect/token", kind: .replace, body: "{\"a\":1}"))
    let answer = try await caller.refresh(tokens.refreshToken)
    #expect(answer.status == 200)
    #expect(answer.text == "{\"a\":1}")
    #expect(answer[header: "content-length"] == "7")
    #expect(try oauthError(try await caller.refresh(tokens.refreshToken)) == "invalid_grant")
  }

  @Test("a delayed request is carried out after the delay")
  func delay() async throws {
    let (server, caller) = try await startSandbox()
    let token = try await caller.machineToken().accessToken
    server.armFault(Fault(path: path, kind: .delay, delayMilliseconds: 30))
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await caller.invoices(token: token).status == 200)
    #expect(clock.now - start >= .milliseconds(30))
  }

  @Test("faults do not affect the controls, even if their path matches")
  func controls() async throws {
    let (server, caller) = try await startSandbox()
    server.armFault(Fault(path: "/*", kind: .reset, times: 9))
    let control = try await caller.get("/_sandbox/stats")
    #expect(control.status == 200)
    server.clearFaults()
    #expect(try await caller.machineToken().tokenType == "Bearer")
  }
}
