import Foundation
import SecureStore

/// A successful response of the device authorization endpoint (RFC 8628 section 3.2).
struct DeviceAuthorizationResponse: Sendable {
  let deviceCode: Secret
  /// The code and the page to show to the user.
  let prompt: DeviceCodePrompt
  /// The pause between two polls; 5 s if the server names none.
  let interval: Duration

  /// Reads the response member by member; `nil` if a required member is missing.
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
