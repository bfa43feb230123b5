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
        + "use another account name, or the configuration it was made with",
      hint: Hint("To replace it", configuration.signInCommand(account: name).adding(["--replace"]))
        .then("To remove it", ["logout", "--account", name, "--force"]))
  }

  /// Requires a provider with a sign-in of this kind and a client to sign in as, unless tokens are
  /// passed.
  private func requireSignIn(_ name: String, with method: SignInMethod) throws {
    if case .tokens = method { return }
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    guard provider.profile.hasSignIn else {
      throw ConfigurationError(
        source: "providers", key: account.provider, problem: "this provider has no sign-in",
        hint: passToken(of: name))
    }
    if case .deviceCode = method,
      case .endpoints(let server) = try provider.server(account.endpoints),
      server.deviceAuthorizationEndpoint == nil
    {
      throw ConfigurationError(
        source: "accounts", key: name,
        problem: "\(provider.profile.title) has no device sign-in",
        hint: configuration.takesToken(account: name)
          ? passToken(of: name)
          : Hint("Sign in with a browser", configuration.signInCommand(account: name)))
    }
    guard account.clientID != nil else {
      guard !configuration.takesToken(account: name) else {
        throw ConfigurationError(
          source: configuration.file ?? "accounts", key: "accounts.\(name)",
          problem: "\(provider.profile.title) takes your "
            + "\(configuration.tokenName(account: name)); there is no other sign-in without clientID",
          hint: passToken(of: name))
      }
      return try configuration.requireClient(name)
    }
    guard case .authorizationCode = method, provider.redirect(of: account) == nil else { return }
    throw ConfigurationError(
      source: configuration.file ?? "accounts", key: "accounts.\(name).redirectURI",
      problem: "redirectURI is missing; \(provider.profile.title) takes https addresses only",
      fix: "Set it to the \(provider.profile.redirectName) of your app, an https address that "
        + "you own. After the sign-in, paste the address on which the browser ends.")
  }

  private func passToken(of name: String) -> Hint {
    Hint(
      "Pass your \(configuration.tokenName(account: name))",
      configuration.signInCommand(account: name))
  }
}
