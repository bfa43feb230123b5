package import Models

/// Fills every field of a record, each with another value, so that a field that is lost or mixed
/// up with another one is noticed.
package struct SampleFields: FieldVisitor {
  private var count: Int64 = 0

  package init() {}

  /// Returns a record without an empty field.
  package static func record<Record: FieldListing>() -> Record {
    var (record, fields) = (Record.blank, SampleFields())
    record.visit(&fields)
    return record
  }

  private mutating func next() -> Int64 {
    count += 1
    return count
  }

  private mutating func text(_ name: StaticString) -> String { "\(name) \(next())" }

  private mutating func number() -> ExactDecimal {
    ExactDecimal(coefficient: Int128(1_000 + next()), scale: 2) ?? .zero
  }

  package mutating func identifier(_ name: StaticString, _ value: inout String) {
    value = text(name)
  }
  package mutating func field(_ name: StaticString, _ value: inout String?) { value = text(name) }
  package mutating func field(_ name: StaticString, _ value: inout Bool?) { value = true }
  package mutating func field(_ name: StaticString, _ value: inout Int64?) { value = next() }
  package mutating func field(_ name: StaticString, _ value: inout ExactDecimal?) {
    value = number()
  }
  package mutating func field(_ name: StaticString, _ value: inout CalendarDate?) {
    value = CalendarDate(daysSinceEpoch: Int(19_000 + next()))
  }
  package mutating func field(_ name: StaticString, _ value: inout Timestamp?) {
    value = Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000 + next())
  }
  package mutating func field(_ name: StaticString, _ value: inout Currency?) {
    value = Currency(code: "EUR")
  }
  package mutating func amount(_ name: StaticString, _ value: inout ExactDecimal?) {
    value = number()
  }
  package mutating func required(_ name: StaticString, _ value: inout String) {
    value = text(name)
  }
  package mutating func required(_ name: StaticString, _ value: inout Bool) { value = true }
  package mutating func required(_ name: StaticString, _ value: inout Currency) {
    value = Currency(code: "TND") ?? value
  }
  package mutating func required<Word: FieldWord>(_ name: StaticString, _ value: inout Word) {
    value = Word.allCases.first ?? value
  }
  package mutating func requiredAmount(_ name: StaticString, _ value: inout ExactDecimal) {
    value = number()
  }
  package mutating func texts(_ name: StaticString, _ value: inout [String]) {
    value = [text(name), text(name)]
  }
  package mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part) {
    value.visit(&self)
  }
  package mutating func part<Part: FieldListing>(_ name: StaticString, _ value: inout Part?) {
    var part = Part.blank
    part.visit(&self)
    value = part
  }
  package mutating func list<Element: FieldListing>(
    _ name: StaticString, _ value: inout [Element]
  ) {
    value = (0..<2).map { _ in
      var element = Element.blank
      element.visit(&self)
      return element
    }
  }
}
