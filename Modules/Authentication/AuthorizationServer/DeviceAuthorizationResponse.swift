import Foundation
import SecureStore

/// A successful answer of the device authorization endpoint (RFC 8628 section 3.2).
struct DeviceAuthorizationResponse: Sendable {
  let deviceCode: Secret
  /// What a person is shown.
  let prompt: DeviceCodePrompt
  /// How long to wait between two questions; 5 s where the server does not say.
  let interval: Duration

  /// Reads the answer member by member, or `nil` where it is none.
  init?(body: [UInt8], receivedAt: Date) {
    guard let members = JSONMembers(body), let code = members.text("device_code"),
      let userCode = members.textOrNumber("user_code"),
      // What drafts of the RFC called it, and some servers still do.
      let page = members.url("verification_uri") ?? members.url("verification_url"),
      AuthorizationServer.isTrustworthy(page)
    else { return nil }
    deviceCode = Secret(code)
    prompt = DeviceCodePrompt(
      userCode: userCode, verificationURL: page,
      completeURL: members.url("verification_uri_complete").flatMap {
        AuthorizationServer.isTrustworthy($0) ? $0 : nil
      },
      expiresAt: receivedAt.addingTimeInterval(members.number("expires_in")?.seconds ?? 600))
    interval = .seconds(min(max(members.number("interval")?.seconds ?? 5, 1), 300))
  }
}
