extension ConfigurationFile {
  /// Reads the accounts that have a file of their own.
  ///
  /// - Throws: ``ConfigurationError``, also for an account that this file has as well.
  mutating func add(_ added: [String: ConfigurationNode]) throws {
    for (name, node) in added.sorted(by: { $0.key < $1.key }) {
      if let other = accounts[name]?.node {
        throw node.error(
          "this account is also in \(other.source)" + (other.line.map { ", line \($0)" } ?? ""))
      }
      addedAccounts[name] = try AccountSection(node)
    }
  }

  func hasAccount(_ name: String) -> Bool { accounts[name] != nil || addedAccounts[name] != nil }

  /// Returns the accounts of the file and those that have a file of their own.
  ///
  /// Without any entry in the file itself, the environment or an option can supply the few values
  /// that an account needs.
  func allAccounts(default name: String) -> [String: AccountSection] {
    var accounts = accounts.merging(addedAccounts) { own, _ in own }
    if self.accounts.isEmpty {
      accounts[addedAccounts[name] == nil ? name : "default"] = AccountSection()
    }
    return accounts
  }
}
