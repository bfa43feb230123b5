public import Authentication

/// The outcome of a sign-out of an account, or of all.
public struct CompleteSignOut: Sendable {
  /// The logins that were ended, each once, by the name of the account that has it.
  public internal(set) var logins: [EndedLogin] = []
  /// The accounts whose unused login was removed, by name.
  public internal(set) var unusedLogins: [String] = []
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
