import Foundation
import Networking
package import SecureStore
import SystemSupport

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
  var parameters: [String: String] = [:]
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

/// The decision on each request to the listener: its reply, and the one callback that counts.
final class CallbackReceiver: Sendable {
  struct Reply: Sendable {
    let status: Int
    let html: String
    /// The response that the request brings; it counts once the reply is written.
    var callback: AuthorizationCallback?
  }

  /// The first callback with the right `state`.
  let outcome = SharedOutcome<AuthorizationCallback>()
  private let path: String
  private let state: Secret
  /// True if the browser ends on a page elsewhere, whose path may differ from the redirect URI's.
  private let isPage: Bool

  init(path: String, state: Secret, isPage: Bool = false) {
    self.path = path
    self.state = state
    self.isPage = isPage
  }

  func receive(method: String, target: String) -> Reply {
    guard method == "GET" else { return Self.page(405, "This address accepts only GET requests.") }
    switch AuthorizationCallback.read(target: target, path: path, state: state) {
    case .otherPath:
      return Self.page(404, "Not found.")
    case .foreign:
      return Self.page(400, "This answer belongs to another sign-in.")
    case .callback(let callback):
      var reply = Self.page(
        200,
        (callback.isError ? "Sign-in was declined." : "appcore received the answer.")
          + " You can close this window.")
      reply.callback = callback
      return reply
    }
  }

  /// Ends the wait for a response, after the browser has its page: the program may end at once.
  ///
  /// Later callbacks are ignored: a code is used once.
  func finish(_ reply: Reply) {
    if let callback = reply.callback { outcome.resolve(.success(callback)) }
  }

  /// Reads the address on which a browser on another machine ended.
  ///
  /// An address that lost its end is refused where the end shows it: the issuer often comes last.
  func receive(pasted text: String, from server: AuthorizationServer) -> PastedRedirect {
    // Text around an address, such as <…>, is no part of it.
    let text = text.trimmingPrefix(while: \.isWhitespace).prefix {
      !$0.isWhitespace && !["#", ">", "\""].contains($0)
    }
    // A page may lead on to another one, which keeps the query; the state shows whose it is.
    let mark = isPage ? "?" : path + "?"
    guard text.utf8.count <= 65_536, let query = text.firstRange(of: mark)?.upperBound else {
      return .notRedirect
    }
    switch AuthorizationCallback.read(target: path + "?" + text[query...], path: path, state: state)
    {
    case .otherPath: return .notRedirect
    case .foreign: return .foreign
    case .callback(let callback):
      guard callback.comes(from: server) else { return .foreign }
      outcome.resolve(.success(callback))
      return .accepted
    }
  }

  private static func page(_ status: Int, _ text: String) -> Reply {
    Reply(
      status: status,
      html: "<!doctype html><meta charset=utf-8><title>appcore</title><p>\(text)</p>\n")
  }
}
