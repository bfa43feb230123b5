import Foundation
import Models

/// The sandbox's contacts as a provider shows them.
enum ShownContacts {
  /// The parties of invoices, each changed when the latest of them was.
  static func xero(_ invoices: [Invoice]) throws -> [Contact] {
    var contacts: [String: Contact] = [:]
    for invoice in invoices {
      guard let id = invoice.contact.id, let updatedAt = invoice.updatedAt else {
        throw CocoaError(.formatting)
      }
      var contact = contacts[id] ?? Contact(id: id, status: .active, rawStatus: "ACTIVE")
      contact.name = invoice.contact.name
      contact.email = invoice.contact.email
      if let name = contact.name {
        contact.accountNumber = "K-" + id.prefix(4)
        contact.address = PostalAddress(
          lines: ["1 Market Square"], city: name.contains("Bakery") ? "Zürich" : "Genève",
          country: "CH")
      }
      contact.isCustomer = contact.isCustomer == true || invoice.type == .invoice
      contact.isSupplier = contact.isSupplier == true || invoice.type == .bill
      contact.updatedAt = max(contact.updatedAt ?? updatedAt, updatedAt)
      contacts[id] = contact
    }
    return Array(contacts.values)
  }
}
