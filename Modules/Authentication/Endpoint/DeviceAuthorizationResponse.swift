import Foundation
import SecureStore

/// A successful answer of the device authorization endpoint (RFC 8628 section 3.2).
struct DeviceAuthorizationResponse: Sendable {
  let deviceCode: Secret
  /// What a person is shown.
  let prompt: DeviceCodePrompt
  /// How long to wait between two questions; 5 s where the server does not say.
  let interval: Duration

  /// Reads the answer, or `nil` where it is none.
  init?(body: [UInt8], receivedAt: Date) {
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(body)),
      !wire.deviceCode.isEmpty, !wire.userCode.isEmpty,
      let verification = wire.verificationURI ?? wire.verificationURL,
      let page = URL(string: verification), AuthorizationServer.isTrustworthy(page)
    else { return nil }
    deviceCode = Secret(wire.deviceCode)
    let direct = wire.verificationURIComplete.flatMap(URL.init(string:))
    prompt = DeviceCodePrompt(
      userCode: wire.userCode, verificationURL: page,
      completeURL: direct.flatMap { AuthorizationServer.isTrustworthy($0) ? $0 : nil },
      expiresAt: receivedAt.addingTimeInterval(wire.expiresIn?.seconds ?? 600))
    interval = .seconds(min(max(wire.interval?.seconds ?? 5, 1), 300))
  }

  private struct Wire: Decodable {
    let deviceCode: String
    let userCode: String
    let verificationURI: String?
    /// What drafts of the RFC called it, and some servers still do.
    let verificationURL: String?
    let verificationURIComplete: String?
    let expiresIn: NumberOrText?
    let interval: NumberOrText?

    private enum CodingKeys: String, CodingKey {
      case deviceCode = "device_code"
      case userCode = "user_code"
      case verificationURI = "verification_uri"
      case verificationURL = "verification_url"
      case verificationURIComplete = "verification_uri_complete"
      case expiresIn = "expires_in"
      case interval
    }
  }
}
