import Providers

/// The accounts that have the organisations of logins.
struct OrganisationOwners: Sendable {
  private struct Key: Hashable, Sendable {
    let login: String
    let organisation: String
  }

  private var names: [Key: String] = [:]

  init(_ configuration: CoreConfiguration) {
    for (name, account) in configuration.accounts {
      guard let organisation = account.tenantID else { continue }
      names[Key(login: account.login ?? name, organisation: organisation)] = name
    }
  }

  /// Adds an account of a file.
  mutating func add(_ name: String, _ section: AccountSection) {
    guard let organisation = section.tenantID?.value else { return }
    names[Key(login: section.login?.value ?? name, organisation: organisation)] = name
  }

  mutating func add(_ name: String, of organisation: ReachedOrganisation) {
    names[key(organisation)] = name
  }

  /// Returns the account that has an organisation; `nil` if none has it.
  func owner(of organisation: ReachedOrganisation) -> String? {
    organisation.account ?? names[key(organisation)]
  }

  /// Returns those of the organisations that an account has, each once and with that account.
  func existing(_ organisations: [ReachedOrganisation]) -> [ReachedOrganisation] {
    var seen: Set<Key> = []
    return organisations.compactMap { organisation in
      guard let owner = owner(of: organisation), seen.insert(key(organisation)).inserted else {
        return nil
      }
      return organisation.owned(by: owner)
    }
  }

  private func key(_ organisation: ReachedOrganisation) -> Key {
    Key(login: organisation.login, organisation: organisation.organisation.id)
  }
}
