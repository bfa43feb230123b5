import Foundation
import Networking
package import SecureStore

/// What the browser brings back from the authorization server (RFC 6749 4.1.2, RFC 9207).
package struct AuthorizationCallback: Sendable {
  enum Answer: Sendable {
    case code(Secret)
    case error(code: String)
  }

  let answer: Answer
  /// What the server calls itself, where it does.
  package let issuer: String?
  /// What else the redirect says.
  var parameters: [String: String] = [:]

  /// Whether the server tells of an error in place of a code.
  package var isError: Bool {
    if case .error = answer { true } else { false }
  }

  /// What a request to the listener is.
  package enum Reading {
    /// The answer that is waited for.
    case callback(AuthorizationCallback)
    /// Something else that a browser asks for, such as an icon.
    case otherPath
    /// An answer that is not ours: another or no `state`, or broken.
    case foreign
  }

  /// Reads a request target such as `/callback?code=…&state=…`.
  package static func read(target: String, path: String, state: Secret) -> Reading {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.first.map(String.init) == path else { return .otherPath }
    guard halves.count == 2, let fields = FormEncoding.decode(halves[1]) else { return .foreign }
    var values: [String: String] = [:]
    for field in fields {
      // RFC 6749 3.1: a parameter must not come twice; one of the two would be somebody else's.
      guard values.updateValue(field.value, forKey: field.name) == nil else { return .foreign }
    }
    guard let received = values["state"], Secret(received) == state else { return .foreign }
    let answer: Answer
    if let error = values["error"] {
      answer = .error(code: TokenEndpointError.printable(error))
    } else if let code = values["code"], !code.isEmpty {
      answer = .code(Secret(code))
    } else {
      return .foreign
    }
    return .callback(
      AuthorizationCallback(
        answer: answer, issuer: values["iss"],
        parameters: values.filter { !["code", "state"].contains($0.key) }))
  }

  /// The organisation that a parameter names; `nil` where there is none, or where it is no identifier that
  /// could stand in an address.
  func tenantID(named parameter: String) -> String? {
    parameters[parameter].flatMap {
      $0.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._~:\-]{0,127}/#) == nil ? nil : $0
    }
  }

  /// Whether the answer comes from the server that was asked (RFC 9207 section 2.4).
  func comes(from server: AuthorizationServer) -> Bool {
    guard let issuer else { return !server.announcesIssuer }
    return server.issuer.map { $0 == issuer } ?? true
  }
}
