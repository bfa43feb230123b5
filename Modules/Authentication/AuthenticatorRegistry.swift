import Synchronization

/// Which secure stores have an authenticator in this process.
///
/// Two of them would each believe to be the only one, and spend one refresh token twice.
enum AuthenticatorRegistry {
  private static let stores = Mutex<Set<String>>([])

  static func claim(_ store: String) throws {
    guard stores.withLock({ $0.insert(store).inserted }) else {
      throw AuthenticationError.authenticatorExists(store: store)
    }
  }

  static func release(_ store: String) {
    stores.withLock { _ = $0.remove(store) }
  }
}
