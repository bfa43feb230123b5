import Models
package import Storage

/// An invoice as JSON, with everything that is stored: amounts as strings, absent values as `null`.
package struct InvoiceDocument: Encodable {
  private let stored: StoredInvoice

  package init(_ stored: StoredInvoice) { self.stored = stored }

  /// Appends the JSON of an invoice.
  ///
  /// - Parameter withLines: false to leave out lists, the own party and addresses.
  package static func append(
    _ stored: StoredInvoice, withLines: Bool, to bytes: inout [UInt8]
  ) {
    var invoice = stored.invoice
    var writer = RecordWriter(isWhole: withLines)
    if withLines { invoice.taxBreakdown = invoice.taxes }
    writer.append(&invoice, to: &bytes) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
      if let change = stored.change { writer.add("change", change.rawValue) }
      guard withLines else { return }
      writer.list("arithmetic", stored.invoice.arithmeticFindings) { $0.add($1.description) }
      if let balance = stored.balance { writer.add(balance) }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var json: [UInt8] = []
    Self.append(stored, withLines: true, to: &json)
    try encoder.encodeJSON(json)
  }
}

/// A payment as JSON, with the documents that it pays; absent values are `null`.
package struct PaymentDocument: Encodable {
  private let stored: StoredPayment

  package init(_ stored: StoredPayment) { self.stored = stored }

  /// Appends the JSON of a payment.
  package static func append(_ stored: StoredPayment, to bytes: inout [UInt8]) {
    var payment = stored.payment
    var writer = RecordWriter(isWhole: true)
    writer.append(&payment, to: &bytes) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var json: [UInt8] = []
    Self.append(stored, to: &json)
    try encoder.encodeJSON(json)
  }
}

/// A contact as JSON, with what its invoices amount to; absent values are `null`.
package struct ContactDocument: Encodable {
  private let stored: StoredContact

  package init(_ stored: StoredContact) { self.stored = stored }

  /// Appends the JSON of a contact.
  package static func append(_ stored: StoredContact, to bytes: inout [UInt8]) {
    var contact = stored.contact
    var writer = RecordWriter(isWhole: true)
    writer.append(&contact, to: &bytes) { writer in
      writer.addState(stored.account, stored.deletedAt, stored.deletedReason)
      var count: Int64? = Int64(stored.invoiceCount)
      writer.field("invoiceCount", &count)
      writer.list("balances", stored.balances) { writer, balance in
        writer.object { writer in
          writer.add("currency", balance.currency.code)
          writer.add("payable", balance.payable.description)
          writer.add("receivable", balance.receivable.description)
        }
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var json: [UInt8] = []
    Self.append(stored, to: &json)
    try encoder.encodeJSON(json)
  }
}

/// The document that `appcore invoices show` prints.
package struct InvoiceShowDocument: Encodable {
  let schemaVersion = 1
  let invoice: InvoiceDocument

  package init(_ stored: StoredInvoice) { invoice = InvoiceDocument(stored) }
}

/// The document that `appcore payments show` prints.
package struct PaymentShowDocument: Encodable {
  let schemaVersion = 1
  let payment: PaymentDocument

  package init(_ stored: StoredPayment) { payment = PaymentDocument(stored) }
}

/// The document that `appcore contacts show` prints.
package struct ContactShowDocument: Encodable {
  let schemaVersion = 1
  let contact: ContactDocument

  package init(_ stored: StoredContact) { contact = ContactDocument(stored) }
}

/// Writes records as JSON, with the members of each object in the order of its list of fields.
///
/// ``DocumentEncoder`` makes several objects of each value, too many for a list of a million
/// records. This writes into one buffer.
private struct RecordWriter {
  private var bytes: [UInt8] = []
  /// False to leave out lists and the parts that not every record has.
  private let isWhole: Bool
  /// True after a value, false at the beginning of an object or a list.
  private var needsComma = false

  init(isWhole: Bool) { self.isWhole = isWhole }

  /// Appends a record.
  ///
  /// - Parameter others: adds the members that are not in its list.
  mutating func append(
    _ record: inout some FieldListing, to text: inout [UInt8],
    _ others: (inout RecordWriter) -> Void
  ) {
    swap(&bytes, &text)
    object { writer in
      record.visit(&writer)
      others(&writer)
    }
    swap(&bytes, &text)
  }

  mutating func object(_ members: (inout RecordWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Adds a list, each element as a function adds it.
  mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ add: (inout RecordWriter, Element) -> Void
  ) {
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
  mutating func add(_ name: StaticString, _ text: String) { member(name, text) { $0.append($1) } }

  /// Begins a member: its value is next.
  private mutating func begin(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    raw(name)
    // One byte at a time takes half as long as both together.
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
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

  private mutating func appendQuoted(_ write: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "\""))
    write(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private mutating func member<Value>(
    _ name: StaticString, _ value: Value?, _ append: (inout RecordWriter, Value) -> Void
  ) {
    begin(name)
    if let value { append(&self, value) } else { raw("null") }
    needsComma = true
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
  mutating func field(_ name: StaticString, _ value: inout Currency?) {
    member(name, value) { $0.append($1.code) }
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
    list(name, value) { $0.add($1) }
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    begin(name)
    object { value.visit(&$0) }
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    guard isWhole else { return }
    member(name, value) { writer, part in
      var part = part
      writer.object { part.visit(&$0) }
    }
  }
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {
    guard isWhole else { return }
    // A copy of each element: to change one in its place would copy the array, which is shared.
    list(name, value) { writer, element in
      var element = element
      writer.object { element.visit(&$0) }
    }
  }
}
