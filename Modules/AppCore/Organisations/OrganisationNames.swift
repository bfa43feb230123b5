import Authentication
import Providers
import Storage

/// The names of the organisations whose records accounts hold, as this machine has them.
public struct OrganisationNames: Sendable, Equatable {
  private var names: [String: String] = [:]

  /// Creates names of no account.
  public init() {}

  init(_ names: [String: String]) { self.names = names }

  /// Returns the name of an account's organisation; `nil` if it is not known.
  public subscript(account: String) -> String? { names[account] }

  /// Returns an account's name with that of its organisation, such as `shop (Acme Ltd)`; the
  /// account's name alone if they are alike.
  public func title(of account: String) -> String { Self.title(of: account, names[account]) }

  /// - Parameter details: more words about the account, in the same brackets.
  package static func title(
    of account: String, _ organisation: String?, _ details: String...
  ) -> String {
    let other = organisation.flatMap { plain($0) == plain(account) ? nil : $0 }
    let words = (other.map { [$0] } ?? []) + details
    return words.isEmpty ? account : "\(account) (\(words.joined(separator: ", ")))"
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension ApplicationCore {
  /// Returns the names of the organisations of accounts, without a request to any server or to the
  /// store of logins.
  ///
  /// A choice of an organisation, ``addAccounts(for:named:)``, ``reachedOrganisations(account:)``
  /// and each sync store them. They are for people, so a database that cannot be read has none.
  public func organisationNames() async -> OrganisationNames {
    let stored = try? await databaseForReading()?.organisations()
    return OrganisationNames((stored ?? [:]).mapValues(\.name))
  }

  /// Returns the other accounts that hold records of the same organisation of the same provider, by
  /// name, as far as syncs have shown it.
  public func accounts(withSourceOf account: String) async -> [String] {
    let names = try? await databaseForReading()?.accounts(withSourceOf: account)
    return (names ?? []).filter { configuration.accounts[$0] != nil }
  }

  /// Stores the names of accounts' organisations, for people alone: a failure is ignored.
  ///
  /// - Parameter creates: true to create the database for it.
  func keepNames(of accounts: [String: Organisation], creates: Bool = false) async {
    let existing = try? await databaseForReading()
    guard existing != nil || creates else { return }
    let stored = (try? await existing?.organisations()) ?? [:]
    for (account, organisation) in accounts.sorted(by: { $0.key < $1.key }) {
      guard let name = organisation.name else { continue }
      let named = NamedOrganisation(id: organisation.id, name: name)
      guard stored[account] != named else { continue }
      try? await database().setOrganisation(named, account: account)
    }
  }

  /// Stores the name of the organisation that a sync is about to read, if the login has it, and
  /// forgets that of another one.
  func keepName(of account: String, organisation id: String?, in database: LocalDatabase) async {
    guard let id else { return }
    let known = try? await database.organisation(account: account)
    guard known?.id != id else { return }
    var found: NamedOrganisation?
    // Reading the login costs a call of the keyring, in vain if the provider names nothing.
    if let entry = configuration.accounts[account], entry.login == nil,
      configuration.listsOrganisations(entry.provider),
      let login = try? await authenticator.storedLogin(of: account), login.organisationID == id
    {
      found = login.organisationName.map { NamedOrganisation(id: id, name: $0) }
    }
    guard found != known else { return }
    try? await database.setOrganisation(found, account: account)
  }
}
