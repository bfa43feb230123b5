package import Foundation
package import JSONReading
package import Models
import Sync

/// Contacts, which Moneybird does not tell apart by customers and suppliers.
package enum MoneybirdContacts: MoneybirdList {
  package static let path = "contacts"
  // Moneybird omits archived contacts by default, so that they would look deleted.
  package static let query = [URLQueryItem(name: "include_archived", value: "true")]

  package static func read(_ reader: inout JSONReader) throws -> MoneybirdRow<Contact> {
    var fields = MoneybirdContact()
    var contact = Contact(id: "", status: .active, rawStatus: "")
    let head = try MoneybirdHead(&reader) { reader, key in
      switch key {
      case "phone": contact.phone = try reader.readOptionalString()
      case "archived":
        guard try reader.readOptionalBool() == true else { return }
        (contact.status, contact.rawStatus) = (.archived, "archived")
      case "updated_at": contact.updatedAt = try reader.readOptionalTimestamp()
      default: try fields.read(key, from: &reader)
      }
    }
    return try head.row { id, _ in
      let party = fields.party
      contact.id = id
      (contact.name, contact.email, contact.taxNumber) = (party.name, party.email, party.taxNumber)
      return contact
    }
  }
}

/// The fields of a contact, which the list of contacts and an invoice have in common.
struct MoneybirdContact {
  private var fields = Party()
  private var name = PartyName()
  private var invoicesTo: String?
  private var address = PostalAddressReader()

  init() {}

  /// Reads the contact of an invoice.
  init(party reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "id": fields.id = try reader.readOptionalIdentifier()
      default: try read(key, from: &reader)
      }
    }
  }

  /// Reads a member, or skips one that is not stored.
  mutating func read(_ key: JSONKey, from reader: inout JSONReader) throws {
    switch key {
    case "company_name": name.company = try reader.readOptionalString()
    case "firstname": name.given = try reader.readOptionalString()
    case "lastname": name.family = try reader.readOptionalString()
    case "email": fields.email = try reader.readOptionalString()
    case "send_invoices_to_email": invoicesTo = try reader.readOptionalString()
    case "tax_number": fields.taxNumber = try reader.readOptionalString()
    case "address1": try address.read(.line(0), from: &reader)
    case "address2": try address.read(.line(1), from: &reader)
    case "zipcode": try address.read(.postalCode, from: &reader)
    case "city": try address.read(.city, from: &reader)
    case "country": try address.read(.country, from: &reader)
    default: try reader.skipValue()
    }
  }

  var party: Party {
    var party = fields
    party.name = name.text
    party.email = party.email ?? invoicesTo
    party.address = address.address
    return party
  }
}
