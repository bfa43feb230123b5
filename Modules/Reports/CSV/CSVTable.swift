import Models
public import Storage

/// Records as CSV (RFC 4180): a header, then a row for each record.
///
/// The columns keep their order; later versions add new columns at the end. An absent value is an
/// empty field. Rows end with CRLF.
public struct CSVTable<Record>: Sendable {
  /// The names of the columns.
  package let columns: [String]
  /// The column of each value.
  private let order: [Int]
  private let values: @Sendable (Record) -> [String]

  /// - Parameters:
  ///   - published: the first columns, in the order in which versions have added them; the others
  ///     follow in the order of the record's list.
  ///   - names: the names of all columns, in the order of `values`.
  ///   - values: returns the values of a record.
  fileprivate init(
    published: String, _ names: [String], _ values: @escaping @Sendable (Record) -> [String]
  ) {
    let first = published.split(whereSeparator: \.isWhitespace).map(String.init)
    columns = first.filter(names.contains) + names.filter { !first.contains($0) }
    order = columns.compactMap(names.firstIndex(of:))
    self.values = values
  }

  /// The row of the columns' names.
  public var header: String { CSVRow.text(columns) }

  /// Returns the row of a record.
  public func row(of record: Record) -> String {
    let values = values(record)
    return CSVRow.text(order.map { values[$0] })
  }
}

extension CSVTable where Record == StoredInvoice {
  /// The table of invoices.
  public static var invoices: CSVTable {
    CSVTable(
      published: """
        account id number type status rawStatus contactID contactName contactEmail currency
        issueDate dueDate updatedAt subtotal totalTax total amountPaid amountCredited amountDue
        reference deletedAt deletedReason contactTaxNumber orderNumber periodStart periodEnd version
        lineTotal allowanceTotal chargeTotal roundingAmount linesIncludeTax
        """,
      CSVValues.names(of: Invoice.self) + ["account", "deletedAt", "deletedReason"]
    ) {
      CSVValues.of($0.invoice) + [
        $0.account, $0.deletedAt?.description ?? "", $0.deletedReason ?? "",
      ]
    }
  }
}

extension CSVTable where Record == StoredContact {
  /// The table of contacts.
  public static var contacts: CSVTable {
    CSVTable(
      published: """
        account id name email phone taxNumber isCustomer isSupplier status updatedAt deletedAt
        deletedReason invoiceCount receivable payable
        """,
      CSVValues.names(of: Contact.self) + [
        "account", "deletedAt", "deletedReason", "invoiceCount", "receivable", "payable",
      ]
    ) {
      CSVValues.of($0.contact) + [
        $0.account, $0.deletedAt?.description ?? "", $0.deletedReason ?? "",
        $0.invoiceCount.description,
        ContactAmounts.receivable($0.balances).joined(separator: "; "),
        ContactAmounts.payable($0.balances).joined(separator: "; "),
      ]
    }
  }
}

/// A row of CSV (RFC 4180).
enum CSVRow {
  static func text(_ values: [String]) -> String {
    values.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    guard needsQuotes else { return text }
    // Compare Unicode scalars: a quote followed by a combining mark is another `Character`, but its
    // byte still has to be doubled.
    let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }
}

/// The single values of a record, and those of the parts that it always has, as texts.
private struct CSVValues {
  private var texts: [String] = []

  static func of(_ record: some FieldListing) -> [String] {
    var (record, values) = (record, CSVValues())
    values.texts.reserveCapacity(36)
    record.visit(&values)
    return values.texts
  }

  /// Returns the names of the values: `contactID` is the value `id` of the part `contact`.
  static func names<Record: FieldListing>(of _: Record.Type) -> [String] {
    names(of: FieldDescription.all(of: Record.self))
  }

  private static func names(of fields: [FieldDescription]) -> [String] {
    fields.flatMap { field in
      switch field.kind {
      case .part(let fields):
        field.isRequired
          ? names(of: fields).map { name in
            field.name + (name == "id" ? "ID" : name.prefix(1).uppercased() + name.dropFirst())
          } : []
      default: field.isSingle ? [field.name] : []
      }
    }
  }
}

extension CSVValues: TextVisitor {
  mutating func add(_ name: StaticString, _ text: @autoclosure () -> String?) {
    texts.append(text() ?? "")
  }
  mutating func texts(_ name: StaticString, _ value: inout [String]) {}
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    value.visit(&self)
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {}
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {}
}
