import Models
package import Storage

// The failures of looking up one record by its name.
extension Failure {
  /// Creates the failure for a name that no invoice has, or several.
  package init(invoicesNamed name: String, _ found: [StoredInvoice]) {
    guard let first = found.first else {
      self.init(
        .unclassified, "not-found", "no invoice has the number or id '\(name)'",
        "Search for it: appcore invoices list --all --search \(name.shellWord)")
      return
    }
    let named = found.map { stored in
      stored.invoice.number.map { "\($0) (\(stored.invoice.id))" } ?? stored.invoice.id
    }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    self.init(
      .unclassified, "ambiguous",
      "\(count) invoices match '\(name)': \(named.joined(separator: ", "))",
      "Show one by its id: appcore invoices show \(first.invoice.id.shellWord)")
  }

  /// Creates the failure for a name that no contact has, or several.
  package init(contactsNamed name: String, _ found: [StoredContact]) {
    guard let first = found.first else {
      self.init(
        .unclassified, "not-found", "no contact has the name or id '\(name)'",
        "Search for it: appcore contacts list --all --search \(name.shellWord), after: "
          + "appcore sync contacts")
      return
    }
    let named = found.map { "\($0.contact.name ?? "-") (\($0.contact.id))" }
    let count = found.count == 10 ? "10 or more" : "\(found.count)"
    self.init(
      .unclassified, "ambiguous",
      "\(count) contacts match '\(name)': \(named.joined(separator: ", "))",
      "Show one by its id: appcore contacts show \(first.contact.id.shellWord)")
  }
}
