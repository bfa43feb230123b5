import Foundation
import Networking
import SecureStore
import SystemSupport

/// The device authorization grant (RFC 8628): the user approves on another device while this one
/// polls at the server's pace.
struct DeviceAuthorizationFlow: Sendable {
  let account: Account
  let endpoint: TokenEndpoint
  let delegate: any AuthenticationDelegate
  let time: TimeSource

  func run() async throws -> TokenResponse {
    let device = try await endpoint.deviceAuthorization()
    try await delegate.showDeviceCode(device.prompt)
    let endsAt = time.uptime() + .seconds(device.prompt.expiresAt.timeIntervalSince(time.wall()))
    var interval = device.interval
    while true {
      guard time.uptime() + interval < endsAt else { throw failure(.codeExpired) }
      try await time.sleep(interval)
      do {
        return try await endpoint.exchange(.deviceCode(device.deviceCode))
      } catch TokenEndpointError.authorizationPending {
        continue
      } catch TokenEndpointError.slowDown {
        // Section 3.5: five seconds more, for this and all later polls.
        interval += .seconds(5)
      } catch TokenEndpointError.deviceCodeExpired {
        throw failure(.codeExpired)
      } catch TokenEndpointError.refused(let refusal) where refusal.code == "access_denied" {
        throw failure(.denied, refusal.message)
      } catch TokenEndpointError.unavailable(_, let retryAt) {
        // A bare 429 means the same as slow_down; an outage slows the polling down likewise.
        let asked = retryAt.map { Duration.seconds($0.timeIntervalSince(time.wall())) }
        interval = max(interval, min(asked ?? interval * 2, .seconds(60)))
      } catch let error as SessionError where error.isTransient {
        // Section 3.5: after a lost connection a client slows down exponentially.
        interval = min(interval * 2, .seconds(60))
      }
    }
  }

  private func failure(
    _ reason: AuthenticationError.SignInFailure, _ message: ProviderMessage? = nil
  ) -> AuthenticationError {
    .signInFailed(account: account.name, reason: reason, message: message)
  }
}

/// A successful response of the device authorization endpoint (RFC 8628 section 3.2).
struct DeviceAuthorizationResponse: Sendable {
  let deviceCode: Secret
  let prompt: DeviceCodePrompt
  /// The pause between two polls; 5 s if the server names none.
  let interval: Duration

  init?(body: [UInt8], receivedAt: Date) {
    guard let members = JSONMembers(body), let code = members.text("device_code"),
      let userCode = members.textOrNumber("user_code"),
      // Drafts of the RFC used the second name, and some servers still do.
      let page = members.url("verification_uri") ?? members.url("verification_url"),
      AuthorizationServer.isTrustworthy(page)
    else { return nil }
    deviceCode = Secret(code)
    prompt = DeviceCodePrompt(
      userCode: userCode, verificationURL: page,
      completeURL: members.url("verification_uri_complete").flatMap {
        AuthorizationServer.isTrustworthy($0) ? $0 : nil
      },
      // A server that names no end, or one in a year, would be polled without end.
      expiresAt: receivedAt.addingTimeInterval(
        min(members.number("expires_in")?.seconds.flatMap { $0 > 0 ? $0 : nil } ?? 600, 3_600)))
    interval = .seconds(min(max(members.number("interval")?.seconds ?? 5, 1), 300))
  }
}
