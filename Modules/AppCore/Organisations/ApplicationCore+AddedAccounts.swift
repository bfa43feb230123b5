import Authentication
import Foundation
import Providers
import Storage
import Sync

extension ApplicationCore {
  /// Returns the organisations that the login of an account reaches, each with the account that has
  /// it; none if the provider does not list them.
  ///
  /// - Throws: as ``organisations(account:)``.
  public func reachedOrganisations(account: String) async throws -> [ReachedOrganisation] {
    let login = configuration.login(of: account)
    let found = try await organisations(account: login)
    var owners: [String: String] = [:]
    for name in configuration.accounts(usingLoginOf: login) where name != login {
      if let id = configuration.accounts[name]?.tenantID { owners[id] = name }
    }
    // Without a choice, syncs read the only organisation.
    let own =
      try await organisationID(account: login) ?? (found.count == 1 ? found.first?.id : nil)
    if let own { owners[own] = login }
    let provider = configuration.accounts[login]?.provider ?? configuration.defaultProvider
    return found.map {
      ReachedOrganisation(
        organisation: $0, login: login, provider: provider, account: owners[$0.id])
    }
  }

  /// Returns the accounts that a sync of all accounts reads, by name.
  ///
  /// An account whose login others use, and which has no organisation of its own, is a login only.
  public func syncedAccounts() async -> [String] {
    var names: [String] = []
    for name in configuration.accounts.keys.sorted() where !(await isLoginOnly(name)) {
      names.append(name)
    }
    return names
  }

  func isLoginOnly(_ name: String) async -> Bool {
    guard let account = configuration.accounts[name], account.login == nil,
      account.tenantID == nil, configuration.accounts(usingLoginOf: name).count > 1
    else { return false }
    guard (try? await organisationID(account: name)) == nil else { return false }
    // It may have synced its only organisation before the login reached others.
    let contents = try? await databaseForReading()?.contents(account: name)
    return contents?.isEmpty ?? true
  }

  /// Adds organisations as accounts, each in a file beside the configuration file.
  ///
  /// A core that is created later has them; this one does not change.
  ///
  /// - Parameters:
  ///   - organisations: the organisations; those that an account has are not added again.
  ///   - name: the account's name, for a single organisation; otherwise names are derived from
  ///     those of the organisations.
  /// - Throws: ``ConfigurationError``; the accounts added before the error stay.
  public func addAccounts(
    for organisations: [ReachedOrganisation], named name: String? = nil
  ) async throws -> AddedAccounts {
    let folder = try accountFolder()
    let owners = OrganisationOwners(configuration)
    guard organisations.contains(where: { owners.owner(of: $0) == nil }) else {
      return AddedAccounts(added: [], existing: owners.existing(organisations))
    }
    if let name, configuration.accounts[name] != nil {
      throw ConfigurationError(
        source: folder.path, key: name, problem: "there is such an account already",
        fix: "Choose another name with --as.")
    }
    let configured = Set(configuration.accounts.keys)
    return try await folder.whileLocked { [owners, configuration] in
      // Another process may have added some since the configuration was read.
      var owners = owners
      let sections = try folder.sections(home: "")
      for (name, section) in sections { owners.add(name, try AccountSection(section)) }
      let existing = owners.existing(organisations)
      var taken = configured.union(sections.keys)
      var added: [AddedAccount] = []
      for organisation in organisations where owners.owner(of: organisation) == nil {
        let account =
          name ?? AccountName.from(organisation.organisation.description, taken: taken)
        let title = configuration.title(ofProvider: organisation.provider)
        added.append(try folder.add(account, for: organisation, at: title))
        owners.add(account, of: organisation)
        taken.insert(account)
      }
      return AddedAccounts(added: added, existing: existing)
    }
  }

  func accountFolder() throws -> AccountFolder {
    guard let file = configuration.file else {
      throw ConfigurationError(
        source: "accounts", problem: "accounts are added beside a configuration file; there is none"
      )
    }
    return AccountFolder(besideConfiguration: file)
  }
}
