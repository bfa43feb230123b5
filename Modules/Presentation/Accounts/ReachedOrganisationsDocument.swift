package import AppCore
import Providers

/// The document that `appcore organisations` prints.
package struct ReachedOrganisationsDocument: Encodable {
  let schemaVersion = 1
  let organisations: [Entry]

  package struct Entry: Encodable {
    let id: String
    let name: Nullable<String>
    let provider: String
    /// The account that the login is named after.
    let login: String
    /// The account that has the organisation.
    let account: Nullable<String>

    init(_ reached: ReachedOrganisation) {
      id = reached.organisation.id
      name = Nullable(reached.organisation.name)
      provider = reached.provider
      login = reached.login
      account = Nullable(reached.account)
    }
  }

  package init(_ found: [ReachedOrganisation]) {
    organisations = found.map(Entry.init)
  }
}

/// The document that `appcore organisations add` prints.
package struct AddedAccountsDocument: Encodable {
  let schemaVersion = 1
  let added: [Entry]
  /// The wanted organisations that have an account.
  let existing: [Entry]

  package struct Entry: Encodable {
    let account: String
    let organisation: String
    let name: Nullable<String>
    let login: String
    /// The file that configures the account; `null` for one that was configured before.
    let file: Nullable<String>

    init(_ reached: ReachedOrganisation, account: String, file: String?) {
      self.account = account
      organisation = reached.organisation.id
      name = Nullable(reached.organisation.name)
      login = reached.login
      self.file = Nullable(file)
    }
  }

  package init(_ outcome: AddedAccounts) {
    added = outcome.added.map { Entry($0.organisation, account: $0.name, file: $0.file) }
    existing = outcome.existing.map { Entry($0, account: $0.account ?? "", file: nil) }
  }
}
