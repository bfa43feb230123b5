/// Records as CSV (RFC 4180): a header, then a row for each record.
///
/// The columns keep their order; later versions add new columns at the end. An absent value is an
/// empty field. Rows end with CRLF.
public struct CSVTable<Record>: Sendable {
  /// A column: its name, and its value of a record.
  typealias Column = (name: String, value: @Sendable (Record) -> String?)

  private let columns: [Column]

  init(columns: [Column]) {
    self.columns = columns
  }

  /// The row of the columns' names.
  public var header: String { CSVRow.text(columns.map(\.name)) }

  /// Returns the row of a record.
  public func row(of record: Record) -> String {
    CSVRow.text(columns.map { $0.value(record) ?? "" })
  }
}
