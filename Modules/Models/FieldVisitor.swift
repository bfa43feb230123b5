/// A record that lists its fields once, for whatever has to know all of them: columns, JSON, CSV,
/// comparisons, descriptions of APIs, guides.
///
/// The order is that of the columns in the database, from which the fingerprints of stored rows
/// are computed: add a field at the end of the list.
@usableFromInline
package protocol FieldListing: Equatable, Sendable {
  /// A record without values.
  static var blank: Self { get }

  /// Calls the visitor with each field, which it may read or replace.
  ///
  /// It is `@inlinable` so that it is compiled for each visitor: as a generic function it takes
  /// three times as long.
  mutating func visit<Visitor: FieldVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure)
}

/// Something that is done with every field of a record.
///
/// A visitor knows kinds of values, and the names only as text. What is special about one field
/// stands beside the visitor.
@usableFromInline
package protocol FieldVisitor {
  associatedtype Failure: Error = Never

  /// The provider's identifier of a record that is synced.
  mutating func identifier(_ name: StaticString, _ value: inout String) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout String?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout Bool?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout Int64?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout CalendarDate?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout Timestamp?) throws(Failure)
  /// The currency of the amounts after it, if another one than the record's can be theirs.
  mutating func field(_ name: StaticString, _ value: inout Currency?) throws(Failure)
  /// A number in the currency of the record.
  mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) throws(Failure)

  mutating func required(_ name: StaticString, _ value: inout String) throws(Failure)
  mutating func required(_ name: StaticString, _ value: inout Bool) throws(Failure)
  mutating func required(_ name: StaticString, _ value: inout Currency) throws(Failure)
  /// One of appcore's words.
  mutating func required<Word: FieldWord>(
    _ name: StaticString, _ value: inout Word
  ) throws(Failure)
  mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) throws(Failure)

  /// Texts that belong together, such as the lines of an address.
  mutating func texts(_ name: StaticString, _ value: inout [String]) throws(Failure)
  mutating func part<Part: FieldListing>(
    _ name: StaticString, _ value: inout Part
  ) throws(Failure)
  mutating func part<Part: FieldListing>(
    _ name: StaticString, _ value: inout Part?
  ) throws(Failure)
  mutating func list<Element: FieldListing>(
    _ name: StaticString, _ value: inout [Element]
  ) throws(Failure)
}

/// A visitor that reads the single values of a record as texts.
package protocol TextVisitor: FieldVisitor where Failure == Never {
  mutating func add(_ name: StaticString, _ text: @autoclosure () -> String?)
}

extension TextVisitor {
  package mutating func identifier(_ name: StaticString, _ value: inout String) {
    add(name, value)
  }
  package mutating func field(_ name: StaticString, _ value: inout String?) { add(name, value) }
  package mutating func field(_ name: StaticString, _ value: inout Bool?) {
    add(name, value?.description)
  }
  package mutating func field(_ name: StaticString, _ value: inout Int64?) {
    add(name, value?.description)
  }
  package mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) {
    add(name, value?.description)
  }
  package mutating func field(_ name: StaticString, _ value: inout CalendarDate?) {
    add(name, value?.description)
  }
  package mutating func field(_ name: StaticString, _ value: inout Timestamp?) {
    add(name, value?.description)
  }
  package mutating func field(_ name: StaticString, _ value: inout Currency?) {
    add(name, value?.code)
  }
  package mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) {
    add(name, value?.description)
  }
  package mutating func required(_ name: StaticString, _ value: inout String) { add(name, value) }
  package mutating func required(_ name: StaticString, _ value: inout Bool) {
    add(name, value.description)
  }
  package mutating func required(_ name: StaticString, _ value: inout Currency) {
    add(name, value.code)
  }
  package mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) {
    add(name, value.rawValue)
  }
  package mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) {
    add(name, value.description)
  }
}

/// A set of words that all providers share.
@usableFromInline
package protocol FieldWord: RawRepresentable<String>, CaseIterable, Sendable {
  /// The word for one of the provider's that is unknown to this version; `nil` if such a record is
  /// unreadable.
  static var unheard: Self? { get }
}

extension InvoiceType: FieldWord {
  @usableFromInline package static var unheard: InvoiceType? { nil }
}

extension InvoiceStatus: FieldWord {
  @usableFromInline package static var unheard: InvoiceStatus? { .unknown }
}

extension PaymentType: FieldWord {
  @usableFromInline package static var unheard: PaymentType? { nil }
}

extension PaymentStatus: FieldWord {
  @usableFromInline package static var unheard: PaymentStatus? { .unknown }
}

extension ContactStatus: FieldWord {
  @usableFromInline package static var unheard: ContactStatus? { .unknown }
}

/// The description of a field, for tables and texts that are made once.
package struct FieldDescription: Sendable {
  /// The kind of a field's value.
  package enum Kind: Sendable {
    case identifier, text, flag, integer, decimal, amount, day, instant, currency, texts
    /// One of the words; `unheard` stands for any other.
    case word([String], unheard: String?)
    case part([FieldDescription])
    case list([FieldDescription])
  }

  /// The name of the property.
  package let name: String
  package let kind: Kind
  /// True if every record has a value.
  package let isRequired: Bool

  /// Returns the fields of a record, in their order.
  package static func all<Record: FieldListing>(of record: Record.Type) -> [FieldDescription] {
    var visitor = FieldDescriber()
    var blank = Record.blank
    blank.visit(&visitor)
    return visitor.fields
  }

  package init(name: String, kind: Kind, isRequired: Bool) {
    (self.name, self.kind, self.isRequired) = (name, kind, isRequired)
  }

  /// The name in the way of SQL and Python, such as `tax_number` and
  /// `contact_id`.
  package var snakeName: String {
    var (text, followsCapital) = ("", false)
    for letter in name {
      text +=
        letter.isUppercase && !followsCapital ? "_" + letter.lowercased() : letter.lowercased()
      followsCapital = letter.isUppercase
    }
    return text
  }

  /// The fields of a part or of the elements of a list; empty for a single value.
  package var fields: [FieldDescription] {
    switch kind {
    case .part(let fields), .list(let fields): fields
    default: []
    }
  }

  /// True unless the field is a list or a part of several values.
  package var isSingle: Bool {
    switch kind {
    case .part, .list, .texts: false
    default: true
    }
  }
}

private struct FieldDescriber: FieldVisitor {
  var fields: [FieldDescription] = []

  private mutating func add(
    _ name: StaticString, _ kind: FieldDescription.Kind, isRequired: Bool = false
  ) {
    fields.append(FieldDescription(name: "\(name)", kind: kind, isRequired: isRequired))
  }

  mutating func identifier(_ name: StaticString, _ value: inout String) {
    add(name, .identifier, isRequired: true)
  }
  mutating func field(_ name: StaticString, _ value: inout String?) { add(name, .text) }
  mutating func field(_ name: StaticString, _ value: inout Bool?) { add(name, .flag) }
  mutating func field(_ name: StaticString, _ value: inout Int64?) { add(name, .integer) }
  mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) { add(name, .decimal) }
  mutating func field(_ name: StaticString, _ value: inout CalendarDate?) { add(name, .day) }
  mutating func field(_ name: StaticString, _ value: inout Timestamp?) { add(name, .instant) }
  mutating func field(_ name: StaticString, _ value: inout Currency?) { add(name, .currency) }
  mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) { add(name, .amount) }
  mutating func required(_ name: StaticString, _ value: inout String) {
    add(name, .text, isRequired: true)
  }
  mutating func required(_ name: StaticString, _ value: inout Bool) {
    add(name, .flag, isRequired: true)
  }
  mutating func required(_ name: StaticString, _ value: inout Currency) {
    add(name, .currency, isRequired: true)
  }
  mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) {
    add(
      name, .word(Word.allCases.map(\.rawValue), unheard: Word.unheard?.rawValue),
      isRequired: true)
  }
  mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) {
    add(name, .amount, isRequired: true)
  }
  mutating func texts(_ name: StaticString, _ value: inout [String]) {
    add(name, .texts, isRequired: true)
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    add(name, .part(FieldDescription.all(of: Part.self)), isRequired: true)
  }
  mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    add(name, .part(FieldDescription.all(of: Part.self)))
  }
  mutating func list<Element: FieldListing>(_ name: StaticString, _ value: inout [Element]) {
    add(name, .list(FieldDescription.all(of: Element.self)), isRequired: true)
  }
}
