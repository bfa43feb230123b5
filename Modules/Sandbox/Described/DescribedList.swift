import JSONReading
package import Models
package import Providers

/// A described list, filled from a tenant's ledger.
package struct DescribedList: Sendable {
  /// A row, with what the requests for it ask of a record.
  struct Entry: Sendable {
    let id: String
    let updatedAt: Timestamp
    let row: JSONValue
    /// The answer to the request for this record alone.
    let detail: JSONValue
  }

  package let resource: RESTResource

  package init(_ resource: RESTResource) { self.resource = resource }

  /// Returns an invoice as the list shows it; `nil` if the list does not hold it.
  ///
  /// Few providers have a word for every status of the ledger: the list shows the nearest one.
  package func shown(_ invoice: Invoice) -> Invoice? {
    var shown = invoice
    guard types.contains(invoice.type.rawValue) else { return nil }
    let status = resource.fields.fields["status"]
    let known = status.map { meanings(of: $0, InvoiceStatus.allCases) } ?? []
    let nearest = Self.nearest[invoice.status] ?? []
    guard let found = ([invoice.status] + nearest).first(where: known.contains) else { return nil }
    shown.status = found
    return shown
  }

  private static let nearest: [InvoiceStatus: [InvoiceStatus]] = [
    .draft: [.scheduled, .open], .scheduled: [.draft, .open], .open: [.partiallyPaid],
    .partiallyPaid: [.open], .paid: [.open], .void: [.writtenOff, .deleted, .paid],
  ]

  /// The types that the list can state.
  private var types: Set<String> {
    guard let field = resource.fields.fields["type"] else { return [] }
    return Set(meanings(of: field, InvoiceType.allCases).map(\.rawValue))
  }

  private func meanings<Word: RawRepresentable<String>>(
    of field: RESTField, _ words: [Word]
  ) -> [Word] {
    switch field.source {
    case .constant(let text): words.filter { $0.rawValue == text }
    case .choice(let fields): fields.flatMap { meanings(of: $0, words) }
    // Values without a map are appcore's own words.
    case .paths:
      field.words.isEmpty
        ? words
        : words.filter { word in
          // The ledger has no negative amounts.
          field.words.contains { $0.key != RESTField.negative && $0.value == word.rawValue }
            || field.fallback == word.rawValue
        }
    case .sum: []
    }
  }

  /// Returns the rows of a tenant's ledger, in the order of their identifiers.
  func entries(of tenant: Tenant) -> [Entry] {
    let invoices = tenant.ledger.all
    let entries: [Entry] =
      switch resource.kind.kind {
      case .invoices:
        invoices.compactMap { row in
          row.model.flatMap { entry($0, at: row.updatedAt, isDeleted: row.status == .deleted) }
        }
      case .payments:
        payments(invoices).map {
          made($0, $0.id, $0.updatedAt ?? Timestamp(microsecondsSinceEpoch: 0), $0.currency)
        }
      case .contacts:
        contacts(invoices).map { entry in
          made(entry.described, entry.contact.id, entry.updatedAt, nil)
        }
      }
    return entries.sorted { $0.id < $1.id }
  }

  /// Returns the payments of the types that the list can state.
  func payments(_ invoices: [LedgerInvoice]) -> [Payment] {
    let types = resource.fields.fields["type"].map { meanings(of: $0, PaymentType.allCases) } ?? []
    return LedgerSettlement.of(invoices, kinds: [.payment]).filter { !$0.isVoid }
      .compactMap { $0.payment(rawStatus: "", status: .completed) }
      .filter { types.contains($0.type) }
  }

  /// Returns the contacts that the list holds: each is in one, if customers and suppliers are lists
  /// of their own.
  func contacts(_ invoices: [LedgerInvoice]) -> [ContactEntry] {
    func isConstant(_ name: String) -> Bool {
      resource.fields.fields[name]?.source == .constant("true")
    }
    let entries = invoices.contacts.filter(\.isLive)
    if isConstant("isCustomer") { return entries.filter(\.isCustomer) }
    return isConstant("isSupplier") ? entries.filter { !$0.isCustomer } : entries
  }

  private func entry(
    _ invoice: Invoice, at instant: Timestamp, isDeleted: Bool
  ) -> Entry? {
    guard !isDeleted else {
      guard resource.deleted != nil, types.contains(invoice.type.rawValue) else { return nil }
      var invoice = invoice
      invoice.status = .void
      return made(shown(invoice) ?? invoice, invoice.id, instant, invoice.currency, isDeleted: true)
    }
    return shown(invoice).map { made($0, $0.id, instant, $0.currency) }
  }

  private func made(
    _ record: some FieldListing, _ id: String, _ updatedAt: Timestamp, _ currency: Currency?,
    isDeleted: Bool = false
  ) -> Entry {
    let whole = DescribedRow(resource).value(record, in: currency, isDeleted: isDeleted)
    guard let detail = resource.detail else {
      return Entry(id: id, updatedAt: updatedAt, row: whole, detail: whole)
    }
    let row = DescribedRow(resource, fields: resource.listedFields)
      .value(record, in: currency, isDeleted: isDeleted)
    var answer = JSONValue.object([:])
    answer.set(whole, at: detail.row.steps)
    return Entry(id: id, updatedAt: updatedAt, row: row, detail: answer)
  }

  /// Returns the rows of a list of deletions.
  func deletions(of tenant: Tenant, in deleted: RESTResource) -> [Entry] {
    tenant.ledger.all.filter {
      $0.status == .deleted && types.contains($0.model?.type.rawValue ?? "")
    }
    .map { invoice in
      var row = JSONValue.object([:])
      let id = deleted.fields.fields["id"]?.path ?? .root
      row.set(.text(invoice.id), at: id.steps)
      if let path = deleted.fields.fields["updatedAt"]?.path {
        let form =
          deleted.fields.fields["updatedAt"]?.dateForm ?? resource.forms.instant
        row.set(.text(form.text(of: invoice.updatedAt)), at: path.steps)
      }
      return Entry(id: invoice.id, updatedAt: invoice.updatedAt, row: row, detail: row)
    }.sorted { $0.id < $1.id }
  }
}

extension ContactEntry {
  /// The contact as the model that is common to all providers.
  package var described: Contact {
    var shown = Contact(id: contact.id, status: .active, rawStatus: "")
    (shown.name, shown.email) = (contact.name, contact.emailAddress)
    (shown.accountNumber, shown.updatedAt) = (contact.accountNumber, updatedAt)
    (shown.isCustomer, shown.isSupplier) = (isCustomer, isSupplier)
    return shown
  }
}

extension SandboxServer {
  /// The description that the server plays; `nil` if it plays a provider.
  var description: RESTDescription? { state.configuration.description }

  /// Returns the payments of the first tenant as a described list shows them.
  package func payments(of list: RESTResource) -> [Payment] {
    DescribedList(list).payments(state.books.all)
  }

  /// Returns the contacts of the first tenant as a described list shows them.
  package func contacts(of list: RESTResource) -> [Contact] {
    DescribedList(list).contacts(state.books.all).map(\.described)
  }
}
