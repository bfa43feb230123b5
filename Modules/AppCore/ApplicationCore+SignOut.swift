public import Authentication

extension ApplicationCore {
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
  /// ``signOutOfAllAccounts(removesOtherLogins:forgetsRecords:delegate:)`` does so itself.
  public func forgetSecretStore() {
    storeMemory.forget()
  }
}
