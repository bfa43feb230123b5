import AppCore
import Models
import Presentation
import Storage

/// The amounts due of contacts as a table, with a column for each age.
struct AgeingTable {
  private let contacts: [ContactAgeing]
  private let style: TableStyle
  private let showsAccounts: Bool

  /// - Parameter showsAccounts: true to show the account of each contact.
  init(_ contacts: [ContactAgeing], style: TableStyle, showsAccounts: Bool) {
    (self.contacts, self.style, self.showsAccounts) = (contacts, style, showsAccounts)
  }

  var text: String {
    let ages = DueAge.allCases.filter { age in
      age != .undated || contacts.contains { $0.bucket(age)?.isEmpty == false }
    }
    var columns = [
      TableColumn(name: "CONTACT", shortest: 10), TableColumn(name: "SIDE", omission: 6),
    ]
    columns += ages.enumerated().map { index, age in
      TableColumn(name: age.label.uppercased(), isRight: true, omission: ages.count - index - 1)
    }
    columns.append(TableColumn(name: "TOTAL", isRight: true))
    if showsAccounts { columns.insert(.account, at: 0) }
    let cells = contacts.map { contact in
      var cells =
        showsAccounts ? [TableCell(style.organisations.title(of: contact.account))] : []
      cells += [
        TableCell(contact.contactName ?? contact.contactID.map(style.shown(id:)) ?? "-"),
        TableCell(contact.side.word),
      ]
      cells += ages.map { TableCell(contact.text(of: $0)) }
      cells.append(TableCell(contact.amountDue.description(in: contact.currency)))
      return cells
    }
    let layout = TableLayout(columns, rows: cells, style: style)
    return ([layout.header] + cells.map(layout.line)).map { $0 + "\n" }.joined()
  }
}

extension ContactAgeing {
  fileprivate func bucket(_ age: DueAge) -> AgeingBucket? { buckets.first { $0.age == age } }

  /// The sum of an age without its currency, which the total has.
  fileprivate func text(of age: DueAge) -> String {
    guard let bucket = bucket(age), !bucket.isEmpty else { return "-" }
    return String(bucket.amountDue.description(in: currency).dropLast(currency.code.count + 1))
  }
}

extension AgeingBucket {
  fileprivate var isEmpty: Bool { count == 0 }
}

extension DueAge {
  /// The age in words.
  var label: String {
    switch self {
    case .notDue: "not due yet"
    case .upTo30: "1-30 days"
    case .upTo60: "31-60 days"
    case .upTo90: "61-90 days"
    case .over90: "over 90 days"
    case .undated: "no due date"
    }
  }
}
