public import Authentication

/// A login that a sign-out of all accounts ended.
public struct EndedLogin: Sendable {
  /// The account that has the login.
  public let account: String
  /// The other accounts that used it, by name.
  public let sharedBy: [String]
  /// The outcome.
  public let report: SignOutReport
}

/// The outcome of a sign-out of all accounts.
public struct CompleteSignOut: Sendable {
  /// The logins in use, each once, by the name of the account that has it.
  public let logins: [EndedLogin]
  /// The accounts whose unused login was removed, by name.
  public let unusedLogins: [String]
}

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

  /// Signs out of every account, so that the store holds no login of the configuration any more.
  ///
  /// It ends each login once, even if several accounts share it. Then it removes the logins that
  /// ``accountsWithUnusedLogin()`` reports, and forgets which store held the logins.
  ///
  /// - Parameters:
  ///   - removesOtherLogins: as `removesOtherLogin` of
  ///     ``signOut(_:removesOtherLogin:delegate:)``.
  ///   - forgetsRecords: true to delete the records of every account too.
  ///   - delegate: returns what shows the user the provider's page for signing out of an account,
  ///     if it has one.
  /// - Throws: as ``signOut(_:removesOtherLogin:delegate:)`` and ``forgetRecords(account:)``; the
  ///   logins that were ended before the error stay so.
  public func signOutOfAllAccounts(
    removesOtherLogins: Bool = false, forgetsRecords: Bool = false,
    delegate: (_ account: String) -> (any AuthenticationDelegate)? = { _ in nil }
  ) async throws -> CompleteSignOut {
    var logins: [EndedLogin] = []
    for name in configuration.logins {
      let report = try await signOut(
        name, removesOtherLogin: removesOtherLogins, delegate: delegate(name))
      let accounts = configuration.accounts(usingLoginOf: name)
      if forgetsRecords {
        for account in accounts { try await forgetRecords(account: account) }
      }
      logins.append(
        EndedLogin(account: name, sharedBy: accounts.filter { $0 != name }, report: report))
    }
    var unused: [String] = []
    for name in try await accountsWithUnusedLogin() {
      // Another process may have removed it since.
      if try await removeUnusedLogin(account: name) { unused.append(name) }
    }
    forgetSecretStore()
    return CompleteSignOut(logins: logins, unusedLogins: unused)
  }
}
