extension CoreConfiguration {
  /// Returns the account whose login an account uses: itself, unless it shares another's.
  public func login(of account: String) -> String { accounts[account]?.login ?? account }

  /// Returns the accounts that use the login of an account, by name; the account itself is one of
  /// them.
  public func accounts(usingLoginOf account: String) -> [String] {
    let login = login(of: account)
    return accounts.keys.filter { self.login(of: $0) == login }.sorted()
  }

  /// The accounts that have a login of their own, by name.
  public var logins: [String] {
    accounts.filter { $0.value.login == nil }.keys.sorted()
  }

  /// The accounts that have a login whose provider lists the organisations that it reaches, by
  /// name.
  public var loginsListingOrganisations: [String] {
    logins.filter { accounts[$0].map { listsOrganisations($0.provider) } ?? false }
  }

  /// Checks the accounts of a configuration that a front end created; the loader has checked those
  /// of a file.
  ///
  /// - Throws: ``ConfigurationError``.
  func checkLogins() throws {
    for (name, account) in accounts.sorted(by: { $0.key < $1.key }) {
      guard let login = account.login else { continue }
      func problem(_ text: String) -> ConfigurationError {
        ConfigurationError(source: file ?? "accounts", key: "accounts.\(name)", problem: text)
      }
      guard let owner = accounts[login], owner.login == nil, login != name else {
        throw problem("'\(login)' is not an account with a login of its own")
      }
      guard owner.provider == account.provider else {
        throw problem("the login of '\(login)' is one of \(owner.provider)")
      }
      guard account.tenantID != nil else { throw problem("tenantID is missing") }
    }
  }
}
