import Foundation
import Models

@testable import Sandbox

/// The parties of the sandbox's invoices as a provider shows them; only Xero's sandbox sends
/// numbers and addresses.
enum ShownContacts {
  static func xero(_ server: SandboxServer) throws -> [Contact] {
    try parties(server.invoices()).map { party in
      var contact = party.contact
      contact.rawStatus = "ACTIVE"
      if let name = contact.name {
        contact.accountNumber = "K-" + contact.id.prefix(4)
        contact.address = PostalAddress(
          lines: ["1 Market Square"], city: name.contains("Bakery") ? "Zürich" : "Genève",
          country: "CH")
      }
      return contact
    }
  }

  /// Customers and vendors are lists of their own; who has no documents any more is inactive.
  static func quickbooks(_ server: SandboxServer) throws -> [Contact] {
    try [InvoiceType.invoice, .bill].flatMap { type in
      try parties(server.invoices().filter { $0.type == type }).map { party in
        var contact = party.contact
        if type == .bill { contact.id = "vendor/" + contact.id }
        contact.updatedAt = contact.updatedAt?.truncatedToSecond
        if !party.isLive { (contact.status, contact.rawStatus) = (.archived, "Inactive") }
        return contact
      }
    }
  }

  /// Stripe states no time of change.
  static func stripe(_ server: SandboxServer) throws -> [Contact] {
    try customers(server.invoices()).map { contact in
      var contact = contact
      contact.id = "cus_" + contact.id.replacing("-", with: "")
      contact.updatedAt = nil
      return contact
    }
  }

  /// The customers of all locations.
  static func square(_ server: SandboxServer) throws -> [Contact] {
    try customers(server.state.tenants.flatMap { $0.ledger.all.compactMap(\.model) })
  }

  /// Moneybird does not tell customers from suppliers.
  static func moneybird(_ server: SandboxServer) throws -> [Contact] {
    try parties(server.invoices()).filter(\.isLive).map { party in
      var contact = party.contact
      contact.id = MoneybirdIdentifier.of(contact.id)
      (contact.isCustomer, contact.isSupplier) = (nil, nil)
      return contact
    }
  }

  /// The parties of sales; one that has none any more is deleted.
  private static func customers(_ invoices: [Invoice]) throws -> [Contact] {
    try parties(invoices.filter { $0.type == .invoice }).filter(\.isLive).map(\.contact)
  }

  /// The parties of invoices, each changed when the latest of them was.
  private static func parties(
    _ invoices: [Invoice]
  ) throws -> [(contact: Contact, isLive: Bool)] {
    var parties: [String: (contact: Contact, isLive: Bool)] = [:]
    for invoice in invoices {
      guard let id = invoice.contact.id, let updatedAt = invoice.updatedAt else {
        throw CocoaError(.formatting)
      }
      var (contact, isLive) =
        parties[id] ?? (Contact(id: id, status: .active, rawStatus: ""), false)
      contact.name = invoice.contact.name
      contact.email = invoice.contact.email
      contact.isCustomer = contact.isCustomer == true || invoice.type == .invoice
      contact.isSupplier = contact.isSupplier == true || invoice.type == .bill
      contact.updatedAt = max(contact.updatedAt ?? updatedAt, updatedAt)
      parties[id] = (contact, isLive || invoice.status != .deleted)
    }
    return Array(parties.values)
  }
}
