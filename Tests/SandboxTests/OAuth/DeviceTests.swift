import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DeviceTests {
  private let start = ContinuousClock.now
  private let scope = Scope.standard

  private func ledger() -> GrantLedger {
    GrantLedger(
      tokenLifetime: .seconds(60), reuseGrace: .zero, deviceInterval: .seconds(5))
  }

  private func code(
    _ ledger: inout GrantLedger, _ device: DeviceGrant, after seconds: Int
  ) -> OAuthError.Code? {
    do {
      _ = try ledger.exchange(
        deviceCode: device.deviceCode, clientID: "client", at: start + .seconds(seconds))
      return nil
    } catch {
      return error.code
    }
  }

  private func expect(
    _ code: OAuthError.Code?, _ expected: OAuthError.Code?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(code == expected, sourceLocation: sourceLocation)
  }

  @Test("a device waits, is slowed down if it polls too fast, and gets its tokens once")
  func approval() {
    var ledger = ledger()
    let device = ledger.issueDeviceCode(clientID: "client", scope: scope, at: start)
    expect(code(&ledger, device, after: 5), .authorizationPending)
    expect(code(&ledger, device, after: 6), .slowDown)
    let first = ledger.decide(
      userCode: device.userCode.lowercased(), isApproved: true, at: start)
    let second = ledger.decide(userCode: device.userCode, isApproved: true, at: start)
    #expect(first && !second)
    expect(code(&ledger, device, after: 15), .slowDown)
    expect(code(&ledger, device, after: 30), nil)
    expect(code(&ledger, device, after: 60), .invalidGrant)
  }

  @Test("a device that was refused, or came too late, gets nothing")
  func refusal() {
    var ledger = ledger()
    let denied = ledger.issueDeviceCode(clientID: "client", scope: scope, at: start)
    _ = ledger.decide(userCode: denied.userCode, isApproved: false, at: start)
    expect(code(&ledger, denied, after: 5), .accessDenied)
    let late = ledger.issueDeviceCode(clientID: "client", scope: scope, at: start)
    expect(code(&ledger, late, after: 601), .expiredToken)
    let decided = ledger.decide(
      userCode: late.userCode, isApproved: true, at: start + .seconds(601))
    #expect(!decided)
  }

  @Test("the user approves on the page that the device names")
  func page() async throws {
    let (server, _) = try await startSandbox()
    let device = server.state.oauth
    let grant = try device.issueDeviceCode(FormParameters(), client: device.publicClient)
    try await ApprovingBrowser().approve(
      server.url.absoluteString + "/connect/device?user_code=" + grant.userCode)
    #expect(device.device(userCode: grant.userCode) == nil)
  }
}
