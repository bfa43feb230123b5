import Authentication
import Foundation
import Models
import Providers
import Storage
import Sync

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

extension ApplicationCore {
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
      throw ConfigurationError.nameTaken(
        source: folder.path, key: name, fix: "Choose another name with --as.")
    }
    let configured = Set(configuration.accounts.keys)
    let outcome = try await folder.whileLocked { [owners, configuration] in
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
    // Nothing else says later which organisation a file's identifier is.
    await keepNames(
      of: Dictionary(outcome.added.map { ($0.name, $0.organisation.organisation) }) { $1 },
      creates: true)
    return outcome
  }

  func accountFolder() throws -> AccountFolder {
    guard let file = configuration.file else {
      throw ConfigurationError(
        source: "accounts", problem: "accounts are added beside a configuration file; there is none"
      )
    }
    return AccountFolder(besideConfiguration: file)
  }

  /// Removes an account that ``addAccounts(for:named:)`` added; its login stays.
  ///
  /// - Parameters:
  ///   - name: the account; with `forgetsRecords`, it may be one that is stored, but configured no
  ///     more.
  ///   - forgetsRecords: true to delete its records too, once it is certain that the account can
  ///     be removed.
  /// - Throws: ``ConfigurationError``, also for an account of the user's own file, and for one that
  ///   the rest of the configuration needs; as ``forgetRecords(account:)``.
  public func removeAddedAccount(_ name: String, forgetsRecords: Bool = false) async throws {
    if configuration.accounts[name] == nil, try await isStored(name) {
      return try await forgetLeftRecords(of: name, isWanted: forgetsRecords)
    }
    let folder = try accountFolder()
    guard FileManager.default.fileExists(atPath: folder.file(of: name)) else {
      _ = try accountConfiguration(name)
      throw ConfigurationError(
        source: configuration.file ?? "accounts", key: "accounts.\(name)",
        problem: "this account is in your own file; remove it there")
    }
    try configuration.requireRemovable(name)
    if configuration.accounts[name] != nil, configuration.login(of: name) == name,
      (try await authenticator.storedLogin(of: name)) != nil
    {
      throw ConfigurationError(
        source: folder.file(of: name),
        problem: "the account has a login of its own, which would stay on this machine",
        hint: Hint("Sign out first", ["logout", "--account", name]))
    }
    if forgetsRecords { try await forgetRecords(account: name) }
    try await folder.whileLocked { try folder.remove(name) }
  }

  /// Returns the accounts whose records are stored though they are not configured any more, by
  /// name.
  ///
  /// Queries of all accounts, and the views of the database, still hold their records;
  /// ``removeAddedAccount(_:forgetsRecords:)`` deletes them.
  ///
  /// - Throws: `StorageError`; ``CoreError/closed``.
  public func removedAccounts() async throws -> [RemovedAccount] {
    guard let database = try await databaseForReading() else { return [] }
    var removed: [RemovedAccount] = []
    for name in try await database.accountsWithRecords() where configuration.accounts[name] == nil {
      let contents = try await database.contents(account: name)
      removed.append(
        RemovedAccount(
          name: name, invoices: contents.invoices, payments: contents.payments,
          contacts: contents.contacts))
    }
    return removed
  }

  private func isStored(_ name: String) async throws -> Bool {
    try await databaseForReading()?.contents(account: name).isEmpty == false
  }

  private func forgetLeftRecords(of name: String, isWanted: Bool) async throws {
    guard isWanted else {
      throw ConfigurationError(
        source: configuration.file ?? "accounts", key: "accounts.\(name)",
        problem: "this account is not configured any more; its records are still stored",
        hint: Hint("Delete them with", ["organisations", "remove", name, "--forget-invoices"]))
    }
    try await forgetRecords(account: name)
  }
}

extension CoreConfiguration {
  func requireRemovable(_ name: String) throws {
    if !usesAllAccounts, name == defaultAccount, let source = defaultAccountSource {
      throw Self.defaultAccountError(name, source)
    }
    let others = login(of: name) == name ? accounts(usingLoginOf: name).filter { $0 != name } : []
    guard others.isEmpty else {
      throw ConfigurationError(
        source: file ?? "accounts", key: "accounts.\(name)",
        problem: "other accounts use its login: \(others.joined(separator: ", "))",
        fix: "Remove these accounts first.")
    }
  }

  private static func defaultAccountError(
    _ name: String, _ source: ConfigurationValue.Source
  ) -> ConfigurationError {
    let problem = "'\(name)' is the default account"
    return switch source {
    case .environment(let variable):
      ConfigurationError(
        source: variable, problem: problem, fix: "Unset the variable, or name another account.")
    case .file(let path, let line):
      ConfigurationError(
        source: path, line: line, key: "defaultAccount", problem: problem,
        fix: "Set defaultAccount to another account first, or remove that line.")
    case .standard:
      ConfigurationError(
        source: "accounts", key: "defaultAccount", problem: problem,
        fix: "Set defaultAccount to another account first.")
    }
  }
}

private struct OrganisationOwners: Sendable {
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

  mutating func add(_ name: String, _ section: AccountSection) {
    guard let organisation = section.tenantID?.value else { return }
    names[Key(login: section.login?.value ?? name, organisation: organisation)] = name
  }

  mutating func add(_ name: String, of organisation: ReachedOrganisation) {
    names[key(organisation)] = name
  }

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

/// The name of an account, derived from an organisation's name.
enum AccountName {
  /// The longest name, so that a number fits behind it.
  private static let longest = 56

  /// Returns a name in lower-case ASCII letters, digits and hyphens, such as `braeuhof-ltd`, with a
  /// number if another account has it.
  static func from(_ organisation: String, taken: Set<String>) -> String {
    let folded = PlainLetters.of(organisation)
      .folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    let words = folded.unicodeScalars
      // An apostrophe joins what it separates.
      .filter { $0 != "'" && $0 != "\u{2019}" }
      .split { !("a"..."z" ~= $0 || "0"..."9" ~= $0) }
    let name = String(words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-"))
      .prefix(longest)
    let base = name.isEmpty ? "organisation" : String(name.trimmingSuffix("-"))
    guard taken.contains(base) else { return base }
    var number = 2
    while taken.contains("\(base)-\(number)") { number += 1 }
    return "\(base)-\(number)"
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: Character) -> Substring {
    var rest = self
    while rest.last == suffix { rest.removeLast() }
    return rest
  }
}

/// An account that is not configured any more, whose records are still stored.
public struct RemovedAccount: Sendable {
  /// The account's name.
  public let name: String
  /// The number of invoices, void and deleted ones included.
  public let invoices: Int
  /// The number of payments, deleted ones included.
  public let payments: Int
  /// The number of contacts, deleted ones included.
  public let contacts: Int

  var contents: AccountContents {
    AccountContents(invoices: invoices, contacts: contacts, payments: payments)
  }
}
