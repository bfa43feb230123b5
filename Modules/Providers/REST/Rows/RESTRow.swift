import Foundation
package import JSONReading
import Models
import Sync

/// A row that is read according to a description.
///
/// A reference, because a row has half a dozen parts, and each field is read by it.
package final class RESTRow: Sendable {
  /// The place of an element of a list inside a record.
  struct Element: Sendable {
    let list: RESTPlan.List
    let index: Int
    /// The record, if the element needs it.
    let record: JSONValue?
  }

  let value: JSONValue
  let plan: RESTPlan
  /// The members of the value, if it is an object, and their layout.
  private let members: JSONObject
  private let layout: RESTLayout
  /// The place of the row, if it is an element of a list inside a record.
  private let element: Element?

  /// The time zone in which instants become days; UTC if none is known.
  var timeZone: TimeZone {
    switch plan.forms.timeZone {
    case nil: .gmt
    case .named(let zone)?: zone
    case .at(let path)?:
      path.value(in: element?.record ?? value)?.word.flatMap(TimeZone.init(identifier:)) ?? .gmt
    }
  }

  /// Path of this row in front of its fields' paths.
  private var place: String { element.map { "\($0.list.path)[\($0.index)]." } ?? "" }

  convenience init(_ value: JSONValue, _ plan: RESTPlan, _ element: Element? = nil) {
    let members = if case .object(let members) = value { members } else { JSONObject() }
    self.init(value, members, plan, RESTLayout(plan, of: members), element)
  }

  /// - Parameters:
  ///   - value: the row.
  ///   - members: the members of the row.
  ///   - plan: the plan of all rows.
  ///   - layout: the layout of the members.
  ///   - element: the place of the row, if it is an element of a list.
  init(
    _ value: JSONValue, _ members: JSONObject, _ plan: RESTPlan, _ layout: RESTLayout,
    _ element: Element?
  ) {
    self.value = value
    self.members = members
    self.plan = plan
    self.layout = layout
    self.element = element
  }

  package convenience init(_ value: JSONValue, _ fields: RESTFields, _ forms: RESTForms) {
    self.init(value, RESTPlan(fields, forms))
  }

  /// The value of a field: the server's value, or a word of the description that replaces it.
  enum Finding {
    case value(JSONValue)
    case word(String)
  }

  /// Returns the value of a field; `nil` if the row has none and the description has no default.
  func finding(_ name: RESTName) throws(RESTRowError) -> Finding? {
    if let index = layout.index(of: name) {
      let found = members[index]
      switch found {
      case .number: return .value(found)
      case .text(let text) where !text.isBlank: return .value(found)
      default: break
      }
    }
    guard let planned = plan[name] else { return nil }
    if let keys = planned.keys {
      guard let found = plainValue(name, keys), !found.isBlank,
        name.isFlag || found != .bool(false)
      else {
        return planned.field.fallback.map(Finding.word)
      }
      if case .unreadable(let reason) = found { throw error(name, reason) }
      return .value(found)
    }
    let field = planned.field.deciding(in: value)
    if case .constant(let text) = field.source { return .word(text) }
    guard let found = field.value(in: value, isFlag: name.isFlag)?.value else {
      return planned.field.fallback.map(Finding.word)
    }
    if case .unreadable(let reason) = found { throw error(name, reason) }
    guard !field.words.isEmpty else { return .value(found) }
    guard let word = found.word else { throw error(name, "expected a single word or number") }
    if let meaning = field.meaning(of: word) ?? planned.field.fallback { return .word(meaning) }
    return .value(found)
  }

  /// Returns the value that the keys of a plain field lead to; `nil` if there is none.
  private func plainValue(_ name: RESTName, _ keys: [String]) -> JSONValue? {
    guard let index = layout.firstIndex(of: name) else { return nil }
    var value = members[index]
    for key in keys.dropFirst() {
      guard case .object(let members) = value, let next = members[key] else { return nil }
      value = next
    }
    return value
  }

  /// Returns the path that the field's value comes from; all of the field's paths if none has a
  /// value.
  func path(of name: RESTName) -> String {
    guard let field = plan[name]?.field.deciding(in: value) else { return place + name.text }
    if case .sum(let list, let part) = field.source { return pathOfSum(list, part) }
    guard !field.paths.isEmpty else { return place + name.text }
    let found = field.value(in: value, isFlag: name.isFlag).map { [$0.path] } ?? field.paths
    return found.map { place + $0.description }.joined(separator: ", ")
  }

  func error(_ name: RESTName, _ reason: String) -> RESTRowError {
    RESTRowError(path: path(of: name), reason: "\(name.text): \(reason)")
  }

  /// Returns a value, or throws an error if it is `nil`.
  func required<Value>(_ name: RESTName, _ value: Value?) throws(RESTRowError) -> Value {
    guard let value else { throw error(name, "missing") }
    return value
  }

  /// Returns the value of a field; `nil` if the row has none.
  ///
  /// - Parameters:
  ///   - expected: the values that are accepted, for an error.
  ///   - own: reads a word of the description.
  ///   - theirs: reads a value of the server.
  ///   - isAbsent: returns true for a value that stands for none.
  func read<Value>(
    _ name: RESTName, _ expected: @autoclosure () -> String, own: (String) -> Value?,
    theirs: (JSONValue) -> Value?, isAbsent: (JSONValue) -> Bool = { _ in false }
  ) throws(RESTRowError) -> Value? {
    switch try finding(name) {
    case nil: return nil
    case .word(let word)?:
      guard let value = own(word) else { throw error(name, "expected \(expected())") }
      return value
    case .value(let found)?:
      if isAbsent(found) { return plan[name]?.field.fallback.flatMap(own) }
      if let value = theirs(found) { return value }
      // The user needs the value to correct the description.
      throw error(name, "expected \(expected()), found \(found.summary(characters: 40))")
    }
  }

  /// Returns the elements of a list inside the row.
  func elements(_ name: String) throws(RESTRowError) -> [RESTRow] {
    guard let list = plan[list: name], let found = list.path.value(in: value), !found.isBlank else {
      return []
    }
    let isRecord = list.path == .root
    guard let elements = isRecord ? [found] : found.elements else {
      throw RESTRowError(path: "\(place)\(list.path)", reason: "\(name): expected a list")
    }
    return elements.enumerated().map { index, element in
      // The record itself keeps the row around it.
      let isInside = list.plan.readsParent && !isRecord
      return list.row(
        isInside ? element.element(of: value) : element, at: index,
        of: plan.forms.hasZoneOfRecord ? self.element?.record ?? value : nil)
    }
  }

  /// Returns the elements of a list, each converted by `make`.
  func list<Element>(
    _ name: String, _ make: (RESTRow) throws(RESTRowError) -> Element
  ) throws(RESTRowError) -> [Element] {
    var made: [Element] = []
    for row in try records(name) { made.append(try make(row)) }
    return made
  }

  /// Returns the elements of a list that are records.
  ///
  /// An allocation that names no document settles none.
  func records(_ name: String) throws(RESTRowError) -> [RESTRow] {
    var records = try elements(name)
    guard name == "allocations" else { return records }
    for index in records.indices.reversed() where try records[index].text(.invoiceID) == nil {
      records.remove(at: index)
    }
    return records
  }
}

/// An error in a row that does not match the description.
package struct RESTRowError: Error, Sendable, Equatable {
  /// Path of the error in the row.
  package let path: String
  /// The field and the error, with the start of a value that is not in the expected form.
  package let reason: String
}

// The values of a row's fields, each of a type.
extension RESTRow {
  func text(_ name: RESTName) throws(RESTRowError) -> String? {
    let prefix = plan.hasPrefixes ? plan[name]?.field.prefix : nil
    return try read(
      name, "a text or a number", own: { $0 },
      theirs: { value in
        if case .bool = value { return nil }
        return prefix.map { prefix in value.word.map { prefix + $0 } } ?? value.word
      })
  }

  func integer(_ name: RESTName) throws(RESTRowError) -> Int64? {
    try read(
      name, "a whole number", own: { Int64($0) },
      theirs: { $0.decimal.flatMap { Int64($0.normalized.description) } })
  }

  func boolean(_ name: RESTName) throws(RESTRowError) -> Bool? {
    try read(
      name, "true or false", own: { Bool($0) }, theirs: { $0.word.flatMap { Bool($0) } })
  }

  func decimal(_ name: RESTName) throws(RESTRowError) -> ExactDecimal? {
    guard let planned = plan[name] else { return nil }
    let (form, rate) = (planned.number, planned.field.rateForm)
    return try read(
      name, form == .decimal ? "a number" : "a number as \(form.rawValue)",
      own: { ExactDecimal($0) },
      theirs: { value in
        let number = form.amount(value, in: nil)
        guard let rate else { return number }
        return number.flatMap(rate.percent)
      })
  }

  func money(_ name: RESTName, in currency: Currency?) throws(RESTRowError) -> ExactDecimal? {
    guard let planned = plan[name] else { return nil }
    if let (list, part) = planned.sum { return try sum(name, list, part, in: currency) }
    let form = planned.money
    return try read(
      name, "an amount as \(form.rawValue)", own: { ExactDecimal($0) },
      theirs: { form.amount($0, in: currency) })
  }

  func currency(_ name: RESTName) throws(RESTRowError) -> Currency? {
    try read(
      name, "a code of three letters", own: { Currency(code: $0) },
      theirs: { $0.word.flatMap { Currency(code: $0) } })
  }

  func day(_ name: RESTName) throws(RESTRowError) -> CalendarDate? {
    guard let form = plan[name]?.day else { return nil }
    return try read(
      name, "a day as \(form.rawValue)", own: { CalendarDate($0) },
      theirs: { form.day($0, in: form.statesInstant ? timeZone : .gmt) },
      isAbsent: { form.isNoDate($0, besides: plan.forms.noDates) })
  }

  func instant(_ name: RESTName) throws(RESTRowError) -> Timestamp? {
    guard let form = plan[name]?.instant else { return nil }
    return try read(
      name, "an instant as \(form.rawValue)", own: { Timestamp($0) },
      theirs: { form.instant($0) },
      isAbsent: { form.isNoDate($0, besides: plan.forms.noDates) })
  }

  /// Returns one of appcore's words; for another word, returns `unknown` or throws if that is
  /// `nil`.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: RESTName, unknown: Word? = nil
  ) throws(RESTRowError) -> Word? {
    try read(
      name, "a word that map knows", own: { Word(rawValue: $0) },
      theirs: { $0.word.flatMap { Word(rawValue: $0) ?? unknown } })
  }

  func word(
    _ name: RESTName, among words: [String], unknown: String?
  ) throws(RESTRowError) -> String? {
    try read(
      name, "a word that map knows", own: { $0 },
      theirs: { $0.word.flatMap { words.contains($0) ? $0 : unknown } })
  }

  /// Returns the server's word for a field; the description's word if the server sends none.
  ///
  /// Of a field that is true or false, it is the path: `is_paid`, or `is_paid: false`.
  func rawWord(_ name: RESTName) throws(RESTRowError) -> String {
    let found = plan[name]?.field.deciding(in: value).value(in: value)
    if let found, let word = found.value.word {
      guard case .bool(let isTrue) = found.value else { return word }
      return isTrue ? found.path.description : "\(found.path): false"
    }
    guard case .word(let word)? = try finding(name) else { return "" }
    return word
  }

  /// Returns the exact sum of an amount in a list; the default or `nil` if the row has no such
  /// list.
  func sum(
    _ name: RESTName, _ list: String, _ part: String, in currency: Currency?
  ) throws(RESTRowError) -> ExactDecimal? {
    guard let described = plan[list: list], let part = RESTName(part) else { return nil }
    switch described.path.value(in: value) {
    case nil, .null?: return plan[name]?.field.fallback.flatMap { ExactDecimal($0) }
    case .some: break
    }
    var amounts: [ExactDecimal] = []
    for row in try elements(list) {
      // A sum that lacks an amount would be wrong.
      amounts.append(try row.required(part, row.money(part, in: currency)))
    }
    guard let sum = ExactDecimal.sum(amounts) else {
      throw error(name, "the sum has too many digits")
    }
    return sum
  }

  /// Returns the path of the amounts of a sum, such as `lines[].gross`.
  func pathOfSum(_ list: String, _ part: String) -> String {
    let described = plan.fields.lists[list]
    let path = described?.fields[part]?.path?.description ?? part
    return "\(described?.path.description ?? list)[].\(path)"
  }
}

extension JSONValue {
  /// The elements of a list, in the ways in which servers write one; `nil` if the value is none.
  ///
  /// PHP writes an empty list as `{}` or `false`, and a list whose indexes have gaps as an object;
  /// what makes JSON of XML writes a list of one element as the element itself.
  var elements: [JSONValue]? {
    switch self {
    case .list(let elements): return elements
    case .null, .bool(false), .text(""): return []
    case .object(let members):
      let areElements = members.values.allSatisfy { if case .object = $0 { true } else { false } }
      return areElements ? members.values : [self]
    case .bool, .number, .text, .unreadable: return nil
    }
  }
}
