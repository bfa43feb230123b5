package import Authentication
import Models
package import Providers

/// The document that `appcore login` prints.
package struct LoginDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let provider: String
  let organisation: Nullable<OrganisationEntry>
  let scopes: [String]
  let expiresAt: Nullable<Timestamp>
  /// The end of a login that cannot be renewed; absent for one that can.
  let endsAt: Timestamp?

  struct OrganisationEntry: Encodable {
    let id: String
    let name: Nullable<String>
  }

  package init(_ status: AccountStatus, provider: String, _ chosen: Organisation?) {
    account = status.account
    self.provider = provider
    organisation = Nullable(
      chosen.map { OrganisationEntry(id: $0.id, name: Nullable($0.name)) })
    scopes = status.scopes
    expiresAt = Nullable(status.expiresAt.map { Timestamp($0).truncatedToSecond })
    endsAt = status.endsAt.map { Timestamp($0).truncatedToSecond }
  }
}
