import Models
package import Storage

/// An invoice as JSON, with everything that is stored: amounts as strings, absent values as `null`.
package struct InvoiceDocument: Encodable {
  package let json: [UInt8]

  /// - Parameter withLines: false to leave out lists, the own party and addresses.
  package init(_ stored: StoredInvoice, withLines: Bool = true) {
    var invoice = stored.invoice
    var writer = RecordWriter(isWhole: withLines)
    if withLines { invoice.taxBreakdown = invoice.taxes }
    writer.write(&invoice) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
      writer.add("arithmetic") { writer in
        guard withLines else { return false }
        writer.append(stored.invoice.arithmeticFindings) { $0.append($1.description) }
        return true
      }
    }
    json = writer.bytes
  }

  package func encode(to encoder: any Encoder) throws { try encoder.encodeJSON(json) }
}

/// A contact as JSON, with what its invoices amount to; absent values are `null`.
package struct ContactDocument: Encodable {
  package let json: [UInt8]

  package init(_ stored: StoredContact) {
    var contact = stored.contact
    var writer = RecordWriter(isWhole: true)
    writer.write(&contact) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
      var count: Int64? = Int64(stored.invoiceCount)
      writer.field("invoiceCount", &count)
      writer.add("balances") { writer in
        writer.append(stored.balances) { writer, balance in
          writer.raw(#"{"currency":"#)
          writer.append(balance.currency.code)
          writer.raw(#","payable":"#)
          writer.append(balance.payable.description)
          writer.raw(#","receivable":"#)
          writer.append(balance.receivable.description)
          writer.raw("}")
        }
        return true
      }
    }
    json = writer.bytes
  }

  package func encode(to encoder: any Encoder) throws { try encoder.encodeJSON(json) }
}

/// The document that `appcore invoices show` prints.
package struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument

  package init(_ stored: StoredInvoice) { invoice = InvoiceDocument(stored) }
}

/// The document that `appcore contacts show` prints.
package struct ContactShowDocument: Encodable {
  let schemaVersion = 1
  let contact: ContactDocument

  package init(_ stored: StoredContact) { contact = ContactDocument(stored) }
}

/// Writes records as JSON, with the members of each object in the order of their names, as
/// ``DocumentEncoder`` sorts them.
///
/// ``DocumentEncoder`` makes several objects of each value, too many for a list of a million
/// records. This writes members into one buffer as the record lists them, and then moves them into
/// their order.
private struct RecordWriter {
  private(set) var bytes: [UInt8] = []
  /// The ends of the members of the objects that are not complete.
  private var ends: [Int] = []
  private var sorted: [UInt8] = []
  /// False to leave out lists and the parts that not every record has.
  private let isWhole: Bool

  init(isWhole: Bool) {
    self.isWhole = isWhole
    bytes.reserveCapacity(isWhole ? 4_096 : 1_536)
  }

  /// Writes a whole record.
  ///
  /// - Parameter others: adds the members of ``MemberOrder/others``, in their order.
  mutating func write<Record: FieldListing>(
    _ record: inout Record, _ others: (inout RecordWriter) -> Void
  ) {
    write(&record, MemberOrder.all[ObjectIdentifier(Record.self)] ?? [], others)
  }

  private mutating func write(
    _ record: inout some FieldListing, _ order: [Int], _ others: (inout RecordWriter) -> Void
  ) {
    raw("{")
    let (start, first) = (bytes.count, ends.count)
    record.visit(&self)
    others(&self)
    sorted.removeAll(keepingCapacity: true)
    for member in order {
      let from = member == 0 ? start : ends[first + member - 1]
      // A member that is left out has no bytes.
      guard from < ends[first + member] else { continue }
      if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
      sorted.append(contentsOf: bytes[from..<ends[first + member]])
    }
    bytes.removeLast(bytes.count - start)
    bytes.append(contentsOf: sorted)
    ends.removeLast(ends.count - first)
    raw("}")
  }

  /// Adds a member, unless `value` returns false because there is none.
  @inline(__always)
  mutating func add(_ name: StaticString, _ value: (inout RecordWriter) -> Bool) {
    let start = bytes.count
    raw("\"")
    raw(name)
    raw("\":")
    if !value(&self) { bytes.removeLast(bytes.count - start) }
    ends.append(bytes.count)
  }

  /// The members that every document of a record has.
  mutating func addState(_ account: String, _ deletedAt: Timestamp?, _ reason: String?) {
    var (account, deletedAt, reason) = (account, deletedAt, reason)
    required("account", &account)
    field("deletedAt", &deletedAt)
    field("deletedReason", &reason)
  }

  /// Appends JSON that stands in the source.
  mutating func raw(_ json: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    appendQuoted { bytes in text.withUTF8 { DocumentText.appendEscaped($0, to: &bytes) } }
  }

  /// Appends a list, each element as a function appends it.
  mutating func append<Element>(
    _ elements: [Element], _ add: (inout RecordWriter, Element) -> Void
  ) {
    raw("[")
    for index in elements.indices {
      if index > 0 { raw(",") }
      add(&self, elements[index])
    }
    raw("]")
  }

  private mutating func appendQuoted(_ write: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    write(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private mutating func member<Value>(
    _ name: StaticString, _ value: Value?, _ append: (inout RecordWriter, Value) -> Void
  ) {
    add(name) { writer in
      if let value { append(&writer, value) } else { writer.raw("null") }
      return true
    }
  }
}

extension RecordWriter: FieldVisitor {
  mutating func identifier(_ name: StaticString, _ value: inout String) {
    required(name, &value)
  }
  mutating func field(_ name: StaticString, _ value: inout String?) {
    member(name, value) { $0.append($1) }
  }
  mutating func field(_ name: StaticString, _ value: inout Bool?) {
    member(name, value) { $0.raw($1 ? "true" : "false") }
  }
  mutating func field(_ name: StaticString, _ value: inout Int64?) {
    member(name, value) { $0.bytes.append(contentsOf: DocumentText.text($1)) }
  }
  mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) {
    member(name, value) { writer, number in writer.appendQuoted { number.appendText(to: &$0) } }
  }
  mutating func field(_ name: StaticString, _ value: inout CalendarDate?) {
    member(name, value) { writer, date in writer.appendQuoted { date.appendText(to: &$0) } }
  }
  mutating func field(_ name: StaticString, _ value: inout Timestamp?) {
    member(name, value) { writer, instant in writer.appendQuoted { instant.appendText(to: &$0) } }
  }
  mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) {
    field(name, &value)
  }
  mutating func required(_ name: StaticString, _ value: inout String) {
    member(name, value) { $0.append($1) }
  }
  mutating func required(_ name: StaticString, _ value: inout Bool) {
    member(name, value) { $0.raw($1 ? "true" : "false") }
  }
  mutating func required(_ name: StaticString, _ value: inout Currency) {
    member(name, value) { $0.append($1.code) }
  }
  mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) {
    member(name, value) { $0.append($1.rawValue) }
  }
  mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) {
    member(name, value) { writer, number in writer.appendQuoted { number.appendText(to: &$0) } }
  }
  mutating func texts(_ name: StaticString, _ value: inout [String]) {
    member(name, value) { writer, texts in writer.append(texts) { $0.append($1) } }
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    add(name) { writer in
      writer.write(&value) { _ in }
      return true
    }
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    add(name) { writer in
      guard writer.isWhole else { return false }
      if var part = value { writer.write(&part) { _ in } } else { writer.raw("null") }
      return true
    }
  }
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {
    add(name) { writer in
      guard writer.isWhole else { return false }
      let order = MemberOrder.all[ObjectIdentifier(Element.self)] ?? []
      writer.raw("[")
      for index in value.indices {
        if index > 0 { writer.raw(",") }
        writer.write(&value[index], order) { _ in }
      }
      writer.raw("]")
      return true
    }
  }
}

/// The order in which the members of each record and its parts stand in JSON, as their positions
/// in the record's list.
private struct MemberOrder: TextVisitor {
  static let all: [ObjectIdentifier: [Int]] = {
    var order = MemberOrder()
    order.add(Invoice.self, others: others + ["arithmetic"])
    order.add(Contact.self, others: others + ["invoiceCount", "balances"])
    return order.found
  }()

  private static let others = ["account", "deletedAt", "deletedReason"]

  private var found: [ObjectIdentifier: [Int]] = [:]

  private mutating func add<Record: FieldListing>(_: Record.Type, others: [String] = []) {
    let names = FieldDescription.all(of: Record.self).map(\.name) + others
    found[ObjectIdentifier(Record.self)] = names.indices.sorted { names[$0] < names[$1] }
    var blank = Record.blank
    blank.visit(&self)
  }

  mutating func add(_ name: StaticString, _ text: @autoclosure () -> String?) {}
  mutating func texts(_ name: StaticString, _ value: inout [String]) {}
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    add(Part.self)
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    add(Part.self)
  }
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {
    add(Element.self)
  }
}
