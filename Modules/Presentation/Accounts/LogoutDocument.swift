package import AppCore
package import Authentication

/// The document that `appcore logout` prints.
package struct LogoutDocument: Encodable {
  let schemaVersion = 1
  package let accounts: [Entry]
  /// The accounts that are not configured any more, and whose records were deleted.
  let forgotten: [String]

  package struct Entry: Encodable {
    let account: String
    let wasSignedIn: Bool
    let revoked: Bool
    let forgotten: Bool
    /// The other accounts whose login this ended.
    let sharedBy: [String]
    /// True if a login was removed that a shared one had replaced; absent of other sign-outs.
    let unusedRemoved: Bool?

    package init(
      account: String, _ report: SignOutReport, forgotten: Bool, sharedBy: [String] = []
    ) {
      self.account = account
      wasSignedIn = report.wasSignedIn
      revoked = report.isRevoked
      self.forgotten = forgotten
      self.sharedBy = sharedBy
      unusedRemoved = nil
    }

    /// Creates the entry of an account whose unused login was removed, if there was one; the login
    /// in use stays.
    package init(account: String, unusedRemoved: Bool) {
      self.account = account
      self.unusedRemoved = unusedRemoved
      (wasSignedIn, revoked, forgotten, sharedBy) = (false, false, false, [])
    }
  }

  package init(_ accounts: [Entry]) { (self.accounts, forgotten) = (accounts, []) }

  /// Creates the document of a sign-out.
  package init(_ outcome: CompleteSignOut) {
    accounts =
      outcome.logins.map { login in
        Entry(
          account: login.account, login.report, forgotten: login.areRecordsForgotten,
          sharedBy: login.sharedBy)
      } + outcome.unusedLogins.map { Entry(account: $0, unusedRemoved: true) }
    forgotten = outcome.forgottenAccounts
  }
}

extension CompleteSignOut {
  /// Returns the failures, each with its account; `nil` if there is none.
  package func failures(in configuration: CoreConfiguration) -> Failures? {
    Failures(
      failures.map { failed in
        var failure = Failure(failed.error, in: configuration, account: failed.account)
        failure.account = failed.account
        return failure
      })
  }
}
