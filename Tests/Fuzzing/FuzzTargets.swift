import Authentication
import Foundation
import HTTPTypes
import Networking
import SecureStore

extension FuzzTarget {
  /// Everything that is fuzzed.
  static func all() throws -> [FuzzTarget] {
    guard let url = URL(string: "http://fuzz.test") else { throw CocoaError(.formatting) }
    return try providers(url) + described(url) + [tokenResponse, callback, retryAfter]
  }

  private static let tokenResponse = FuzzTarget(
    name: "token-response",
    words: [
      #""access_token""#, #""expires_in""#, #""expires_at""#, #""scope""#, "1e308", "-1", "\"NaN\"",
      "null", "{}", #""2030-01-01T00:00:00Z""#, #""refresh_token""#, "\u{0}", "\r\n",
    ]
  ) { input in
    let received = Date(timeIntervalSince1970: 1_700_000_000)
    guard let response = TokenResponse(body: input, receivedAt: received, clockSkew: 3) else {
      return Outcome(kind: "refused")
    }
    return Outcome(
      kind: """
        \(response.refreshToken == nil) \(response.scopes?.isEmpty ?? true) \
        \(response.expiresAt == nil)
        """, content: response.expiresAt.hashValue)
  }

  private static let callback = FuzzTarget(
    name: "callback",
    words: ["/callback", "?", "&", "code=", "state=abc", "error=", "iss=", "%", "+"]
  ) { input in
    let reading = AuthorizationCallback.read(
      target: String(decoding: input, as: UTF8.self), path: "/callback", state: Secret("abc"))
    switch reading {
    case .callback(let callback):
      return Outcome(kind: "answer \(callback.isError) \(callback.issuer == nil)")
    case .otherPath: return Outcome(kind: "other path")
    case .foreign: return Outcome(kind: "foreign")
    }
  }

  private struct OutOfRange: Error {}

  private static let retryAfter = FuzzTarget(
    name: "retry-after",
    words: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "0", "120", "999999999999999999999999", "-1", " ", "Feb", "31", "24:00:00", "99999",
    ]
  ) { input in
    var head = HTTPResponse(status: .tooManyRequests)
    // What no field can hold is made of spaces by the type of fields.
    head.headerFields[.retryAfter] = String(decoding: input, as: UTF8.self)
    let seconds = RetryAfter.seconds(in: head, now: Date(timeIntervalSince1970: 784_000_000))
    if let seconds, !(0...366 * 86_400).contains(seconds) { throw OutOfRange() }
    return Outcome(
      kind: seconds.map { $0 == $0.rounded() ? "whole" : "part" } ?? "none",
      content: seconds.hashValue)
  }
}
