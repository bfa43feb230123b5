package import JSONReading
package import Models
import Sync

/// Customers and vendors; whoever is both is in both lists.
package enum QuickBooksContacts: QuickBooksList {
  package static let kinds: [QuickBooksKind] = [.customer, .vendor]

  package static func read(
    _ reader: inout JSONReader, _ kind: QuickBooksKind, homeCurrency: String?
  ) throws -> Contact {
    var contact = Contact(id: "", status: .active, rawStatus: "")
    (contact.isCustomer, contact.isSupplier) = (kind == .customer, kind == .vendor)
    var mobile: String?
    var numbers = TaxNumbers()
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "Id": contact.id = try reader.readOptionalIdentifier().map(kind.identifier) ?? ""
      case "DisplayName": contact.name = try reader.readOptionalString()
      case "PrimaryEmailAddr": contact.email = try reader.readOptionalText(of: "Address")
      case "PrimaryPhone": contact.phone = try reader.readOptionalText(of: "FreeFormNumber")
      case "Mobile": mobile = try reader.readOptionalText(of: "FreeFormNumber")
      case "GSTIN": numbers.ofIndia = try reader.readOptionalString()
      case "PrimaryTaxIdentifier", "TaxIdentifier": numbers.usual = try reader.readOptionalString()
      case "BusinessNumber": numbers.ofBusiness = try reader.readOptionalString()
      // Whoever is made inactive stays in the list; QuickBooks has no deletion besides.
      case "Active":
        guard try reader.readOptionalBool() == false else { return }
        (contact.status, contact.rawStatus) = (.archived, "Inactive")
      case "MetaData": contact.updatedAt = try reader.readQuickBooksUpdate()
      default: try reader.skipValue()
      }
    }
    contact.phone = contact.phone ?? mobile
    contact.taxNumber = numbers.ofIndia ?? numbers.usual ?? numbers.ofBusiness
    return try contact.requiring(
      [
        (["Id"], !contact.id.isEmpty), (["MetaData", "LastUpdatedTime"], contact.updatedAt != nil),
      ], at: offset)
  }

  /// The numbers of a contact, which depend on the country of the company.
  private struct TaxNumbers {
    var ofIndia: String?
    /// The number of most countries, of which QuickBooks shows the last characters only.
    var usual: String?
    var ofBusiness: String?
  }
}
