import Models

/// The lists of Moneybird's invoices.
enum MoneybirdInvoiceList: CaseIterable {
  case sales
  /// Invoices that another program has made.
  case external
  case purchases

  /// The path of the list.
  var path: String {
    switch self {
    case .sales: "sales_invoices"
    case .external: "external_sales_invoices"
    case .purchases: "documents/purchase_invoices"
    }
  }

  /// Returns the invoices of the list, with their credit invoices.
  ///
  /// - Parameter ledger: all invoices, deleted ones included.
  func invoices(in ledger: [LedgerInvoice]) -> [LedgerInvoice] {
    let invoices =
      switch self {
      case .sales: ledger.filter { $0.kind == .sale }
      case .external: ledger.compactMap(\.moneybirdExternal)
      // Purchase invoices cannot be voided; they are deleted instead.
      case .purchases: ledger.filter { $0.kind == .bill && $0.status != .void }
      }
    return invoices.flatMap { [$0] + LedgerSettlement.of($0).compactMap(\.moneybirdNote) }
  }
}

extension LedgerInvoice {
  /// The second of the last change, which Moneybird uses as the version.
  var moneybirdVersion: Int { Int(updatedAt.microsecondsSinceEpoch / 1_000_000) }

  /// The invoice that another program has made for some sales besides; `nil` for all others.
  var moneybirdExternal: LedgerInvoice? {
    guard kind == .sale, SplitMix64.hash(of: id) % 4 == 0 else { return nil }
    var twin = self
    twin.id = id + " external"
    return twin
  }

  /// Writes the invoice in Moneybird's form; amounts are texts.
  func writeMoneybird(
    _ list: MoneybirdInvoiceList, _ options: SandboxDocuments, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("id", MoneybirdIdentifier.of(id))
      writer.member("administration_id", 123)
      writer.member("contact_id", MoneybirdIdentifier.of(contact.id))
      writer.object("contact") { contact.writeMoneybird(to: &$0) }
      writer.member("state", moneybirdState(list))
      if list == .sales {
        // A draft has no number yet.
        writer.member(orNull: status == .draft ? nil : number, "invoice_id")
        writer.member(orNull: date?.description, "invoice_date")
        writer.member("discount", "0.0")
        writer.array("custom_fields") { _ in }
      } else {
        writer.member(orNull: date?.description, "date")
      }
      writer.member(orNull: dueDate?.description, "due_date")
      writer.member(orNull: list == .sales ? reference : number, "reference")
      writer.member("currency", currencyCode)
      writer.member(orNull: fullyPaidOn?.description, "paid_at")
      writer.member("updated_at", updatedAt.description)
      writer.member("version", moneybirdVersion)
      writer.array("details") { writer in
        for (row, line) in lines.enumerated() {
          line.writeMoneybird(row, isInclusive: isInclusive, to: &writer)
        }
      }
      writePayments(to: &writer)
      if list != .purchases {
        writer.member("total_paid", text(amountPaid.adding(amountCredited)))
        writer.member("total_unpaid", text(amountDue))
        writer.member("total_unpaid_base", text(home(amountDue)))
        writeTaxes(to: &writer)
      }
      writer.member("total_price_excl_tax_base", text(home(subTotal)))
      writer.member("total_price_incl_tax_base", text(home(total)))
      writer.member("prices_are_incl_tax", isInclusive)
      writer.member("total_price_excl_tax", text(subTotal))
      writer.member("total_price_incl_tax", text(total))
      writer.array("attachments") { writer in
        for attachment in LedgerAttachment.of(self, options) {
          attachment.writeMoneybird(options, to: &writer)
        }
      }
    }
  }

  private var isInclusive: Bool { taxBasis == .inclusive }

  /// The state at Moneybird, which has no void invoices; uncollectible is the closest one.
  private func moneybirdState(_ list: MoneybirdInvoiceList) -> String {
    switch status {
    case .draft where list != .sales, .scheduled where list != .sales: "new"
    case .draft: "draft"
    case .scheduled: "scheduled"
    case .paid: "paid"
    case .void: "uncollectible"
    case .open, .deleted: "open"
    }
  }

  /// Writes the payments; an amount settled by a credit invoice counts as one.
  private func writePayments(to writer: inout JSONWriter) {
    if isVaried {
      writer.array("payments") { writer in
        for part in LedgerSettlement.of(self) where !part.isCancelled && part.kind != .refund {
          part.writeMoneybird(to: &writer)
        }
      }
      return
    }
    writer.array("payments") { writer in
      for (amount, isCredit) in [(amountPaid, false), (amountCredited, true)] where !amount.isZero {
        let name = isCredit ? "credit" : "payment"
        writer.object { writer in
          writer.member("id", MoneybirdIdentifier.of(id + name))
          writer.member("price", text(amount))
          writer.member(orNull: (fullyPaidOn ?? date)?.description, "payment_date")
          writer.member(
            orNull: isCredit ? MoneybirdIdentifier.of(id + "credit invoice") : nil,
            "credit_invoice_id")
        }
      }
    }
  }

  private func writeTaxes(to writer: inout JSONWriter) {
    let taxes = Dictionary(grouping: lines) { $0.taxType ?? "NONE" }
    writer.array("tax_totals") { writer in
      for (type, lines) in taxes.sorted(by: { $0.key < $1.key }) {
        writer.object { writer in
          writer.member("tax_rate_id", MoneybirdIdentifier.of(type))
          writer.member(
            "taxable_amount", text(.sum(lines.compactMap { $0.net(isInclusive: isInclusive) })))
          writer.member("tax_amount", text(.sum(lines.compactMap(\.taxAmount))))
        }
      }
    }
  }
}

extension LedgerSettlement {
  /// Writes the payments that settle an invoice: money on account brought too much, which went
  /// back.
  fileprivate func writeMoneybird(to writer: inout JSONWriter) {
    let isCredit = kind == .creditNote
    let sums = isCredit || rest.isZero ? [amount] : [total, rest.negated]
    for (position, sum) in sums.enumerated() {
      writer.object { writer in
        writer.member("id", MoneybirdIdentifier.of("\(id) \(position)"))
        writer.member("price", text(sum))
        writer.member(orNull: date?.description, "payment_date")
        writer.member(orNull: isCredit ? nil : number, "transaction_identifier")
        writer.member(orNull: isCredit ? MoneybirdIdentifier.of(id) : nil, "credit_invoice_id")
      }
    }
  }

  /// The credit invoice, whose amounts are below zero; `nil` for anything else.
  var moneybirdNote: LedgerInvoice? {
    guard invoice.isVaried, !isVoid, amount > .zero, var note else { return nil }
    note.kind = invoice.isPurchase ? .bill : .sale
    (note.subTotal, note.total) = (note.subTotal.negated, note.total.negated)
    (note.amountPaid, note.amountDue) = (note.amountPaid.negated, note.amountDue.negated)
    return note
  }
}

extension LedgerContact {
  /// Writes the members of the contact.
  fileprivate func writeMoneybird(to writer: inout JSONWriter) {
    writer.member("id", MoneybirdIdentifier.of(id))
    writer.member(orNull: name, "company_name")
    writer.null("firstname")
    writer.null("lastname")
    writer.member(orNull: emailAddress, "email")
    writer.null("tax_number")
  }
}

extension ContactEntry {
  /// The second of the last change, which Moneybird uses as the version.
  var moneybirdVersion: Int { changedAt }

  func writeMoneybird(to writer: inout JSONWriter) {
    writer.object { writer in
      contact.writeMoneybird(to: &writer)
      writer.member("administration_id", 123)
      writer.member("phone", "")
      writer.member("archived", false)
      writer.member("updated_at", updatedAt.description)
      writer.member("version", moneybirdVersion)
    }
  }
}

extension LedgerLine {
  /// The amount without tax.
  fileprivate func net(isInclusive: Bool) -> ExactDecimal? {
    isInclusive ? lineAmount.flatMap { $0.subtracting(taxAmount ?? .zero) } : lineAmount
  }

  fileprivate func writeMoneybird(
    _ row: Int, isInclusive: Bool, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("id", MoneybirdIdentifier.of(id))
      writer.member(orNull: taxType.map(MoneybirdIdentifier.of), "tax_rate_id")
      writer.member(orNull: accountCode.map(MoneybirdIdentifier.of), "ledger_account_id")
      writer.member(orNull: quantity.map { "\($0) x" }, "amount")
      writer.member(orNull: quantity?.description, "amount_decimal")
      writer.member("description", description ?? "")
      writer.member(orNull: unitAmount?.description, "price")
      writer.member(orNull: itemCode.map(MoneybirdIdentifier.of), "product_id")
      writer.member(orNull: region.map(MoneybirdIdentifier.of), "project_id")
      writer.member("row_order", row)
      writer.member(
        orNull: net(isInclusive: isInclusive)?.description, "total_price_excl_tax_with_discount")
    }
  }
}

private func text(_ amount: ExactDecimal?) -> String { (amount ?? .zero).description }

/// Moneybird's form of identifiers: a long number, written as text.
enum MoneybirdIdentifier {
  /// Returns an identifier in that form, always the same for the same input.
  static func of(_ id: String) -> String {
    // Truncated to a signed 64-bit number.
    String(SplitMix64.hash(of: id) >> 1)
  }
}
