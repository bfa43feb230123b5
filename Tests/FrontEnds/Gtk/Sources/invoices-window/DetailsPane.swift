import GtkShim
import Models
import Storage

/// The invoice at the right: its amounts and what has settled it, its lines, and what does not add
/// up.
final class DetailsPane {
  private let box: Object
  /// Opens the PDF of the invoice.
  var onPDF: (StoredInvoice) -> Void = { _ in }
  private var shown: StoredInvoice?

  init(box: Object) {
    self.box = box
    fill(nil)
  }

  func show(_ stored: StoredInvoice?) {
    guard stored != shown else { return }
    fill(stored)
  }

  /// Asks the user to choose, with a button for each answer, and calls `choose` with its number.
  func ask(_ question: String, _ answers: [String], _ choose: @escaping (Int) -> Void) {
    box.removeChildren()
    add(question, "title-2")
    for (number, answer) in answers.enumerated() {
      addButton(answer) { [unowned self] in
        // The button that calls this goes as well.
        Task { [self] in fill(shown) }
        choose(number)
      }
    }
  }

  private func addButton(_ text: String, _ action: @escaping () -> Void) {
    guard let widget = gtk_button_new_with_label(text) else { return }
    let button = Object(widget)
    button.on("clicked") { _ in action() }
    box.append(button)
  }

  private func fill(_ stored: StoredInvoice?) {
    shown = stored
    box.removeChildren()
    guard let stored else { return add("Select an invoice to see its lines.", "dim-label") }
    let invoice = stored.invoice
    add(invoice.contact.name ?? invoice.contact.id ?? "Unknown contact", "title-2")
    add(
      [invoice.number, invoice.type.rawValue, invoice.status.rawValue].compactMap(\.self)
        .joined(separator: " · "), "dim-label")
    let facts = [
      ("Issued", invoice.issueDate?.description), ("Due", invoice.dueDate?.description),
      ("Reference", invoice.reference), ("Total", money(invoice.total, invoice)),
      ("Tax", invoice.totalTax.map { money($0, invoice) }),
      ("Amount due", invoice.amountDue.map { money($0, invoice) }),
    ]
    for (name, value) in facts { if let value, !value.isEmpty { add("\(name): \(value)") } }
    if let balance = stored.balance { show(balance, of: invoice) }
    for finding in invoice.arithmeticFindings { add("⚠ \(finding)", "warning") }
    if let reason = stored.deletedReason { add("⚠ Deleted at the provider: \(reason)", "warning") }
    addButton("Open PDF") { [unowned self] in onPDF(stored) }
    add(invoice.lines.count == 1 ? "1 line" : "\(invoice.lines.count) lines", "heading")
    for line in invoice.lines { add(text(of: line, invoice)) }
  }

  /// Shows what has settled the invoice.
  private func show(_ balance: InvoiceBalance, of invoice: Invoice) {
    for entry in balance.entries {
      let parts = [
        entry.date?.description, money(entry.amount, invoice), entry.number ?? entry.id,
      ]
      add("\(entry.kind.description): \(parts.compactMap(\.self).joined(separator: " · "))")
    }
    guard !balance.unexplained.isZero else { return }
    add("not listed: \(balance.unexplained) \(invoice.currency)", "warning")
  }

  private func add(_ text: String, _ classes: String...) {
    let label = Object.label(text)
    for name in classes { gtk_widget_add_css_class(label.widget, name) }
    label.set("wrap", true)
    gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
    label.set("selectable", true)
    box.append(label)
  }

  private func money(_ amount: ExactDecimal, _ invoice: Invoice) -> String {
    "\(amount) \(invoice.currency)"
  }

  private func text(of line: InvoiceLine, _ invoice: Invoice) -> String {
    let count = line.quantity.map { "\($0) × " } ?? ""
    let amount = line.lineAmount.map { money($0, invoice) } ?? ""
    return "\(count)\(line.description ?? "Line")\n\(amount)"
  }
}
