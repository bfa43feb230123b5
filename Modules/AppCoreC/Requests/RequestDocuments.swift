import Authentication
import Documents
import Foundation
import Models
import Providers

/// The document of `APPCORE_EVENT_OPEN_URL`.
struct PageDocument: Encodable {
  let schemaVersion = 1
  let account: String
  /// `sign-in` or `sign-out`.
  let purpose: String
  let url: String
  /// True if the browser ends on a page elsewhere, so that only a pasted address ends the sign-in.
  let pasteRequired: Bool
}

/// The document of `APPCORE_EVENT_DEVICE_CODE`.
struct DeviceCodeDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let userCode: String
  let verificationURL: String
  let completeURL: Nullable<String>
  let expiresAt: Timestamp

  init(account: String, _ prompt: DeviceCodePrompt) {
    self.account = account
    userCode = prompt.userCode
    verificationURL = prompt.verificationURL.absoluteString
    completeURL = Nullable(prompt.completeURL?.absoluteString)
    expiresAt = Timestamp(prompt.expiresAt).truncatedToSecond
  }
}

/// The document of `APPCORE_EVENT_ORGANISATIONS`.
struct OrganisationsDocument: Encodable {
  struct Entry: Encodable {
    let id: String
    let name: Nullable<String>
  }

  let schemaVersion = 1
  let account: String
  let chosen: Nullable<String>
  let organisations: [Entry]

  init(account: String, chosen: String?, _ found: [Organisation]) {
    self.account = account
    self.chosen = Nullable(chosen)
    organisations = found.map { Entry(id: $0.id, name: Nullable($0.name)) }
  }
}

/// The document of `APPCORE_EVENT_CHANGED`.
struct ChangeDocument: Encodable {
  let schemaVersion = 1
  /// `records` or `login`.
  let changed: String
  /// The account of a login, and what became of it; absent for records.
  private(set) var account: String?
  private(set) var login: String?

  /// A change of records.
  static let records = ChangeDocument(changed: "records")

  private init(changed: String) { self.changed = changed }

  init(_ change: CredentialChange) {
    changed = "login"
    account = change.account
    login =
      switch change.kind {
      case .signedIn: "signed-in"
      case .renewed: "renewed"
      case .signedOut: "signed-out"
      case .ended: "ended"
      }
  }
}
