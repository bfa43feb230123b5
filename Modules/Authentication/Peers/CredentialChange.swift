public import Foundation
import Synchronization

/// Something that happened to the login of an account, here or in another process; no token is in it.
public struct CredentialChange: Sendable, Hashable {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// The account was signed in.
    case signedIn
    /// There are newer tokens.
    case renewed
    /// The account was signed out.
    case signedOut
    /// The login is over, and why.
    case ended(AuthenticationError.SignInReason)
  }

  /// The account's name.
  public let account: String
  /// What happened.
  public let kind: Kind
  /// The number of the credentials that are there now.
  public let generation: UInt64?
  /// When their access token ends.
  public let expiresAt: Date?
}

/// Hands changes to everybody who listens.
final class CredentialChangeBroadcast: Sendable {
  private struct State {
    var nextID = 0
    var listeners: [Int: AsyncStream<CredentialChange>.Continuation] = [:]
  }

  private let state = Mutex(State())

  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// A stream that begins now; leaving the loop over it ends it.
  func stream() -> AsyncStream<CredentialChange> {
    // A listener that is slow loses old changes, never the newest.
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

  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
