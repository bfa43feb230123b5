import GRDB
import Models

/// Counts and exact sums of rows by group, added up as the rows are read.
///
/// SQLite sorts all rows before it groups them, which takes three times as long as reading them.
struct GroupedSums<Group: Hashable & Sendable> {
  /// The account, group, currency and type that the rows of a sum have in common.
  struct Key: Hashable, Sendable {
    let account: String
    let group: Group
    let currency: Currency
    let type: InvoiceType
  }

  /// The number of rows, and their sums.
  struct Sums: Sendable {
    var count = 0
    var total = DecimalSum.zero
    var amountDue = DecimalSum.zero
  }

  /// The sums of each group.
  private(set) var sums: [Key: Sums] = [:]

  /// Adds a row with the values of ``columns(account:due:)``.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - group: reads the group from the columns after those.
  mutating func add(
    _ row: inout RowValues, group: (inout RowValues, _ account: String) throws -> Group
  ) throws {
    let account = try StoredValue.required(row.text())
    let currency = try StoredValue.required(row.text().flatMap(Currency.init(code:)))
    let type: InvoiceType = try row.word()
    let total = try StoredValue.required(row.decimal())
    let due = try row.decimal()
    let key = Key(account: account, group: try group(&row, account), currency: currency, type: type)
    sums[key, default: Sums()].add(total, due)
  }

  /// Returns the columns that are added up.
  ///
  /// - Parameters:
  ///   - account: the expression for the account's name; an empty text adds up all accounts.
  ///   - due: the expression for what is due.
  static func columns(account: String, due: String) -> String {
    "\(account), invoice.currency, invoice.type, invoice.total, \(due)"
  }
}

extension GroupedSums.Sums {
  fileprivate mutating func add(_ total: ExactDecimal, _ due: ExactDecimal?) {
    count += 1
    self.total.add(total)
    if let due { amountDue.add(due) }
  }
}
