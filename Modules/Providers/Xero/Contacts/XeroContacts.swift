package import Foundation
package import JSONReading
package import Models
import Sync

/// Contacts, from `GET /api.xro/2.0/Contacts`.
package enum XeroContacts: XeroList {
  package static let path = "Contacts"
  package static let rows: StaticString = "Contacts"
  package static let identifier = "ContactID"
  // Xero omits archived contacts by default, so that they would look deleted.
  package static let query = [URLQueryItem(name: "includeArchived", value: "true")]

  package static func updatedAt(_ contact: Contact) -> Timestamp? { contact.updatedAt }

  package static func read(_ reader: inout JSONReader) throws -> Contact? {
    var contact = Contact(id: "", status: .unknown, rawStatus: "")
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "ContactID": contact.id = try reader.readOptionalIdentifier() ?? ""
      case "ContactStatus":
        contact.rawStatus = try reader.readOptionalString() ?? ""
        contact.status = status(contact.rawStatus)
      case "Name": contact.name = try reader.readOptionalString()
      case "EmailAddress": contact.email = try reader.readOptionalString()
      case "TaxNumber": contact.taxNumber = try reader.readOptionalString()
      case "Phones": try reader.readList { contact.phone = try readPhone(&$0) ?? contact.phone }
      case "IsCustomer": contact.isCustomer = try reader.readOptionalBool()
      case "IsSupplier": contact.isSupplier = try reader.readOptionalBool()
      case "UpdatedDateUTC": contact.updatedAt = try reader.readXeroInstant()
      default: try reader.skipValue()
      }
    }
    return try contact.requiring(
      [(["ContactID"], !contact.id.isEmpty), (["UpdatedDateUTC"], contact.updatedAt != nil)],
      at: offset)
  }

  /// Returns the default phone number; the other kinds are mobile, fax and direct lines.
  private static func readPhone(_ reader: inout JSONReader) throws -> String? {
    var parts: [String: String] = [:]
    try reader.readObject { reader, key in
      switch key {
      case "PhoneType", "PhoneCountryCode", "PhoneAreaCode", "PhoneNumber":
        parts["\(key)"] = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    guard parts["PhoneType"] == "DEFAULT", parts["PhoneNumber"] != nil else { return nil }
    return ["PhoneCountryCode", "PhoneAreaCode", "PhoneNumber"].compactMap { parts[$0] }
      .joined(separator: " ")
  }

  private static func status(_ text: String) -> ContactStatus {
    switch text {
    case "ACTIVE": .active
    case "ARCHIVED": .archived
    // The contact asked for the deletion of their personal data.
    case "GDPRREQUEST": .deleted
    default: .unknown
    }
  }
}
