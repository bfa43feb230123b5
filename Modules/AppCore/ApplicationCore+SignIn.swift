public import Authentication
import Models
import Providers
import SecureStore

extension ApplicationCore {
  /// Signs an account in, replacing any earlier login.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - method: the kind of sign-in.
  ///   - unlocksStore: true to unlock a locked keyring first, which asks the user. Otherwise the
  ///     user might approve a login that cannot be stored.
  ///   - onUnlocking: called before the wait for the user to unlock the keyring.
  /// - Throws: ``ConfigurationError`` if the account cannot sign in this way; `SecretStoreError` if
  ///   the keyring stays locked; `AuthenticationError`; `CancellationError`. An earlier login is
  ///   kept unless the new one is stored.
  public func signIn(
    _ name: String, with method: SignInMethod, unlocksStore: Bool = true,
    onUnlocking: @Sendable () -> Void = {}
  ) async throws -> AccountStatus {
    try requireLockFolder()
    try requireSignIn(name, with: method)
    if unlocksStore, try await isStoreLocked {
      onUnlocking()
      try await secretStore.unlock()
    }
    return try await authenticator.signIn(name, with: method)
  }

  /// Forgets which store holds the logins, so that another can be configured; call it after the
  /// last sign-out.
  public func forgetSecretStore() {
    storeMemory.forget()
  }

  private var isStoreLocked: Bool {
    get async throws {
      do { return try await secretStore.checkAvailability().isLocked } catch SecretStoreError
        .damaged
      {
        // The sign-in replaces the damaged file.
        return false
      }
    }
  }

  /// Requires a provider with a sign-in and a client to sign in as, unless tokens are passed.
  private func requireSignIn(_ name: String, with method: SignInMethod) throws {
    if case .tokens = method { return }
    let account = try accountConfiguration(name)
    guard configuration.hasSignIn(account.provider) else {
      throw ConfigurationError(
        source: "providers", key: account.provider,
        problem: "this provider has no sign-in; pass a token with: "
          + "appcore login --account \(name.shellWord) --token-stdin")
    }
    guard account.clientID != nil else {
      throw ConfigurationError(
        source: "accounts", key: name,
        problem:
          "clientID is missing; set accounts.\(name).clientID, $APPCORE_CLIENT_ID or --client-id"
      )
    }
  }
}
