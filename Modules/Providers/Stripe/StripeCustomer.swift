package import Foundation
package import JSONReading
package import Models
import Sync

/// Customers, from `GET /v1/customers`.
///
/// They have no status and no time of change; a deleted one is only in an event.
package enum StripeCustomers: StripeList {
  package static let path = "customers"
  /// Without the events of what else belongs to customers, such as subscriptions.
  package static let events =
    ["created", "updated", "deleted"].map { "customer." + $0 }
    + ["created", "updated", "deleted"].map { "customer.tax_id." + $0 }
  package static let deletion = "customer.deleted"
  /// Tax IDs are objects of their own, with a permission of their own.
  package static let optionalExpansions = ["tax_ids"]

  package static func read(
    _ reader: inout JSONReader, in zone: TimeZone
  ) throws -> StripeRow<Contact> {
    var contact = Contact(id: "", status: .active, rawStatus: "")
    (contact.isCustomer, contact.isSupplier) = (true, false)
    var isDeleted = false
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "id": contact.id = try reader.readOptionalIdentifier() ?? ""
      case "deleted": isDeleted = try reader.readOptionalBool() ?? false
      case "name": contact.name = try reader.readOptionalString()
      case "email": contact.email = try reader.readOptionalString()
      case "phone": contact.phone = try reader.readOptionalString()
      case "tax_ids":
        try reader.readOptional { reader -> Void? in
          try reader.readMember("data") { reader in
            try reader.readList { reader in
              let number = try reader.readOptionalText(of: "value")
              contact.taxNumber = contact.taxNumber ?? number
            }
          }
        }
      default: try reader.skipValue()
      }
    }
    contact = try contact.requiring([(["id"], !contact.id.isEmpty)], at: offset)
    return isDeleted ? .deleted(id: contact.id) : .record(contact, isCut: false)
  }

  /// Reads the customer of an event, which is about it or about one of its tax IDs.
  package static func readReference(_ reader: inout JSONReader) throws -> String? {
    guard try !reader.readNull() else { return nil }
    if reader.isAtString { return try reader.readStripeReference() }
    var (id, customer): (String?, String?)
    try reader.readObject { reader, key in
      switch key {
      case "id": id = try reader.readStripeReference()
      case "customer": customer = try reader.readStripeReference()
      default: try reader.skipValue()
      }
    }
    return customer ?? id
  }
}
