import Models

extension LedgerInvoice {
  /// The number of lines within an invoice; fewer than Stripe's ten, so that generated invoices
  /// have more lines than that.
  private static let linesPerInvoice = 2

  var stripeID: String { "in_" + id.filter { $0 != "-" } }

  var isListedByStripe: Bool { kind == .sale && status != .deleted }

  /// The time of creation, in seconds since 1970.
  var stripeCreated: Int {
    (date ?? updatedAt.utcDay).map { $0.daysSinceEpoch * 86_400 } ?? stripeEventTime
  }

  /// The time of its last change, in seconds since 1970.
  var stripeEventTime: Int {
    Int(updatedAt.truncatedToSecond.microsecondsSinceEpoch / 1_000_000)
  }

  var stripeEventID: String { "evt_\(updatedAt.microsecondsSinceEpoch)\(id.suffix(12))" }

  /// Writes the invoice in Stripe's form.
  ///
  /// - Parameter expandsCharge: true for the charge itself in place of its identifier.
  func writeStripe(
    _ state: SandboxState, expandsCharge: Bool = false, to writer: inout JSONWriter
  ) {
    let isDraft = status == .draft
    writer.object { writer in
      writer.member("id", stripeID)
      writer.member("object", "invoice")
      writer.member("account_country", "US")
      writer.member("account_name", "Sandbox")
      writer.member("amount_due", units(total))
      writer.member("amount_paid", units(amountPaid))
      writer.member("amount_remaining", units(amountDue))
      if expandsCharge, let stripeCharge {
        writer.object("charge") { writer in
          writer.member("id", stripeCharge)
          writer.member("object", "charge")
          writer.member("paid", true)
          writer.object("payment_method_details") { $0.member("type", "card") }
        }
      } else {
        writer.member(orNull: stripeCharge, "charge")
      }
      writer.member("created", stripeCreated)
      writer.member("currency", currencyCode.lowercased())
      writer.member("customer", contact.stripeID)
      writer.member(orNull: contact.emailAddress, "customer_email")
      writer.member("customer_tax_exempt", "none")
      writer.member(orNull: contact.name, "customer_name")
      writer.member(orNull: dueDate.map { $0.daysSinceEpoch * 86_400 }, "due_date")
      let hasPDF = state.configuration.renders(self)
      writer.member(orNull: hasPDF ? state.links.lastingURL(of: .pdf(self)) : nil, "invoice_pdf")
      writer.key("lines")
      StripeEnvelope.list(lines[...], limit: Self.linesPerInvoice, to: &writer) {
        $0.writeStripe(self, to: &$1)
      }
      writer.member(orNull: number, "number")
      // The period in which items were added, not the invoiced one.
      writer.member("period_end", stripeCreated - 86_400)
      writer.member("period_start", stripeCreated - 86_400)
      let credits = [self].stripeCredits.filter { !$0.isCancelled }
      for (time, isAfter) in [("post", true), ("pre", false)] {
        let amounts = credits.filter { ($0.kind == .refund) == isAfter }.map(\.amount)
        writer.member(
          "\(time)_payment_credit_notes_amount", units(ExactDecimal.sum(amounts) ?? .zero))
      }
      // What the customer had too much paid a part.
      let used = ExactDecimal.sum(stripeBalance.map(\.amount)) ?? .zero
      writer.member("starting_balance", units(used.negated))
      writer.member("ending_balance", 0)
      writer.member("status", stripeStatus)
      writer.object("status_transitions") { writer in
        writer.member(orNull: isDraft ? nil : stripeCreated, "finalized_at")
        writer.member(orNull: status == .paid ? stripeCreated + 3_600 : nil, "paid_at")
      }
      writer.member("tax", units(totalTax))
      writer.member("total", units(total))
      writer.member("total_excluding_tax", units(subTotal))
      writer.array("total_tax_amounts") { writer in
        guard !totalTax.isZero else { return }
        writer.object { writer in
          writer.member("amount", units(totalTax))
          writer.member("inclusive", taxBasis == .inclusive)
          writer.member("tax_rate", "txr_sandbox")
          writer.member("taxable_amount", units(subTotal))
        }
      }
    }
  }

  func writeStripeEvent(_ state: SandboxState, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", stripeEventID)
      writer.member("object", "event")
      writer.member("created", stripeEventTime)
      writer.object("data") { writer in
        writer.key("object")
        writeStripe(state, to: &writer)
      }
      writer.member("type", stripeEventType)
    }
  }

  private var stripeCharge: String? {
    amountPaid.isZero ? nil : "ch_" + id.filter { $0 != "-" }
  }

  /// The part that the balance of the customer settled.
  private var stripeBalance: [LedgerSettlement] {
    isVaried ? LedgerSettlement.of(self).filter { $0.kind == .prepayment } : []
  }

  private var stripeEventType: String {
    switch status {
    case .deleted: "invoice.deleted"
    case .void: "invoice.voided"
    case .draft, .scheduled, .open, .paid: "invoice.updated"
    }
  }

  private var stripeStatus: String {
    switch status {
    case .draft: "draft"
    case .paid: "paid"
    case .void: "void"
    case .scheduled, .open, .deleted: "open"
    }
  }

  /// Returns an amount in the currency's smallest unit.
  fileprivate func units(_ amount: ExactDecimal) -> ExactDecimal {
    let digits = Currency(code: currencyCode)?.minorUnitDigits ?? 2
    return price(amount.rounded(toScale: digits))
  }

  /// Returns a price in the currency's smallest unit, including fractions of it.
  fileprivate func price(_ amount: ExactDecimal) -> ExactDecimal {
    var (coefficient, digits) = (
      amount.coefficient, Currency(code: currencyCode)?.minorUnitDigits ?? 2
    )
    digits -= amount.scale
    while digits > 0 {
      coefficient *= 10
      digits -= 1
    }
    return ExactDecimal(coefficient: coefficient, scale: -digits) ?? .zero
  }
}

extension [LedgerInvoice] {
  /// The credit notes of the sales: of whatever kind a credit is, Stripe knows no other, but for
  /// the balance of a customer.
  var stripeCredits: [LedgerSettlement] {
    LedgerSettlement.of(filter { $0.kind == .sale }).filter { part in
      part.kind != .payment && !(part.invoice.isVaried && part.kind == .prepayment)
    }
  }
}

extension LedgerSettlement {
  var stripeID: String { "cn_" + id.filter { $0 != "-" } }

  var stripeEventID: String { "evt_cn_\(updatedAt.microsecondsSinceEpoch)\(id.suffix(12))" }

  /// Writes a credit note in Stripe's form.
  func writeStripe(_ state: SandboxState, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", stripeID)
      writer.member("object", "credit_note")
      writer.member("amount", invoice.units(amount))
      writer.member("created", invoice.stripeCreated)
      writer.member("currency", invoice.currencyCode.lowercased())
      writer.member("customer", invoice.contact.stripeID)
      writer.member("invoice", invoice.stripeID)
      writer.key("lines")
      StripeEnvelope.list(ArraySlice<LedgerLine>(), limit: 10, to: &writer) { _, _ in }
      writer.member("memo", number)
      writer.member("number", number)
      writer.member("pdf", state.links.lastingURL(of: .note(self)))
      writer.member("reason", "order_change")
      writer.member("status", isVoid ? "void" : "issued")
      writer.array("tax_amounts") { _ in }
      writer.member("total", invoice.units(amount))
      writer.member("total_excluding_tax", invoice.units(amount))
      writer.member("type", kind == .refund ? "post_payment" : "pre_payment")
    }
  }

  func writeStripeEvent(_ state: SandboxState, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", stripeEventID)
      writer.member("object", "event")
      writer.member("created", invoice.stripeEventTime)
      writer.object("data") { writer in
        writer.key("object")
        writeStripe(state, to: &writer)
      }
      writer.member("type", isVoid ? "credit_note.voided" : "credit_note.updated")
    }
  }

  /// The credit note of Stripe as the model that is common to all providers.
  var stripeNote: Invoice? {
    guard let currency = Currency(code: invoice.currencyCode) else { return nil }
    let created = CalendarDate(daysSinceEpoch: invoice.stripeCreated / 86_400)
    var note = Invoice(
      id: stripeID, number: number, type: .creditNote, status: isVoid ? .void : .paid,
      rawStatus: isVoid ? "void" : "issued", contact: Party(id: invoice.contact.stripeID),
      currency: currency, issueDate: created, subtotal: amount, totalTax: .zero, total: amount,
      amountDue: .zero, reference: number)
    note.allocations = [
      Allocation(invoiceID: invoice.stripeID, date: created, amount: amount)
    ]
    return note
  }
}

extension LedgerContact {
  var stripeID: String { "cus_" + id.filter { $0 != "-" } }
}

extension ContactEntry {
  var stripeEventID: String { "evt_c\(updatedAt.microsecondsSinceEpoch)\(contact.id.suffix(12))" }

  /// Writes the customer; of a deleted one Stripe shows no more than that it is deleted.
  func writeStripe(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", contact.stripeID)
      writer.member("object", "customer")
      guard isLive else { return writer.member("deleted", true) }
      writer.member("created", createdAt)
      writer.member(orNull: contact.emailAddress, "email")
      writer.member(orNull: contact.name, "name")
      writer.null("phone")
      writer.object("tax_ids") { $0.array("data") { _ in } }
    }
  }

  func writeStripeEvent(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", stripeEventID)
      writer.member("object", "event")
      writer.member("created", changedAt)
      writer.object("data") { writer in
        writer.key("object")
        writeStripe(to: &writer)
      }
      writer.member("type", isLive ? "customer.updated" : "customer.deleted")
    }
  }
}

extension LedgerLine {
  var stripeID: String { "il_" + id.filter { $0 != "-" } }

  func writeStripe(_ invoice: LedgerInvoice, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", stripeID)
      writer.member("object", "line_item")
      if let lineAmount { writer.member("amount", invoice.units(lineAmount)) }
      writer.member("currency", invoice.currencyCode.lowercased())
      writer.member(orNull: description, "description")
      if let unitAmount {
        writer.object("price") { writer in
          writer.member(ifPresent: itemCode, "product")
          writer.member("unit_amount_decimal", invoice.price(unitAmount).description)
        }
      }
      writer.object("period") { writer in
        writer.member("end", invoice.stripeCreated + 86_399)
        writer.member("start", invoice.stripeCreated)
      }
      if let quantity { writer.member("quantity", quantity) }
      writer.array("tax_amounts") { writer in
        guard let taxAmount else { return }
        writer.object { $0.member("amount", invoice.units(taxAmount)) }
      }
    }
  }
}
