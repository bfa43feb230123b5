import Models
import Storage

/// Invoices as a table, written piece by piece.
struct InvoiceListing: ExportWriter {
  /// - Parameter byDue: true for a list that is about due days, which keeps them longest.
  private static func columns(byDue: Bool) -> [TableColumn] {
    [
      TableColumn(name: "DATE", omission: byDue ? 0 : 2),
      TableColumn(name: "DUE", leastWidth: byDue ? 0 : 60, omission: byDue ? 2 : 0),
      TableColumn(name: "NUMBER", shortest: 12), TableColumn(name: "TYPE", omission: 1),
      TableColumn(name: "STATUS", shortest: 6, omission: 3),
      TableColumn(name: "CONTACT", shortest: 8, preferred: 14),
      TableColumn(name: "TOTAL", isRight: true),
    ]
  }

  private let table: StreamedTable
  private let style: TableStyle
  private let today: CalendarDate?
  private let showsAccounts: Bool
  private let showsDue: Bool

  /// - Parameters:
  ///   - today: the day that decides which invoices are overdue.
  ///   - showsAccounts: true to show the account of each invoice.
  ///   - showsDue: true to show the amount due of each invoice.
  ///   - isByDue: true if the list is in the order of due days.
  init(
    style: TableStyle = .plain, today: CalendarDate? = .today(), showsAccounts: Bool = false,
    showsDue: Bool = false, isByDue: Bool = false
  ) {
    let due = TableColumn(name: "AMOUNT DUE", isRight: true)
    table = StreamedTable(
      (showsAccounts ? [.account] : []) + Self.columns(byDue: showsDue || isByDue)
        + (showsDue ? [due] : []), style: style)
    (self.style, self.today) = (style, today)
    (self.showsAccounts, self.showsDue) = (showsAccounts, showsDue)
  }

  let beginning = ""

  func text(of stored: StoredInvoice, isFirst: Bool) -> String { table.add(row(stored)) }

  func end(isEmpty: Bool) -> String { table.end() }

  private func row(_ stored: StoredInvoice) -> [TableCell] {
    let invoice = stored.invoice
    // A deleted invoice is stored with its last status.
    let status = stored.deletedAt == nil ? invoice.status : .deleted
    let account = showsAccounts ? [TableCell(stored.account)] : []
    let due = showsDue ? [TableCell(invoice.amountDueMoney?.description ?? "-")] : []
    let cells = [
      TableCell(invoice.issueDate?.description ?? "-"),
      TableCell(invoice.dueDate?.description ?? "-"),
      TableCell(invoice.number.flatMap { $0.isEmpty ? nil : $0 } ?? style.shown(id: invoice.id)),
      TableCell(invoice.type.rawValue),
      TableCell(status.rawValue, color(of: invoice, status)),
      TableCell(invoice.contact.name ?? invoice.contact.id.map(style.shown(id:)) ?? "-"),
      TableCell(invoice.totalMoney.description),
    ]
    return account + cells + due
  }

  private func color(of invoice: Invoice, _ status: InvoiceStatus) -> TextColor? {
    switch status {
    case .paid, .refunded: .green
    case .open, .partiallyPaid: today.map(invoice.isOverdue) == true ? .red : .yellow
    case .draft, .scheduled, .void, .deleted, .writtenOff: .dim
    case .unknown: nil
    }
  }
}

extension TableStyle {
  /// Returns an identifier as shown in place of a name: its beginning, which `show` takes as well.
  func shown(id: String) -> String {
    guard id.count > LocalDatabase.shortestPrefix + 1 else { return id }
    return id.prefix(LocalDatabase.shortestPrefix) + (isTerminal ? "…" : "")
  }
}
