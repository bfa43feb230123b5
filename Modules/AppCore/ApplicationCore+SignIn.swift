public import Authentication
import Models
import Networking
import Providers
import SecureStore
import Sync

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

extension ApplicationCore {
  /// Checks that the provider accepts tokens that are not stored yet.
  ///
  /// - Throws: `AuthenticationError.signInFailed` with `tokenRefused` if it answers 401 or 403;
  ///   `SyncError` and `SessionError` if it cannot be asked.
  private func check(_ tokens: TokenSet, of name: String) async throws {
    // The authenticator reports a text that is no token.
    guard tokens.canBeSent else { return }
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    let baseURL = try provider.baseURL(account.endpoints)
    guard let origin = Origin(baseURL) else {
      throw ConfigurationError(source: "providers", key: "baseURL", problem: "not an http(s) URL")
    }
    let session = session(
      trying: TokenAuthorizer(
        tokens, scheme: provider.profile.tokenScheme,
        secondSecret: try authenticator.secondSecret(of: name), origin: origin),
      provider, account)
    let context = ProviderContext(account: name, baseURL: baseURL, tenantID: account.tenantID)
    let result: Result<Void, any Error>
    do {
      _ = try await provider.checkAccess(in: context, over: session)
      result = .success(())
    } catch SyncError.credentialsRejected(let message) {
      result = .failure(refusal(name, 401, message))
    } catch SyncError.accessDenied(status: 403, let message) {
      result = .failure(refusal(name, 403, message))
    } catch {
      result = .failure(error)
    }
    await session.shutdown()
    try result.get()
  }

  private func refusal(
    _ name: String, _ status: Int, _ message: ProviderMessage?
  ) -> AuthenticationError {
    .signInFailed(account: name, reason: .tokenRefused(status: status), message: message)
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

  /// Signs an account out, and can delete its records too.
  ///
  /// The login has ended even if the records cannot be deleted; ``CompleteSignOut/failures`` then
  /// holds the error.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - removesOtherLogin: as of ``signOut(_:removesOtherLogin:delegate:)``.
  ///   - forgetsRecords: true to delete the records of this account, and not of those that share
  ///     its login.
  ///   - delegate: shows the user the provider's page for signing out, if it has one.
  /// - Returns: the outcome, with one login.
  /// - Throws: if the login cannot be ended: ``ConfigurationError``, `AuthenticationError`.
  public func signOut(
    _ name: String, removesOtherLogin: Bool = false, forgetsRecords: Bool,
    delegate: (any AuthenticationDelegate)? = nil
  ) async throws -> CompleteSignOut {
    let report = try await signOut(name, removesOtherLogin: removesOtherLogin, delegate: delegate)
    var outcome = CompleteSignOut()
    var isForgotten: Void?
    if forgetsRecords {
      isForgotten = try await outcome.result(of: name) { try await forgetRecords(account: name) }
    }
    let sharing = configuration.accounts(usingLoginOf: name)
    outcome.logins = [
      EndedLogin(
        account: name, sharedBy: sharing.filter { $0 != name }, report: report,
        areRecordsForgotten: isForgotten != nil)
    ]
    return outcome
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

  /// Forgets which store holds the logins, so that another can be configured.
  ///
  /// Call it after the last sign-out;
  /// ``signOutOfAllAccounts(removesOtherLogins:forgetsRecords:forgetsRemovedAccounts:delegate:)``
  /// does so itself.
  public func forgetSecretStore() {
    storeMemory.forget()
  }

  /// Signs out of every account, so that the store holds no login of the configuration any more.
  ///
  /// It ends each login once, even if several accounts share it. Then it removes the logins that
  /// ``accountsWithUnusedLogin()`` reports. If a login cannot be ended, the others still are, and
  /// ``CompleteSignOut/failures`` names it; without such a failure, it forgets which store held the
  /// logins.
  ///
  /// - Parameters:
  ///   - removesOtherLogins: as `removesOtherLogin` of
  ///     ``signOut(_:removesOtherLogin:delegate:)``.
  ///   - forgetsRecords: true to delete the records of every account too.
  ///   - forgetsRemovedAccounts: true to delete also those of ``removedAccounts()``; another
  ///     configuration may use the same database, and have them.
  ///   - delegate: returns what shows the user the provider's page for signing out of an account,
  ///     if it has one.
  /// - Throws: `CancellationError`; the logins that were ended before it stay so.
  public func signOutOfAllAccounts(
    removesOtherLogins: Bool = false, forgetsRecords: Bool = false,
    forgetsRemovedAccounts: Bool = false,
    delegate: (_ account: String) -> (any AuthenticationDelegate)? = { _ in nil }
  ) async throws -> CompleteSignOut {
    var outcome = CompleteSignOut()
    for name in configuration.logins {
      let report = try await outcome.result(of: name) {
        try await signOut(name, removesOtherLogin: removesOtherLogins, delegate: delegate(name))
      }
      guard let report else { continue }
      let accounts = configuration.accounts(usingLoginOf: name)
      var areForgotten = forgetsRecords
      for account in accounts where forgetsRecords {
        let isForgotten: Void? = try await outcome.result(of: account) {
          try await forgetRecords(account: account)
        }
        if isForgotten == nil { areForgotten = false }
      }
      outcome.logins.append(
        EndedLogin(
          account: name, sharedBy: accounts.filter { $0 != name }, report: report,
          areRecordsForgotten: areForgotten))
    }
    for name in configuration.accounts.keys.sorted() {
      let isRemoved = try await outcome.result(of: name) {
        guard try await authenticator.hasUnusedLogin(name) else { return false }
        // Another process may have removed it since.
        return try await removeUnusedLogin(account: name)
      }
      if isRemoved == true { outcome.unusedLogins.append(name) }
    }
    var removedAccounts: [RemovedAccount] = []
    if forgetsRemovedAccounts {
      do { removedAccounts = try await self.removedAccounts() } catch {
        // A database that cannot be read has failed the accounts above, if there are any.
        if outcome.failures.isEmpty { throw error }
      }
    }
    for removed in removedAccounts {
      let isForgotten: Void? = try await outcome.result(of: removed.name) {
        try await forgetRecords(account: removed.name)
      }
      if isForgotten != nil { outcome.forgottenAccounts.append(removed.name) }
    }
    if outcome.failures.isEmpty { forgetSecretStore() }
    return outcome
  }
}

extension CompleteSignOut {
  fileprivate mutating func result<Value>(
    of account: String, _ step: () async throws -> Value
  ) async throws -> Value? {
    do { return try await step() } catch is CancellationError {
      throw CancellationError()
    } catch {
      failures.append(SignOutFailure(account: account, error: error))
      return nil
    }
  }
}

/// The outcome of a sign-out of an account, or of all.
public struct CompleteSignOut: Sendable {
  /// The logins that were ended, each once, by the name of the account that has it.
  public internal(set) var logins: [EndedLogin] = []
  /// The accounts whose unused login was removed, by name.
  public internal(set) var unusedLogins: [String] = []
  /// The accounts that are not configured any more, and whose records were deleted, by name.
  public internal(set) var forgottenAccounts: [String] = []
  /// The failures, in the order in which they occurred; none stops the sign-out of the others.
  public internal(set) var failures: [SignOutFailure] = []
}

/// A login that a sign-out ended.
public struct EndedLogin: Sendable {
  /// The account that has the login.
  public let account: String
  /// The other accounts that used it, by name.
  public let sharedBy: [String]
  /// The outcome.
  public let report: SignOutReport
  /// True if the records of the accounts that were signed out were deleted too.
  public let areRecordsForgotten: Bool
}

/// An account that a sign-out of all accounts left as it was, or whose records it could not delete.
public struct SignOutFailure: Sendable {
  /// The account.
  public let account: String
  /// The error, as a sign-out of this account alone throws it.
  public let error: any Error
}
