import AppCore
import ErrorCodes
import Models
package import Storage

// The failures of looking up one record by its name.
extension Failure {
  /// Creates the failure for a name that no invoice has, or several.
  package init(invoicesNamed name: String, _ found: [StoredInvoice]) {
    guard let first = found.first else {
      self.init(
        .notFound, "no invoice has the number or id '\(name)'",
        Hint("Search for it", ["invoices", "list", "--all", "--search", name]))
      return
    }
    let named = found.map { stored in
      stored.invoice.number.map { "\($0) (\(stored.invoice.id))" } ?? stored.invoice.id
    }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    self.init(
      .ambiguous, "\(count) invoices match '\(name)': \(named.joined(separator: ", "))",
      Hint("Show one by its id", ["invoices", "show", first.invoice.id]))
  }

  /// Creates the failure for a name that no payment has, or several.
  package init(paymentsNamed name: String, _ found: [StoredPayment]) {
    guard let first = found.first else {
      self.init(
        .notFound, "no payment has the id or reference '\(name)'",
        Hint("Fetch payments first", ["sync", "payments"])
          .then("Then search for it", ["payments", "list", "--all", "--search", name]))
      return
    }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    self.init(
      .ambiguous,
      "\(count) payments match '\(name)': \(found.map(\.payment.id).joined(separator: ", "))",
      Hint("Show one by its id", ["payments", "show", first.payment.id]))
  }

  /// Creates the failure for a name that no contact has, or several.
  package init(contactsNamed name: String, _ found: [StoredContact]) {
    guard let first = found.first else {
      self.init(
        .notFound, "no contact has the name or id '\(name)'",
        Hint("Fetch contacts first", ["sync", "contacts"])
          .then("Then search for it", ["contacts", "list", "--all", "--search", name]))
      return
    }
    let named = found.map { "\($0.contact.name ?? "-") (\($0.contact.id))" }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    self.init(
      .ambiguous, "\(count) contacts match '\(name)': \(named.joined(separator: ", "))",
      Hint("Show one by its id", ["contacts", "show", first.contact.id]))
  }
}
