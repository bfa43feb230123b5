package import Models
import Storage

/// The form of a record as the row of a warehouse: names as in SQL, and the values of a part that
/// every record has, such as the contact of an invoice, as columns of the row.
package struct RowLayout: Sendable {
  /// True for each column that is written, the fields first, then the others; empty for all.
  package var keeps: [Bool] = []
  /// True to write decimals as JSON numbers instead of texts.
  package var hasNumbers = false

  package init(keeps: [Bool] = [], hasNumbers: Bool = false) {
    (self.keeps, self.hasNumbers) = (keeps, hasNumbers)
  }

  /// Returns the name of the column of a field.
  ///
  /// `meltanolabs-target-postgres` fails at each ACTIVATE_VERSION if a column is named `version`.
  package static func column(of field: FieldDescription) -> String {
    field.name == "version" ? recordVersion : field.snakeName
  }

  fileprivate static let recordVersion = "record_version"
}

/// Writes records as JSON, with the members of each object in the order of its list of fields.
///
/// ``DocumentEncoder`` makes several objects of each value, too many for a list of a million
/// records. This writes into one buffer.
///
/// With a ``RowLayout``, it writes rows for a warehouse instead of documents.
package struct RecordWriter {
  private var bytes: [UInt8] = []
  /// False to leave out lists and the parts that not every record has.
  private let isWhole: Bool
  private let row: RowLayout?
  /// True after a value, false at the beginning of an object or a list.
  private var needsComma = false
  /// The number of objects around the next value.
  private var depth = 0
  /// The number of columns of the row so far.
  private var column = 0
  /// The name of the part whose values are columns of the row.
  private var prefix: StaticString?

  init(isWhole: Bool) {
    self.isWhole = isWhole
    row = nil
  }

  package init(_ row: RowLayout) {
    isWhole = true
    self.row = row
  }

  /// Appends an object that is no record.
  package mutating func append(
    to text: inout [UInt8], _ members: (inout RecordWriter) -> Void
  ) {
    swap(&bytes, &text)
    object(members)
    swap(&bytes, &text)
  }

  /// Appends a record.
  ///
  /// - Parameter others: adds the members that are not in its list.
  package mutating func append(
    _ record: inout some FieldListing, to text: inout [UInt8],
    _ others: (inout RecordWriter) -> Void
  ) {
    append(to: &text) { writer in
      record.visit(&writer)
      others(&writer)
    }
  }

  mutating func object(_ members: (inout RecordWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    depth += 1
    members(&self)
    depth -= 1
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Adds a list, each element as a function adds it.
  mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ add: (inout RecordWriter, Element) -> Void
  ) {
    guard isKept() else { return }
    begin(name)
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements { add(&self, element) }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Adds the members that every document of a record has.
  mutating func addState(_ account: String, _ deletedAt: Timestamp?, _ reason: String?) {
    var (deletedAt, reason) = (deletedAt, reason)
    add("account", account)
    field("deletedAt", &deletedAt)
    field("deletedReason", &reason)
  }

  /// Adds what an amount due is made of.
  mutating func add(_ balance: InvoiceBalance) {
    begin("balance")
    object { writer in
      var (total, due): (ExactDecimal?, ExactDecimal?) = (balance.total, balance.due)
      writer.field("total", &total)
      writer.list("entries", balance.entries) { writer, entry in
        writer.object { writer in
          var entry = entry
          writer.add("kind", entry.kind.rawValue)
          writer.field("id", &entry.id)
          writer.field("number", &entry.number)
          writer.field("date", &entry.date)
          writer.requiredAmount("amount", &entry.amount)
        }
      }
      writer.field("due", &due)
      writer.add("unexplained", balance.unexplained.description)
    }
  }

  /// Adds a text as an element of a list.
  mutating func add(_ text: String) {
    separate()
    append(text)
  }

  /// Adds a text.
  package mutating func add(_ name: StaticString, _ text: String) {
    member(name, text) { $0.append($1) }
  }

  /// Adds a value whose JSON is known.
  mutating func add(_ name: StaticString, json: [UInt8]) {
    begin(name)
    bytes += json
    needsComma = true
  }

  /// Begins a member: its value is next.
  private mutating func begin(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    if row == nil { raw(name) } else { appendColumn(name) }
    // One byte at a time takes half as long as both together.
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Appends the name of a column, as ``RowLayout/column(of:)`` has it.
  private mutating func appendColumn(_ name: StaticString) {
    if depth == 1, let prefix {
      appendSnake(prefix)
      bytes.append(UInt8(ascii: "_"))
    }
    if depth == 1, prefix == nil, name.utf8CodeUnitCount == 7, name.description == "version" {
      bytes += RowLayout.recordVersion.utf8
    } else {
      appendSnake(name)
    }
  }

  private mutating func appendSnake(_ name: StaticString) {
    var followsCapital = false
    for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isCapital, !followsCapital { bytes.append(UInt8(ascii: "_")) }
      bytes.append(isCapital ? byte | 0x20 : byte)
      followsCapital = isCapital
    }
  }

  /// Returns false for a column that the row leaves out.
  private mutating func isKept() -> Bool {
    guard let row, depth == 1 else { return true }
    defer { column += 1 }
    return row.keeps.isEmpty || row.keeps[column]
  }

  /// Separates a value from the one before it.
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Appends JSON that stands in the source.
  private mutating func raw(_ json: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String) {
    var text = text
    appendQuoted { bytes in text.withUTF8 { DocumentText.appendEscaped($0, to: &bytes) } }
  }

  private mutating func append(_ number: ExactDecimal) {
    guard row?.hasNumbers != true else { return number.appendText(to: &bytes) }
    appendQuoted { number.appendText(to: &$0) }
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
    guard isKept() else { return }
    begin(name)
    if let value { append(&self, value) } else { raw("null") }
    needsComma = true
  }
}

extension RecordWriter: FieldVisitor {
  package mutating func identifier(_ name: StaticString, _ value: inout String) {
    required(name, &value)
  }
  package mutating func field(_ name: StaticString, _ value: inout String?) {
    member(name, value) { $0.append($1) }
  }
  package mutating func field(_ name: StaticString, _ value: inout Bool?) {
    member(name, value) { $0.raw($1 ? "true" : "false") }
  }
  package mutating func field(_ name: StaticString, _ value: inout Int64?) {
    member(name, value) { $0.bytes.append(contentsOf: DocumentText.text($1)) }
  }
  package mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) {
    member(name, value) { $0.append($1) }
  }
  package mutating func field(_ name: StaticString, _ value: inout CalendarDate?) {
    member(name, value) { writer, date in writer.appendQuoted { date.appendText(to: &$0) } }
  }
  package mutating func field(_ name: StaticString, _ value: inout Timestamp?) {
    member(name, value) { writer, instant in writer.appendQuoted { instant.appendText(to: &$0) } }
  }
  package mutating func field(_ name: StaticString, _ value: inout Currency?) {
    member(name, value) { $0.append($1.code) }
  }
  package mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) {
    field(name, &value)
  }
  package mutating func required(_ name: StaticString, _ value: inout String) {
    member(name, value) { $0.append($1) }
  }
  package mutating func required(_ name: StaticString, _ value: inout Bool) {
    member(name, value) { $0.raw($1 ? "true" : "false") }
  }
  package mutating func required(_ name: StaticString, _ value: inout Currency) {
    member(name, value) { $0.append($1.code) }
  }
  package mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) {
    member(name, value) { $0.append($1.rawValue) }
  }
  package mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) {
    member(name, value) { $0.append($1) }
  }
  package mutating func texts(_ name: StaticString, _ value: inout [String]) {
    list(name, value) { $0.add($1) }
  }
  package mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    if row != nil, depth == 1 {
      prefix = name
      value.visit(&self)
      prefix = nil
      return
    }
    begin(name)
    object { value.visit(&$0) }
  }
  package mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    guard isWhole else { return }
    member(name, value) { writer, part in
      var part = part
      writer.object { part.visit(&$0) }
    }
  }
  package mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element])
  {
    guard isWhole else { return }
    // A copy of each element: to change one in its place would copy the array, which is shared.
    list(name, value) { writer, element in
      var element = element
      writer.object { element.visit(&$0) }
    }
  }
}
