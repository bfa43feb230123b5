public import Authentication
import Models
import Providers
import SecureStore

extension ApplicationCore {
  /// Signs an account in, replacing a login that was there.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - method: the kind of sign-in.
  ///   - unlocksStore: whether a locked keyring is opened first, which asks the user: nobody should
  ///     approve a login that cannot be kept.
  ///   - onUnlocking: called before it waits for that.
  /// - Throws: ``ConfigurationError`` where the account cannot sign in like this;
  ///   `SecretStoreError` where the keyring stays locked; `AuthenticationError`;
  ///   `CancellationError`. A login that was there before is kept unless the new one is stored.
  public func signIn(
    _ name: String, with method: SignInMethod, unlocksStore: Bool = true,
    onUnlocking: @Sendable () -> Void = {}
  ) async throws -> AccountStatus {
    try requireSignIn(name, with: method)
    if unlocksStore, try await isStoreLocked {
      onUnlocking()
      try await secretStore.unlock()
    }
    return try await authenticator.signIn(name, with: method)
  }

  /// Forgets which store the logins are kept in, after the last was signed out; another can then be
  /// configured.
  public func forgetSecretStore() {
    storeMemory.forget()
  }

  private var isStoreLocked: Bool {
    get async throws {
      do { return try await secretStore.checkAvailability().isLocked } catch SecretStoreError
        .damaged
      {
        // The sign-in replaces it.
        return false
      }
    }
  }

  /// Requires what a sign-in needs: a provider that has one, and a client to sign in as.
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
