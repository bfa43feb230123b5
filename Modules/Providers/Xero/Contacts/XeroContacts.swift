package import Foundation
package import JSONReading
package import Models
import Sync

/// Contacts, from `GET /api.xro/2.0/Contacts`.
package enum XeroContacts: XeroList {
  package static let path = "Contacts"
  package static let rows: StaticString = "Contacts"
  package static let identifier = "ContactID"
  package static let pageSize = 1_000
  // Xero omits archived contacts by default, so that they would look deleted.
  package static let query = [URLQueryItem(name: "includeArchived", value: "true")]

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
      case "AccountNumber": contact.accountNumber = try reader.readOptionalString()
      case "CompanyNumber": contact.companyNumber = try reader.readOptionalString()
      case "Website": contact.website = try reader.readOptionalString()
      case "Phones":
        try reader.readList { reader in
          let (kind, number) = try readPhone(&reader)
          switch kind {
          case "DEFAULT": contact.phone = number ?? contact.phone
          case "MOBILE": contact.mobile = number ?? contact.mobile
          default: break
          }
        }
      case "Addresses":
        try reader.readList { reader in
          let (kind, address) = try readAddress(&reader)
          switch kind {
          case "POBOX": contact.address = address
          case "STREET": contact.deliveryAddress = address
          default: break
          }
        }
      case "IsCustomer": contact.isCustomer = try reader.readOptionalBool()
      case "IsSupplier": contact.isSupplier = try reader.readOptionalBool()
      case "UpdatedDateUTC": contact.updatedAt = try reader.readXeroInstant()
      default: try reader.skipValue()
      }
    }
    // Invoices go to the postal address, or else to that of the premises.
    if contact.address == nil { swap(&contact.address, &contact.deliveryAddress) }
    return try contact.requiring(
      [(["ContactID"], !contact.id.isEmpty), (["UpdatedDateUTC"], contact.updatedAt != nil)],
      at: offset)
  }

  private static func readAddress(
    _ reader: inout JSONReader
  ) throws -> (kind: String?, PostalAddress?) {
    var kind: String?
    var address = PostalAddressReader()
    try reader.readObject { reader, key in
      switch key {
      case "AddressType": kind = try reader.readOptionalString()
      case "AddressLine1": try address.read(.line(0), from: &reader)
      case "AddressLine2": try address.read(.line(1), from: &reader)
      case "AddressLine3": try address.read(.line(2), from: &reader)
      case "AddressLine4": try address.read(.line(3), from: &reader)
      case "City": try address.read(.city, from: &reader)
      case "Region": try address.read(.region, from: &reader)
      case "PostalCode": try address.read(.postalCode, from: &reader)
      case "Country": try address.read(.country, from: &reader)
      default: try reader.skipValue()
      }
    }
    return (kind, address.address)
  }

  /// Returns a phone number and its kind; others than these two are fax and direct lines.
  private static func readPhone(
    _ reader: inout JSONReader
  ) throws -> (kind: String?, number: String?) {
    var (kind, country, area, number): (String?, String?, String?, String?)
    try reader.readObject { reader, key in
      switch key {
      case "PhoneType": kind = try reader.readOptionalString()
      case "PhoneCountryCode": country = try reader.readOptionalString()
      case "PhoneAreaCode": area = try reader.readOptionalString()
      case "PhoneNumber": number = try reader.readOptionalString()
      default: try reader.skipValue()
      }
    }
    guard let number else { return (kind, nil) }
    return (kind, [country, area, number].compactMap(\.self).joined(separator: " "))
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
