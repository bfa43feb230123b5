import Synchronization

/// The right to be the process's one authenticator for a secure store; it ends with the last
/// reference.
///
/// Two authenticators for one store would each hold an old refresh token and could spend it twice.
final class StoreClaim: Sendable {
  private static let claimed = Mutex<Set<String>>([])

  private let store: String

  /// Claims a store by its identity.
  ///
  /// - Throws: ``AuthenticationError/authenticatorExists(store:)``.
  init(_ store: String) throws {
    guard Self.claimed.withLock({ $0.insert(store).inserted }) else {
      throw AuthenticationError.authenticatorExists(store: store)
    }
    self.store = store
  }

  deinit {
    Self.claimed.withLock { _ = $0.remove(store) }
  }
}
