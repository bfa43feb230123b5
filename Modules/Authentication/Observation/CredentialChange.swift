public import Foundation
import Synchronization

/// A change of an account's login, in this process or in another; it contains no token.
public struct CredentialChange: Sendable, Hashable {
  /// The kind of a change.
  public enum Kind: Sendable, Hashable {
    /// The account was signed in.
    case signedIn
    /// Newer tokens were stored or found.
    case renewed
    /// The account was signed out.
    case signedOut
    /// The login ended for this reason.
    case ended(AuthenticationError.SignInReason)
  }

  /// The account that the login is named after; others may share it.
  public let account: String
  /// The kind of the change.
  public let kind: Kind
  /// The generation of the current credentials; `nil` without a login.
  public let generation: UInt64?
  /// The expiry of their access token, if it is known.
  public let expiresAt: Date?
}

/// The listeners to changes of logins; their streams end when this object is released.
final class CredentialChangeBroadcast: Sendable {
  private struct State {
    var nextID = 0
    var listeners: [Int: AsyncStream<CredentialChange>.Continuation] = [:]
  }

  private let state = Mutex(State())

  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// Returns a stream of the changes from now on; leaving the loop over it ends the stream.
  func stream() -> AsyncStream<CredentialChange> {
    // A slow listener loses old changes, never the newest.
    let (stream, continuation) = AsyncStream.makeStream(
      of: CredentialChange.self, bufferingPolicy: .bufferingNewest(64))
    let id = state.withLock { state in
      state.nextID += 1
      state.listeners[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  func send(_ change: CredentialChange) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(change) }
  }

  deinit {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
