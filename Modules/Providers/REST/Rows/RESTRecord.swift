package import Models
package import Storage
import Sync

/// A kind of record that a description can be written for.
package protocol RESTRecord: SyncedRecord, Equatable {
  /// Creates a record from a row.
  init(_ row: RESTRow) throws(RESTRowError)

  /// Time of the provider's last change.
  var updatedAt: Timestamp? { get }
}

extension Invoice: RESTRecord {
  /// Creates an invoice from a row.
  package init(_ row: RESTRow) throws(RESTRowError) {
    let currency: Currency = try row.required(.currency, row.currency(.currency))
    self = try row.record(RESTSchema.invoices.slots, in: currency)
    rawStatus = try row.rawWord(.status)
    lines = try row.records("lines", in: currency)
    allowancesAndCharges = try row.records("allowances", in: currency)
    var charges: [AllowanceCharge] = try row.records("charges", in: currency)
    for index in charges.indices { charges[index].isCharge = true }
    allowancesAndCharges += charges
    taxBreakdown = try row.records("taxes", in: currency)
    payments = try row.records("payments", in: currency)
    attachments = try row.records("attachments", in: currency)
    allocations = try row.records("allocations", in: currency)
    customFields = try row.records("customFields", in: currency)
    settleAboveZero()
    settle()
  }

  /// Turns what a credit note below zero settles: it is above zero in records, as of any other.
  private mutating func settleAboveZero() {
    guard total.isNegative, type == .creditNote || type == .billCredit else { return }
    for index in allocations.indices where allocations[index].amount.isNegative {
      allocations[index].amount = allocations[index].amount.negated
    }
  }

  /// Adds what is due, if the provider states only what was paid or credited, and what was paid of
  /// a paid invoice, if it states only the payments.
  ///
  /// Otherwise the store computes both for an unpaid invoice: other lists may settle it too.
  private mutating func settle() {
    if amountPaid == nil, !payments.isEmpty, status != .open, status != .partiallyPaid {
      amountPaid = ExactDecimal.sum(payments.map(\.amount))
    }
    amountDue = amountDue ?? rest(without: amountPaid, amountCredited)
  }

  /// Returns the total without what was paid and credited; `nil` if neither is known, or if the
  /// invoice asks nobody for money.
  private func rest(without paid: ExactDecimal?, _ credited: ExactDecimal?) -> ExactDecimal? {
    guard [.open, .partiallyPaid, .paid].contains(status), paid != nil || credited != nil,
      let rest = total.subtracting(paid ?? .zero)?.subtracting(credited ?? .zero)
    else { return nil }
    // Credit notes of another list have settled the rest of a paid one.
    let isCredited = status == .paid && !rest.isZero && rest.isNegative == total.isNegative
    return isCredited ? nil : rest
  }
}

extension Payment: RESTRecord {
  /// Creates a payment from a row.
  ///
  /// A list without a status holds payments that have been made.
  package init(_ row: RESTRow) throws(RESTRowError) {
    let currency: Currency = try row.required(.currency, row.currency(.currency))
    self = try row.record(RESTSchema.payments.slots, in: currency)
    rawStatus = try row.rawWord(.status)
    if rawStatus.isEmpty { status = .completed }
    allocations = try row.records("allocations", in: currency)
    if type.isRefund, amount.isNegative { turn() }
  }

  /// Turns the amounts of a refund below zero: the type says that the money came back.
  private mutating func turn() {
    amount = amount.negated
    unallocatedAmount = unallocatedAmount?.negated
    for index in allocations.indices {
      allocations[index].amount = allocations[index].amount.negated
    }
  }
}

extension Contact: RESTRecord {
  /// Creates a contact from a row.
  package init(_ row: RESTRow) throws(RESTRowError) {
    self = try row.record(RESTSchema.contacts.slots, in: nil)
    rawStatus = try row.rawWord(.status)
  }
}

extension RESTRow {
  fileprivate func record<Record: FieldListing>(
    _ slots: [RESTSchema.Slot?], in currency: Currency?
  ) throws(RESTRowError) -> Record {
    var reader = RESTRecordReader(row: self, slots: slots, currency: currency)
    var record = Record.blank
    try record.visit(&reader)
    return record
  }

  fileprivate func records<Element: FieldListing>(
    _ name: String, in currency: Currency
  ) throws(RESTRowError) -> [Element] {
    guard let list = plan[list: name] else { return [] }
    return try self.list(name) { row throws(RESTRowError) in
      try row.record(list.slots, in: currency)
    }
  }
}

/// Reads the fields of a record from a row, each by its definition.
private struct RESTRecordReader: FieldVisitor {
  typealias Failure = RESTRowError

  let row: RESTRow
  /// The fields in the order of the record's list; `nil` for one that no description has, which
  /// keeps its value.
  let slots: [RESTSchema.Slot?]
  /// The currency of amounts: the record's, or that of the part that is being read.
  private var currency: Currency?
  private var next = 0
  /// The number of fields so far that this description has.
  private var described = 0

  init(row: RESTRow, slots: [RESTSchema.Slot?], currency: Currency?) {
    (self.row, self.slots, self.currency) = (row, slots, currency)
  }

  /// Returns the next field, if it has to be read.
  private mutating func slot() -> RESTSchema.Slot? {
    defer { next += 1 }
    guard let slot = slots[next] else { return nil }
    // Most descriptions have a fifth of the fields.
    if row.plan.describes(slot.field) {
      described += 1
      return slot
    }
    return slot.isRequired ? slot : nil
  }

  private mutating func read<Value>(
    _ value: inout Value?, _ read: (RESTRow, RESTName) throws(RESTRowError) -> Value?
  ) throws(RESTRowError) {
    guard let slot = slot() else { return }
    value = try read(row, slot.field)
  }

  private mutating func require<Value>(
    _ value: inout Value, _ read: (RESTRow, RESTName) throws(RESTRowError) -> Value?
  ) throws(RESTRowError) {
    guard let slot = slot() else { return }
    if let found = try read(row, slot.field) {
      value = found
    } else if slot.isRequired {
      throw row.error(slot.field, "missing")
    }
  }

  mutating func identifier(_ name: StaticString, _ value: inout String) throws(RESTRowError) {
    try required(name, &value)
  }
  mutating func field(_ name: StaticString, _ value: inout String?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.text(name) }
  }
  mutating func field(_ name: StaticString, _ value: inout Bool?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.boolean(name) }
  }
  mutating func field(_ name: StaticString, _ value: inout Int64?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.integer(name) }
  }
  mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.decimal(name) }
  }
  mutating func field(_ name: StaticString, _ value: inout CalendarDate?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.day(name) }
  }
  mutating func field(_ name: StaticString, _ value: inout Timestamp?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.instant(name) }
  }
  mutating func field(_ name: StaticString, _ value: inout Currency?) throws(RESTRowError) {
    try read(&value) { row, name throws(RESTRowError) in try row.currency(name) }
    currency = value ?? currency
  }
  mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) throws(RESTRowError) {
    try read(&value) { [currency] row, name throws(RESTRowError) in
      try row.money(name, in: currency)
    }
  }
  mutating func required(_ name: StaticString, _ value: inout String) throws(RESTRowError) {
    try require(&value) { row, name throws(RESTRowError) in try row.text(name) }
  }
  mutating func required(_ name: StaticString, _ value: inout Bool) throws(RESTRowError) {
    try require(&value) { row, name throws(RESTRowError) in try row.boolean(name) }
  }
  mutating func required(_ name: StaticString, _ value: inout Currency) throws(RESTRowError) {
    try require(&value) { row, name throws(RESTRowError) in try row.currency(name) }
  }
  mutating func required<Word: FieldWord>(
    _ name: StaticString, _ value: inout Word
  ) throws(RESTRowError) {
    try require(&value) { row, name throws(RESTRowError) in
      try row.word(name, unknown: Word.unheard)
    }
  }
  mutating func requiredAmount(
    _ name: StaticString, _ value: inout ExactDecimal
  ) throws(RESTRowError) {
    try require(&value) { [currency] row, name throws(RESTRowError) in
      try row.money(name, in: currency)
    }
  }

  /// Reads the lines of an address, each of which may have several.
  mutating func texts(_ name: StaticString, _ value: inout [String]) throws(RESTRowError) {
    for _ in 0..<RESTSchema.addressLines {
      guard let slot = slot(), let text = try row.text(slot.field) else { continue }
      value += text.split(whereSeparator: \.isNewline).map(String.init)
    }
  }

  mutating func part<Part: FieldListing>(
    _ name: StaticString, _ value: inout Part
  ) throws(RESTRowError) {
    let outer = currency
    defer { currency = outer }
    try value.visit(&self)
  }
  mutating func part<Part: FieldListing>(
    _ name: StaticString, _ value: inout Part?
  ) throws(RESTRowError) {
    let before = described
    var found = Part.blank
    try part(name, &found)
    value = described == before || found == Part.blank ? nil : found
  }
  mutating func list<Element: FieldListing>(
    _ name: StaticString, _ value: inout [Element]
  ) {}
}
