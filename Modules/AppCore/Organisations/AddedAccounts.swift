/// The outcome of adding organisations as accounts.
public struct AddedAccounts: Sendable, Equatable {
  /// The accounts that were added.
  public let added: [AddedAccount]
  /// The wanted organisations that had an account already, each once and with that account.
  public let existing: [ReachedOrganisation]
}

/// An account that was added in a file of its own.
public struct AddedAccount: Sendable, Equatable {
  /// The account's name.
  public let name: String
  /// The organisation whose records it takes.
  public let organisation: ReachedOrganisation
  /// The file that configures it.
  public let file: String
}
