package import Storage

/// The question to the user of which organisation a new sign-in reads: the one whose records the
/// account holds, or another.
public struct OrganisationQuestion: Sendable {
  /// The account.
  public let account: String
  /// The records that it holds, such as `1234 invoices`.
  public let holding: String
  /// The sign-in.
  package let login: String

  /// Returns `nil` where the account holds nothing, or the question was answered for this sign-in.
  package init?(account: String, _ database: LocalDatabase, _ signIn: SignInSource) async throws {
    guard let owner = try await database.owner(account: account) else { return nil }
    let login = try await signIn.login()
    let contents = try await database.contents(account: account)
    guard owner.login != login, !contents.isEmpty else { return nil }
    // From now on it is known that there was another sign-in before.
    if owner.login == nil { try await database.noteSignIn("", account: account) }
    self.account = account
    holding = "\(contents)"
    self.login = login
  }
}
