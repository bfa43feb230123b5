public import Providers

/// An organisation that a login reaches, and the account that has it.
public struct ReachedOrganisation: Sendable, Equatable {
  /// The organisation.
  public let organisation: Organisation
  /// The account that the login is named after.
  public let login: String
  /// The provider's name in the configuration.
  public let provider: String
  /// The account whose records are those of the organisation; `nil` if none is configured.
  public let account: String?

  /// Returns the organisation as one that an account has.
  func owned(by account: String) -> ReachedOrganisation {
    ReachedOrganisation(
      organisation: organisation, login: login, provider: provider, account: account)
  }
}

extension Sequence<ReachedOrganisation> {
  /// Returns the organisations with an identifier, or else those with a name, whatever its case.
  public func named(_ text: String) -> [ReachedOrganisation] {
    let found = Set(map(\.organisation).named(text))
    return filter { found.contains($0.organisation) }
  }
}
