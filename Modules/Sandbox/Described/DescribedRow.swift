import Foundation
import JSONReading
import Models
import Providers

/// Writes records as a described provider sends them: the description, read backwards.
struct DescribedRow {
  let resource: RESTResource
  /// The fields that are written.
  let fields: RESTFields

  /// - Parameter fields: the fields to write; `nil` writes all.
  init(_ resource: RESTResource, fields: RESTFields? = nil) {
    self.resource = resource
    self.fields = fields ?? resource.fields
  }

  /// Returns the row of a record.
  ///
  /// - Parameter isDeleted: true if the row is marked as deleted.
  func value(
    _ record: some FieldListing, in currency: Currency?, isDeleted: Bool = false
  ) -> JSONValue {
    let schema = RESTSchema.of(resource.kind)
    let values = Dictionary(
      FieldValues(of: record).values.map { ($0.field, $0.text) }, uniquingKeysWith: { $1 })
    var row = JSONValue.object([:])
    var element = JSONValue.object([:])
    write(fields.fields, schema.fields, values, currency, into: &element, within: &row)
    for list in schema.lists {
      guard let described = fields.lists[list.name],
        let count = values[list.name].flatMap({ $0 }).flatMap({ Int($0) })
      else { continue }
      let elements = (0..<count).map { index in
        var part = JSONValue.object([:])
        let prefix = "\(list.name)[\(index)]."
        let own = values.filter { $0.key.hasPrefix(prefix) }
          .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
        write(
          described.fields, list.fields, Dictionary(own, uniquingKeysWith: { $1 }), currency,
          into: &part, within: &element)
        return part
      }
      element.set(.list(elements), at: described.path.steps)
    }
    if isDeleted, let mark = resource.deleted {
      element.set(.text(mark.words.sorted().first ?? "2024-01-01T00:00:00Z"), at: mark.path.steps)
    }
    guard let path = resource.elements else { return element }
    row.set(.list([element]), at: path.steps)
    return row
  }

  /// Returns the word of the server for one of appcore's; `nil` if the field has none.
  static func word(_ field: RESTField, for meaning: String) -> String? {
    let words = field.words.filter { key, word in
      word == meaning && ![RESTField.anyWord, RESTField.negative].contains(key)
    }
    return words.keys.sorted().first
      ?? (field.words[RESTField.anyWord] == meaning ? otherWord.word : nil)
  }

  /// A value that stands for every word without a key of its own; also an amount.
  private static let otherWord = JSONValue.number(ExactDecimal(1))

  private func write(
    _ described: [String: RESTField], _ definitions: [RESTSchema.Definition],
    _ values: [String: String?], _ currency: Currency?, into row: inout JSONValue,
    within parent: inout JSONValue
  ) {
    // Words come late: a status may be where an amount is, such as 0 for what is paid. The
    // identifier comes last: a number may be the same member.
    func rank(_ definition: RESTSchema.Definition) -> Int {
      definition.name == "id" ? 2 : definition.kind.isWord ? 1 : 0
    }
    for definition in definitions.sorted(by: { rank($0) < rank($1) }) {
      guard let field = described[definition.name], let text = values[definition.name] ?? nil
      else { continue }
      for (path, value) in places(of: text, field, definition.kind, currency) {
        // Any word but those of the map; an amount may be there already.
        if value == Self.otherWord, let found = path.value(in: row)?.word,
          field.meaning(of: found) == text
        {
          continue
        }
        if path.readsParent {
          parent.set(value, at: Array(path.steps.dropFirst()))
        } else {
          row.set(value, at: path.steps)
        }
      }
    }
  }

  /// Returns the values that express one, each with its path; none if the description supplies it.
  private func places(
    of text: String, _ field: RESTField, _ kind: RESTSchema.Kind, _ currency: Currency?
  ) -> [(RESTPath, JSONValue)] {
    switch field.source {
    case .constant, .sum: return []
    case .choice(let fields):
      // The first that has the meaning decides; those before it have no value.
      for field in fields {
        guard let path = field.path, let word = Self.word(field, for: text) else { continue }
        return [(path, Self.json(ofWord: word))]
      }
      return []
    case .paths(let paths):
      guard let path = paths.first else { return [] }
      guard field.words.isEmpty else {
        if let word = Self.word(field, for: text) { return [(path, Self.json(ofWord: word))] }
        // Without a word of the server, the row says nothing, or appcore's own word.
        return field.fallback == text ? [] : [(path, .text(text))]
      }
      return json(text, field, kind, currency).map { [(path, $0)] } ?? []
    }
  }

  private static func json(ofWord word: String) -> JSONValue {
    switch word {
    case "true", "false": .bool(word == "true")
    default: ExactDecimal(word).map(JSONValue.number) ?? .text(word)
    }
  }

  private func json(
    _ text: String, _ field: RESTField, _ kind: RESTSchema.Kind, _ currency: Currency?
  ) -> JSONValue? {
    switch kind {
    case .text, .currency, .word: .text(text)
    case .integer: ExactDecimal(text).map(JSONValue.number)
    case .boolean: .bool(text == "true")
    case .decimal:
      ExactDecimal(text).flatMap { number in
        let form = field.moneyForm ?? resource.forms.money.ofNumbers
        guard let rate = field.rateForm else { return form.json(number, in: nil) }
        return rate.written(number).map(JSONValue.number)
      }
    case .money:
      ExactDecimal(text).flatMap {
        (field.moneyForm ?? resource.forms.money).json($0, in: currency)
      }
    case .day: CalendarDate(text).flatMap { (field.dateForm ?? resource.forms.day).json($0) }
    case .instant: Timestamp(text).map { (field.dateForm ?? resource.forms.instant).json($0) }
    }
  }
}

extension RESTSchema.Kind {
  fileprivate var isWord: Bool { if case .word = self { true } else { false } }
}

extension RESTMoneyForm {
  fileprivate func json(_ amount: ExactDecimal, in currency: Currency?) -> JSONValue? {
    switch self {
    case .number: return .number(amount)
    case .decimal, .text, .commaThousands: return .text(amount.description)
    case .commaDecimal: return .text(amount.description.replacing(".", with: ","))
    case .minorUnits:
      let unit = ExactDecimal("1" + String(repeating: "0", count: currency?.minorUnitDigits ?? 2))
      return unit.flatMap { amount.multiplied(by: $0)?.normalized }.map(JSONValue.number)
    }
  }
}

extension RESTDateForm {
  fileprivate func json(_ day: CalendarDate) -> JSONValue? {
    let microseconds = Int64(day.daysSinceEpoch) * 86_400_000_000
    if self == .object {
      let parts = day.description.split(separator: "-").compactMap { ExactDecimal(String($0)) }
      guard parts.count == 3 else { return nil }
      return .object([
        "year": .number(parts[0]), "month": .number(parts[1]), "day": .number(parts[2]),
      ])
    }
    return json(Timestamp(microsecondsSinceEpoch: microseconds))
  }

  fileprivate func json(_ instant: Timestamp) -> JSONValue {
    let text = text(of: instant)
    switch self {
    case .seconds, .milliseconds: return ExactDecimal(text).map(JSONValue.number) ?? .text(text)
    default: return .text(text)
    }
  }
}

extension JSONValue {
  /// Sets the value at a path, and makes the objects and lists on the way.
  mutating func set(_ value: JSONValue, at steps: [RESTPath.Step]) {
    guard let first = steps.first else {
      // Two values of the same place are members of both.
      if case .object(var members) = self, case .object(let others) = value {
        for (name, member) in zip(others.names, others.values) { members.set(name, member) }
        self = .object(members)
      } else {
        self = value
      }
      return
    }
    let rest = Array(steps.dropFirst())
    switch first {
    case .key(let key):
      var members = if case .object(let members) = self { members } else { JSONObject() }
      var inner = members[key] ?? .null
      inner.set(value, at: rest)
      members.set(key, inner)
      self = .object(members)
    case .index(let index):
      var elements = if case .list(let elements) = self { elements } else { [JSONValue]() }
      while elements.count <= index { elements.append(.object([:])) }
      elements[index].set(value, at: rest)
      self = .list(elements)
    }
  }

  /// The value as JSON text.
  var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null, .unreadable: writer.literal("null")
    case .bool(let bool): writer.literal(bool ? "true" : "false")
    case .number(let number): writer.literal(number.description)
    case .text(let text): writer.string(text)
    case .list(let elements): writer.array { for element in elements { element.write(to: &$0) } }
    case .object(let members):
      writer.object { writer in
        for (name, value) in zip(members.names, members.values) {
          writer.key(name)
          value.write(to: &writer)
        }
      }
    }
  }
}
