import Models
import Storage

/// Invoices as a table, written piece by piece.
struct InvoiceListing: ExportWriter {
  private static let columns = [
    TableColumn(name: "DATE", omission: 2), TableColumn(name: "DUE", leastWidth: 60, omission: 0),
    TableColumn(name: "NUMBER", shortest: 12), TableColumn(name: "TYPE", omission: 1),
    TableColumn(name: "STATUS", shortest: 6, omission: 3),
    TableColumn(name: "CONTACT", shortest: 8), TableColumn(name: "TOTAL", isRight: true),
  ]

  private let table: StreamedTable
  private let style: TableStyle
  private let today: CalendarDate?

  /// - Parameter today: the day that decides which invoices are overdue.
  init(style: TableStyle = .plain, today: CalendarDate? = .today()) {
    table = StreamedTable(Self.columns, style: style)
    (self.style, self.today) = (style, today)
  }

  let beginning = ""

  func text(of stored: StoredInvoice, isFirst: Bool) -> String { table.add(row(stored)) }

  func end(isEmpty: Bool) -> String { table.end() }

  private func row(_ stored: StoredInvoice) -> [TableCell] {
    let invoice = stored.invoice
    // A deleted invoice is stored with its last status.
    let status = stored.deletedAt == nil ? invoice.status : .deleted
    return [
      TableCell(invoice.issueDate?.description ?? "-"),
      TableCell(invoice.dueDate?.description ?? "-"),
      TableCell(invoice.number ?? style.shown(id: invoice.id)),
      TableCell(invoice.type.rawValue),
      TableCell(status.rawValue, color(of: status, dueOn: invoice.dueDate)),
      TableCell(invoice.contact.name ?? invoice.contact.id.map(style.shown(id:)) ?? "-"),
      TableCell(invoice.totalMoney.description),
    ]
  }

  private func color(of status: InvoiceStatus, dueOn dueDate: CalendarDate?) -> TextColor? {
    switch status {
    case .paid, .refunded: return .green
    case .open, .partiallyPaid:
      guard let dueDate, let today, dueDate < today else { return .yellow }
      return .red
    case .draft, .scheduled, .void, .deleted, .writtenOff: return .dim
    case .unknown: return nil
    }
  }
}

extension TableStyle {
  /// Returns an identifier as shown in place of a name: its beginning on a terminal.
  func shown(id: String) -> String {
    isTerminal && id.count > LocalDatabase.shortestPrefix + 1
      ? id.prefix(LocalDatabase.shortestPrefix) + "…" : id
  }
}
