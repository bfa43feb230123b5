public import Authentication

extension ApplicationCore {
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
  ///   - delegate: returns what shows the user the provider's page for signing out of an account,
  ///     if it has one.
  /// - Throws: `CancellationError`; the logins that were ended before it stay so.
  public func signOutOfAllAccounts(
    removesOtherLogins: Bool = false, forgetsRecords: Bool = false,
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
    if outcome.failures.isEmpty { forgetSecretStore() }
    return outcome
  }
}

extension CompleteSignOut {
  /// Returns the result of a step, or `nil` after noting its failure.
  ///
  /// - Throws: `CancellationError`.
  mutating func result<Value>(
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
