import Models
import Reports
import Storage

/// Contacts as a table, written piece by piece.
///
/// A contact with amounts in several currencies takes a line for each on a terminal, which has no
/// room for them side by side: an amount is never cut.
struct ContactListing: ExportWriter {
  private static let columns = [
    TableColumn(name: "NAME", shortest: 12),
    TableColumn(name: "EMAIL", shortest: 12, leastWidth: 60, omission: 1),
    TableColumn(name: "STATUS", leastWidth: 60, omission: 0),
    TableColumn(name: "INVOICES", isRight: true, omission: 3),
    TableColumn(name: "RECEIVABLE", isRight: true),
    TableColumn(name: "PAYABLE", isRight: true, omission: 2),
  ]

  private let table: StreamedTable
  private let style: TableStyle
  private let showsAccounts: Bool

  /// - Parameter showsAccounts: true to show the account of each contact.
  init(style: TableStyle, showsAccounts: Bool = false) {
    table = StreamedTable((showsAccounts ? [.account] : []) + Self.columns, style: style)
    (self.style, self.showsAccounts) = (style, showsAccounts)
  }

  let beginning = ""

  func text(of stored: StoredContact, isFirst: Bool) -> String {
    let contact = stored.contact
    let status = stored.deletedAt == nil ? contact.status : .deleted
    let account = showsAccounts ? [TableCell(stored.account)] : []
    let fields =
      account + [
        TableCell(contact.name ?? style.shown(id: contact.id)), TableCell(contact.email ?? "-"),
        TableCell(status.rawValue, status == .active ? nil : .dim),
        TableCell(stored.invoiceCount.description),
      ]
    let receivable = lines(ContactAmounts.receivable(stored.balances))
    let payable = lines(ContactAmounts.payable(stored.balances))
    return (0..<max(receivable.count, payable.count)).map { line in
      let amounts = [receivable, payable].map { TableCell(line < $0.count ? $0[line] : "") }
      return table.add((line == 0 ? fields : fields.map { _ in TableCell("") }) + amounts)
    }.joined()
  }

  /// Returns the amounts of each line; there is at least one line.
  private func lines(_ amounts: [String]) -> [String] {
    style.isTerminal && !amounts.isEmpty ? amounts : [amounts.joined(separator: "; ")]
  }

  func end(isEmpty: Bool) -> String { table.end() }
}

/// The details of one contact as text.
struct ContactSheet {
  let stored: StoredContact

  var text: String {
    let contact = stored.contact
    let roles = [
      contact.isCustomer == true ? "customer" : nil, contact.isSupplier == true ? "supplier" : nil,
    ].compactMap(\.self)
    let balances = stored.balances
    let fields: [(String, String?)] = [
      ("name", contact.name), ("id", contact.id),
      ("status", "\(contact.status.rawValue) (\(contact.rawStatus))"),
      ("role", roles.isEmpty ? nil : roles.joined(separator: ", ")), ("email", contact.email),
      ("phone", contact.phone), ("tax number", contact.taxNumber),
      ("updated", contact.updatedAt.map { LocalTime($0).description }),
      ("deleted", stored.deletedAt.map { "\(LocalTime($0)) (\(stored.deletedReason ?? ""))" }),
      ("invoices", stored.invoiceCount.grouped),
      ("receivable", ContactAmounts.receivable(balances).joined(separator: "; ")),
      ("payable", ContactAmounts.payable(balances).joined(separator: "; ")),
    ]
    return fields.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : HumanText.line(name, $0) }
    }.joined(separator: "\n")
  }
}
