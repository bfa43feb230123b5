package import Models
package import Storage

/// The question which organisation a new sign-in, or a list at a new address, belongs to: the one
/// whose records the account holds, or another.
///
/// Only the user can answer it.
public struct OrganisationQuestion: Sendable {
  /// The account.
  public let account: String
  /// The records that it holds, such as `1234 invoices`.
  public let holding: String
  /// The sign-in.
  package let login: String
  /// The addresses of the provider's lists.
  package let addresses: [Resource: String]

  /// Creates the question; `nil` if the account holds nothing, or this sign-in and these addresses
  /// are already confirmed.
  ///
  /// - Parameter isIdentified: true if the server identifies the organisation, so that only another
  ///   server is in question.
  package init?(
    account: String, _ database: LocalDatabase, _ signIn: SignInSource,
    addresses: [Resource: String], isIdentified: Bool
  ) async throws {
    guard let owner = try await database.owner(account: account) else { return nil }
    let login = try await signIn.login()
    let contents = try await database.contents(account: account)
    let isNew =
      isIdentified
      ? addresses.keys.contains { owner.isElsewhere($0, in: addresses) }
      : owner.login != login || addresses.keys.contains { owner.isMoved($0, in: addresses) }
    guard isNew, !contents.isEmpty else { return nil }
    // Marks that the account had another sign-in before, so that a sync needs the user's answer.
    if owner.login == nil { try await database.noteSignIn("", account: account) }
    self.account = account
    holding = "\(contents)"
    self.login = login
    self.addresses = addresses
  }
}
