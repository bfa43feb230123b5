import Synchronization

/// The right to be the process's one authenticator for a secure store; it ends when it is released,
/// with the last reference at the latest.
///
/// Two authenticators for one store would each hold an old refresh token and could spend it twice.
final class StoreClaim: Sendable {
  private static let claimed = Mutex<Set<String>>([])

  private let store: String
  private let isHeld = Mutex(true)

  /// Claims a store by its identity.
  ///
  /// - Throws: ``AuthenticationError/authenticatorExists(store:)``.
  init(_ store: String) throws {
    guard Self.claimed.withLock({ $0.insert(store).inserted }) else {
      throw AuthenticationError.authenticatorExists(store: store)
    }
    self.store = store
  }

  /// Gives the store to the next authenticator.
  ///
  /// Only an authenticator that begins no exchange any more may call it.
  func release() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    // Somebody else may have claimed the store since the first release.
    if wasHeld { Self.claimed.withLock { _ = $0.remove(store) } }
  }

  deinit { release() }
}
