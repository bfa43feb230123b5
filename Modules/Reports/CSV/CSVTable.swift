public import Models
public import Storage

/// Records as CSV: a header, then the rows of each record.
///
/// The columns keep their order; later versions add new columns at the end. An absent value is an
/// empty field. Rows end with CRLF.
public struct CSVTable<Record>: Sendable {
  /// The names of the columns.
  package let columns: [String]
  /// True if the rows need the parts of an invoice, which `InvoiceQuery.includesLines` reads.
  public let needsLines: Bool
  /// The way in which rows are written.
  public var dialect = CSVDialect.standard
  /// The column of each value.
  private let order: [Int]
  private let isNumber: [Bool]
  private let values: @Sendable (Record) -> [[String]]

  /// - Parameters:
  ///   - published: the first columns, in the order in which versions have added them; the others
  ///     follow in the order of the record's list.
  ///   - fields: all columns, in the order of `values`.
  ///   - values: returns the values of each row of a record.
  fileprivate init(
    published: String, _ fields: [CSVField], needsLines: Bool = false,
    _ values: @escaping @Sendable (Record) -> [[String]]
  ) {
    let first = published.split(whereSeparator: \.isWhitespace).map(String.init)
    let names = fields.map(\.name)
    columns = first.filter(names.contains) + names.filter { !first.contains($0) }
    let order = columns.compactMap(names.firstIndex(of:))
    (self.order, isNumber) = (order, order.map { fields[$0].isNumber })
    (self.needsLines, self.values) = (needsLines, values)
  }

  /// The row of the columns' names.
  public var header: String {
    dialect.beginning + dialect.row(columns, isNumber: columns.map { _ in false })
  }

  /// Returns the rows of a record.
  public func rows(of record: Record) -> [String] {
    cells(of: record).map { dialect.row($0, isNumber: isNumber) }
  }

  /// Returns the values of each row, in the order of the columns.
  private func cells(of record: Record) -> [[String]] {
    values(record).map { row in order.map { row[$0] } }
  }
}

extension CSVTable where Record == StoredInvoice {
  /// The table of invoices, a row for each.
  public static var invoices: CSVTable {
    CSVTable(
      published: """
        account id number type status rawStatus contactID contactName contactEmail currency
        issueDate dueDate updatedAt subtotal totalTax total amountPaid amountCredited amountDue
        reference deletedAt deletedReason contactTaxNumber orderNumber periodStart periodEnd version
        lineTotal allowanceTotal chargeTotal roundingAmount linesIncludeTax
        """,
      CSVField.all(of: Invoice.self) + CSVField.texts("account", "deletedAt", "deletedReason")
    ) {
      [
        CSVValues.of($0.invoice) + [
          $0.account, $0.deletedAt?.description ?? "", $0.deletedReason ?? "",
        ]
      ]
    }
  }

  /// The table of lines: a row for each line of an invoice, or one without values of a line if the
  /// invoice has none.
  public static var lines: CSVTable {
    parts("line", with: ["linesIncludeTax"], \.lines)
  }

  /// The table of taxes: a row for each tax of an invoice.
  ///
  /// If the invoice states no taxes, its row has the total tax, without name and rate.
  public static var taxRates: CSVTable {
    parts("tax") { invoice in
      let stated = invoice.taxes
      let total = invoice.totalTax ?? invoice.subtotal.flatMap { invoice.total.subtracting($0) }
      guard stated.isEmpty, let total else { return stated }
      let net = invoice.subtotal ?? invoice.total.subtracting(total)
      return [TaxSubtotal(taxableAmount: net, taxAmount: total)]
    }
  }

  /// Returns a table of parts, with the columns that identify their invoice.
  ///
  /// - Parameters:
  ///   - prefix: begins the names of the part's columns.
  ///   - others: more columns of the invoice.
  private static func parts<Part: FieldListing>(
    _ prefix: String, with others: [String] = [],
    _ parts: @escaping @Sendable (Invoice) -> [Part]
  ) -> CSVTable {
    let invoices = CSVTable.invoices
    let names =
      [
        "account", "id", "number", "type", "status", "deletedAt", "contactName", "issueDate",
        "dueDate", "currency",
      ] + others
    let places = names.compactMap(invoices.columns.firstIndex(of:))
    let fields = CSVField.all(of: Part.self, prefix: prefix)
    return CSVTable(published: "", names.map { CSVField(name: $0) } + fields, needsLines: true) {
      let invoice = invoices.cells(of: $0).flatMap { row in places.map { row[$0] } }
      let rows = parts($0.invoice).map(CSVValues.of)
      return (rows.isEmpty ? [fields.map { _ in "" }] : rows).map { invoice + $0 }
    }
  }
}

extension CSVTable where Record == StoredPayment {
  /// The table of payments, a row for each.
  public static var payments: CSVTable {
    CSVTable(
      published: """
        account id date type status rawStatus contactID contactName currency amount
        unallocatedAmount method reference accountCode updatedAt version deletedAt deletedReason
        """, fields
    ) { [values(of: $0)] }
  }

  /// The table of allocations: a row for each document that a payment pays, or one without values
  /// of a document if it pays none.
  public static var allocations: CSVTable {
    let parts = CSVField.all(of: Allocation.self, prefix: "allocation")
    return CSVTable(
      published:
        "account id date type status currency amount \(parts.map(\.name).joined(separator: " "))",
      fields + parts
    ) { stored in
      let rows = stored.payment.allocations.map(CSVValues.of)
      return (rows.isEmpty ? [parts.map { _ in "" }] : rows).map { values(of: stored) + $0 }
    }
  }

  private static var fields: [CSVField] {
    CSVField.all(of: Payment.self) + CSVField.texts("account", "deletedAt", "deletedReason")
  }

  private static func values(of stored: StoredPayment) -> [String] {
    CSVValues.of(stored.payment) + [
      stored.account, stored.deletedAt?.description ?? "", stored.deletedReason ?? "",
    ]
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
      CSVField.all(of: Contact.self) + CSVField.address("address")
        + CSVField.address("deliveryAddress")
        + CSVField.texts("account", "deletedAt", "deletedReason")
        + ["invoiceCount", "receivable", "payable"].map { CSVField(name: $0, isNumber: true) }
    ) {
      [
        CSVValues.of($0.contact) + CSVValues.address($0.contact.address)
          + CSVValues.address($0.contact.deliveryAddress) + [
            $0.account, $0.deletedAt?.description ?? "", $0.deletedReason ?? "",
            $0.invoiceCount.description,
            ContactAmounts.receivable($0.balances).joined(separator: "; "),
            ContactAmounts.payable($0.balances).joined(separator: "; "),
          ]
      ]
    }
  }
}

/// A column.
private struct CSVField {
  var name: String
  /// True if the values are made of numbers that appcore has written.
  var isNumber = false

  static func texts(_ names: String...) -> [CSVField] { names.map { CSVField(name: $0) } }

  /// Returns the columns of an address, of which the lines are one text.
  static func address(_ name: String) -> [CSVField] {
    [CSVField(name: name + "Lines")] + all(of: PostalAddress.self, prefix: name)
  }

  /// Returns the columns of a record: `contactID` is the value `id` of the part `contact`.
  ///
  /// - Parameter prefix: begins each name, unless it does so already.
  static func all<Record: FieldListing>(of _: Record.Type, prefix: String = "") -> [CSVField] {
    all(of: FieldDescription.all(of: Record.self)).map { field in
      CSVField(
        name: field.name.hasPrefix(prefix) ? field.name : joined(prefix, field.name),
        isNumber: field.isNumber)
    }
  }

  private static func all(of fields: [FieldDescription]) -> [CSVField] {
    fields.flatMap { field in
      switch field.kind {
      case .part(let fields):
        field.isRequired
          ? all(of: fields).map {
            CSVField(name: joined(field.name, $0.name), isNumber: $0.isNumber)
          } : []
      case .amount, .decimal, .integer: [CSVField(name: field.name, isNumber: true)]
      default: field.isSingle ? [CSVField(name: field.name)] : []
      }
    }
  }

  private static func joined(_ first: String, _ name: String) -> String {
    first + (name == "id" ? "ID" : name.prefix(1).uppercased() + name.dropFirst())
  }
}

/// The single values of a record, and those of the parts that it always has, as texts.
private struct CSVValues {
  private var texts: [String] = []

  /// Returns the values of an address, with its lines before the others.
  static func address(_ address: PostalAddress?) -> [String] {
    [address?.lines.joined(separator: ", ") ?? ""] + of(address ?? PostalAddress())
  }

  static func of(_ record: some FieldListing) -> [String] {
    var (record, values) = (record, CSVValues())
    values.texts.reserveCapacity(36)
    record.visit(&values)
    return values.texts
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
