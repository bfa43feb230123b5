import Networking
import SecureStore
import SystemSupport

/// Decides what the listener answers, and takes the one answer that counts.
final class CallbackReceiver: Sendable {
  struct Reply: Sendable, Equatable {
    let status: Int
    let html: String
  }

  /// The first callback with the right `state`.
  let outcome = SharedOutcome<AuthorizationCallback>()
  private let path: String
  private let state: Secret

  init(path: String, state: Secret) {
    self.path = path
    self.state = state
  }

  func receive(method: String, target: String) -> Reply {
    guard method == "GET" else { return Self.page(405, "Only the browser is awaited here.") }
    switch AuthorizationCallback.read(target: target, path: path, state: state) {
    case .otherPath:
      return Self.page(404, "There is nothing here.")
    case .foreign:
      return Self.page(400, "This is not the answer to the sign-in that is under way.")
    case .callback(let callback):
      // Later ones are ignored by the outcome: a code is used once.
      outcome.resolve(.success(callback))
      if case .error = callback.answer {
        return Self.page(200, "Signing in was refused. You can close this window.")
      }
      return Self.page(200, "The answer has arrived. You can close this window and go back.")
    }
  }

  private static func page(_ status: Int, _ text: String) -> Reply {
    Reply(
      status: status,
      html: "<!doctype html><meta charset=utf-8><title>appcore</title><p>\(text)</p>\n")
  }
}
