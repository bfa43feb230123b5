public import Authentication
import Models
import Providers
import SecureStore

extension ApplicationCore {
  /// Signs an account in, replacing any earlier login.
  ///
  /// For an account that shares another's login, this is a new login of every account that does;
  /// see ``CoreConfiguration/accounts(usingLoginOf:)``.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - method: the kind of sign-in.
  ///   - replacesOtherLogin: true to replace a login that was made with another server or client,
  ///     as by another configuration.
  ///   - unlocksStore: true to unlock a locked keyring first, which asks the user. Otherwise the
  ///     user might approve a login that cannot be stored.
  ///   - onUnlocking: called before the wait for the user to unlock the keyring.
  ///
  /// Tokens that are passed are stored once the provider has accepted them for a request.
  /// - Throws: ``ConfigurationError`` if the account cannot sign in this way, or holds the login of
  ///   another server or client; `SecretStoreError` if the keyring stays locked;
  ///   `AuthenticationError`, for refused tokens `signInFailed` with `tokenRefused`; `SyncError`
  ///   and `SessionError` if tokens cannot be checked; `CancellationError`. An earlier login is
  ///   kept unless the new one is stored.
  public func signIn(
    _ account: String, with method: SignInMethod, replacesOtherLogin: Bool = false,
    unlocksStore: Bool = true, onUnlocking: @Sendable () -> Void = {}
  ) async throws -> AccountStatus {
    try requireLockFolder()
    try configuration.requireChoice(account)
    let name = configuration.login(of: account)
    try requireSignIn(name, with: method)
    if unlocksStore, try await isStoreLocked {
      onUnlocking()
      try await secretStore.unlock()
    }
    if !replacesOtherLogin { try await requireOwnLogin(name) }
    if case .tokens(let tokens) = method { try await check(tokens, of: name) }
    return try await authenticator.signIn(name, with: method)
  }

  /// Signs an account out; see `Authenticator.signOut(_:delegate:)`.
  ///
  /// It ends the login of every account that shares it; see
  /// ``CoreConfiguration/accounts(usingLoginOf:)``.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - removesOtherLogin: true to remove also a login that was made with another server or
  ///     client; its tokens are not revoked.
  ///   - delegate: shows the user the provider's page for signing out, if it has one.
  /// - Throws: ``ConfigurationError`` for such a login; `AuthenticationError`.
  public func signOut(
    _ name: String, removesOtherLogin: Bool = false,
    delegate: (any AuthenticationDelegate)? = nil
  ) async throws -> SignOutReport {
    if !removesOtherLogin { try await requireOwnLogin(name) }
    return try await authenticator.signOut(name, delegate: delegate)
  }

  /// Returns the accounts that share another's login and still have one of their own in the store,
  /// by name; nothing uses it.
  ///
  /// It is the login that such an account had before the configuration said `login: NAME`. It stays
  /// until it is removed, and serves again if the account stops sharing.
  /// - Throws: `AuthenticationError`.
  public func accountsWithUnusedLogin() async throws -> [String] {
    var names: [String] = []
    for name in configuration.accounts.keys.sorted() {
      if try await authenticator.hasUnusedLogin(name) { names.append(name) }
    }
    return names
  }

  /// Removes the login that ``accountsWithUnusedLogin()`` reports; the shared login stays.
  ///
  /// It is not revoked, since its client is no longer configured.
  /// - Returns: `false` if there was none.
  /// - Throws: ``ConfigurationError``; `AuthenticationError`.
  public func removeUnusedLogin(account name: String) async throws -> Bool {
    try requireLockFolder()
    _ = try accountConfiguration(name)
    return try await authenticator.removeUnusedLogin(name)
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

  /// Requires that the account holds no login of another server or client.
  ///
  /// - Throws: ``ConfigurationError`` with the server that the login belongs to.
  package func requireOwnLogin(_ account: String) async throws {
    let name = configuration.login(of: account)
    guard let stored = try await authenticator.storedLogin(of: name), !stored.isOwn else { return }
    let client = stored.clientID.isEmpty ? "" : " and the client '\(stored.clientID)'"
    throw ConfigurationError(
      source: "accounts", key: name,
      problem: "this login belongs to \(stored.server)\(client), not to this configuration; "
        + "use another account name, or the configuration it was made with. "
        + "To replace it: appcore login --account \(name.shellWord) --replace; "
        + "to remove it: appcore logout --account \(name.shellWord) --force")
  }

  /// Requires a provider with a sign-in of this kind and a client to sign in as, unless tokens are
  /// passed.
  private func requireSignIn(_ name: String, with method: SignInMethod) throws {
    if case .tokens = method { return }
    let account = try accountConfiguration(name)
    let provider = try ProviderCatalogue.provider(account.provider, in: configuration)
    guard provider.traits.hasSignIn else {
      throw ConfigurationError(
        source: "providers", key: account.provider, problem: "this provider has no sign-in",
        fix: "Pass a token: appcore login --account \(name.shellWord) --token-stdin")
    }
    if case .deviceCode = method,
      case .endpoints(let server) = try provider.server(account.endpoints),
      server.deviceAuthorizationEndpoint == nil
    {
      throw ConfigurationError(
        source: "accounts", key: name,
        problem: "\(provider.displayName) has no device sign-in",
        fix: "Sign in with a browser: appcore login --account \(name.shellWord)")
    }
    guard account.clientID != nil else {
      throw configuration.missingClientID(
        of: name, from: ProviderProfile(provider).registrationURL)
    }
  }
}

extension Provider {
  /// The provider's own spelling of its name.
  var displayName: String { traits.displayName ?? name }
}
