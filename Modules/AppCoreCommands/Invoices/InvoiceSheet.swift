import Models
import Storage

/// The details of one invoice as text.
struct InvoiceSheet {
  private let stored: StoredInvoice
  private var invoice: Invoice { stored.invoice }

  init(_ stored: StoredInvoice) {
    self.stored = stored
  }

  var text: String {
    let head = fields.compactMap { name, value in value.map { HumanText.line(name, $0) } }
    let lists = [
      ("lines", lines), ("added, taken off", allowancesAndCharges), ("taxes", taxes),
      ("payments", payments), ("attachments", attachments),
    ].flatMap { name, rows in rows.isEmpty ? [] : [name] + rows.map { "  " + printable($0) } }
    let warnings = invoice.arithmeticFindings.map { HumanText.line("warning", "\($0)") }
    return (head + lists + warnings).joined(separator: "\n")
  }

  private var fields: [(String, String?)] {
    let days = [invoice.periodStart, invoice.periodEnd].compactMap { $0?.description }
    return [
      ("number", invoice.number), ("id", invoice.id), ("type", invoice.type.rawValue),
      ("status", "\(invoice.status.rawValue) (\(invoice.rawStatus))"),
      ("contact", (invoice.contact.name ?? invoice.contact.id).map(oneLine)),
      ("address", invoice.contact.address.map(oneLine)),
      ("tax number", invoice.contact.taxNumber), ("own name", invoice.ownParty?.name.map(oneLine)),
      ("reference", invoice.reference.map(oneLine)), ("order", invoice.orderNumber),
      ("issued", invoice.issueDate?.description), ("due", invoice.dueDate?.description),
      ("period", days.isEmpty ? nil : days.joined(separator: " to ")),
      ("updated", invoice.updatedAt.map { LocalTime($0).description }),
      ("subtotal", money(invoice.subtotal)),
      ("tax", money(invoice.totalTax)), ("total", money(invoice.total)),
      ("paid", money(invoice.amountPaid)), ("credited", money(invoice.amountCredited)),
      ("rounding", money(invoice.roundingAmount)), ("amount due", money(invoice.amountDue)),
      ("deleted", stored.deletedAt.map { "\(LocalTime($0)) (\(stored.deletedReason ?? ""))" }),
    ]
  }

  private var lines: [String] {
    invoice.lines.map { line in
      "\(line.quantity?.description ?? "-") x \(line.unitAmount?.description ?? "-") = "
        + "\(money(line.lineAmount) ?? "-")  \(oneLine(line.description ?? ""))"
    }
  }

  private var allowancesAndCharges: [String] {
    invoice.allowancesAndCharges.map { part in
      words(part.isCharge ? "added" : "taken off", money(part.amount), part.reason)
    }
  }

  private var taxes: [String] {
    let taxes = invoice.taxBreakdown.isEmpty ? invoice.taxByLine : invoice.taxBreakdown
    return taxes.map { tax in
      words(
        money(tax.taxAmount), tax.name, tax.rate.map { "\($0) %" },
        money(tax.taxableAmount).map { "of \($0)" })
    }
  }

  private var payments: [String] {
    invoice.payments.map { words($0.date?.description, money($0.amount), $0.reference) }
  }

  private var attachments: [String] {
    invoice.attachments.map { words($0.fileName ?? $0.id, $0.mediaType, $0.url) }
  }

  private func oneLine(_ address: PostalAddress) -> String {
    let parts =
      address.lines + [
        words(address.postalCode, address.city), address.region ?? "", address.country ?? "",
      ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns a text whose lines are joined by spaces.
  private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func words(_ words: String?...) -> String {
    words.compactMap(\.self).joined(separator: "  ")
  }

  private func money(_ amount: ExactDecimal?) -> String? {
    amount.map { Money($0, invoice.currency).description }
  }
}
