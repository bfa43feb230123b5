import Models
import SystemSupport

/// The accounts that use another account's login, checked before anything depends on them.
struct SharedLogins {
  private let accounts: [String: AccountSection]
  private let added: Set<String>
  private let defaultProvider: String

  /// - Parameter added: the accounts that have a file of their own.
  init(_ accounts: [String: AccountSection], added: Set<String>, defaultProvider: String) {
    self.accounts = accounts
    self.added = added
    self.defaultProvider = defaultProvider
  }

  /// Checks that each names a login that exists, and an organisation of its own.
  ///
  /// - Throws: ``ConfigurationError`` at the key to correct.
  func check() throws {
    var owners: [[String]: String] = [:]
    // Of two accounts, the one to correct is one that appcore added.
    let names = accounts.keys.sorted { first, second in
      let isAdded = added.contains(first)
      return isAdded == added.contains(second) ? first < second : !isAdded
    }
    for name in names {
      guard let account = accounts[name] else { continue }
      if let login = account.login { try check(account, name, login) }
      guard let tenant = account.tenantID else { continue }
      let owner = [account.login?.value ?? name, tenant.value]
      if let other = owners[owner], other != name, account.login != nil {
        throw tenant.node.error(
          "account '\(other)' has this organisation already",
          hint: added.contains(name)
            ? Hint("Delete this file: rm \(tenant.node.source.shellWord)") : nil)
      }
      owners[owner] = name
    }
  }

  private func check(
    _ account: AccountSection, _ name: String, _ login: ConfigurationNode.Text
  ) throws {
    guard login.value != name else {
      throw login.node.error("an account cannot share its own login; remove this key")
    }
    guard let owner = accounts[login.value] else {
      let others = accounts.filter { $0.value.login == nil && $0.key != name }.keys.sorted()
      let meant = NearestWord.to(login.value, among: others)
      throw login.node.error(
        "unknown account '\(login.value)'"
          + (meant.map { "; did you mean '\($0)'?" }
            ?? (others.isEmpty ? "" : "; available: " + others.joined(separator: ", "))))
    }
    if let next = owner.login {
      throw login.node.error(
        "'\(login.value)' uses the login of '\(next.value)'; write login: \(next.value)")
    }
    if let key = account.loginKey {
      throw key.error(
        "this belongs to the login of '\(login.value)', which the account uses; remove it here")
    }
    let provider = owner.provider?.value ?? defaultProvider
    if let own = account.provider, own.value != provider {
      throw own.node.error("the login of '\(login.value)' is one of \(provider)")
    }
    guard account.tenantID != nil else {
      throw (account.node ?? login.node).error(
        "tenantID is missing; an account that shares a login names its organisation",
        hint: Hint("List them with", ["organisations"]))
    }
  }
}
