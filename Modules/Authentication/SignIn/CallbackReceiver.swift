import Networking
import SecureStore
import SystemSupport

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
