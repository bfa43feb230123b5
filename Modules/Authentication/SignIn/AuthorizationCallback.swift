import Foundation
import Networking
package import SecureStore

/// The authorization server's response, which the browser's redirect carries (RFC 6749 section
/// 4.1.2, RFC 9207).
package struct AuthorizationCallback: Sendable {
  enum Answer: Sendable {
    case code(Secret)
    case error(code: String)
  }

  let answer: Answer
  /// The issuer that the response names, if it names one.
  package let issuer: String?
  /// The other parameters of the redirect.
  var parameters: [String: String] = [:]
  /// The server's own words for an error.
  var message: ProviderMessage?

  /// True if the server reports an error instead of a code.
  package var isError: Bool {
    if case .error = answer { true } else { false }
  }

  /// The kinds of requests to the listener.
  package enum Reading {
    /// The response of this sign-in.
    case callback(AuthorizationCallback)
    /// A browser's request for something else, such as an icon.
    case otherPath
    /// A response of another sign-in: another `state`, none, or malformed.
    case foreign
  }

  /// Parses a request target such as `/callback?code=…&state=…`.
  package static func read(target: String, path: String, state: Secret) -> Reading {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.first.map(String.init) == path else { return .otherPath }
    guard halves.count == 2, let fields = FormEncoding.decode(halves[1]) else { return .foreign }
    var values: [String: String] = [:]
    for field in fields {
      // RFC 6749 section 3.1: a repeated parameter is invalid; one of the two could be an
      // attacker's.
      guard values.updateValue(field.value, forKey: field.name) == nil else { return .foreign }
    }
    guard let received = values["state"], Secret(received) == state else { return .foreign }
    let answer: Answer
    if let error = values["error"] {
      answer = .error(code: ServerRefusal.printable(error))
    } else if let code = values["code"], !code.isEmpty {
      answer = .code(Secret(code))
    } else {
      return .foreign
    }
    // A server, or whoever made up the address, may repeat the secrets of the sign-in.
    let secrets = SentCredentials(["code", "state"].compactMap { values[$0] })
    return .callback(
      AuthorizationCallback(
        answer: answer, issuer: values["iss"],
        parameters: values.filter { !["code", "state"].contains($0.key) },
        message: values["error_description"].flatMap { ProviderMessage($0, removing: secrets) }))
  }

  /// Returns the organisation that a parameter names; `nil` without one, or if it is no identifier
  /// that can be part of a URL.
  func tenantID(named parameter: String) -> String? {
    parameters[parameter].flatMap {
      $0.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._~:\-]{0,127}/#) == nil ? nil : $0
    }
  }

  /// Returns true if the response comes from this server (RFC 9207 section 2.4).
  ///
  /// Some servers announce their name in responses and leave it out of errors. An error hands over
  /// nothing, so it is believed without; a code never is.
  func comes(from server: AuthorizationServer) -> Bool {
    guard let issuer else { return !server.announcesIssuer || isError }
    return server.issuer.map { $0 == issuer } ?? true
  }
}
