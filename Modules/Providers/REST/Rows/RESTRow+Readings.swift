import JSONReading
import Models
import Sync

extension RESTRow {
  /// Returns the reading of each described field; a field that fails does not hide the others.
  func readings(_ schema: RESTSchema) -> [FieldReading] {
    let currency = (try? currency(.currency)) ?? nil
    let home = (try? self.currency(RESTName(known: "home.currency"))) ?? currency
    var readings = schema.fields.compactMap {
      reading($0, within: "", $0.name.hasPrefix("home.") ? home : currency)
    }
    for list in schema.lists {
      guard let described = plan.fields.lists[list.name] else { continue }
      let found = described.path.value(in: value)
      do {
        let rows = try records(list.name)
        readings.append(
          FieldReading(
            field: list.name, path: described.path.description, found: found?.summary(),
            value: "\(rows.count)"))
        guard let first = rows.first else { continue }
        readings += list.fields.compactMap {
          first.reading($0, within: list.name + "[0].", currency)
        }
      } catch {
        readings.append(
          FieldReading(
            field: list.name, path: error.path, found: found?.summary(), problem: error.reason))
      }
    }
    return readings
  }

  private func reading(
    _ definition: RESTSchema.Definition, within prefix: String, _ currency: Currency?
  ) -> FieldReading? {
    let name = definition.field
    guard let field = plan[name]?.field.deciding(in: value) else { return nil }
    var path: String? = self.path(of: name)
    var found = field.path.flatMap { $0.value(in: value) }?.summary()
    switch field.source {
    case .constant: path = nil
    // The value as the server sent it; the reading shows the result next to it.
    case .paths, .choice:
      if let used = field.value(in: value, isFlag: name.isFlag)?.path {
        found = used.value(in: value)?.summary()
      }
    case .sum(let list, _):
      found = (try? elements(list)).map { "a sum of \($0.count)" }
    }
    do throws(RESTRowError) {
      let made = try made(definition, currency)
      if made == nil, definition.isRequired { throw error(name, "missing") }
      return FieldReading(field: prefix + name.text, path: path, found: found, value: made)
    } catch {
      return FieldReading(
        field: prefix + name.text, path: path, found: found, problem: error.reason)
    }
  }

  private func made(
    _ definition: RESTSchema.Definition, _ currency: Currency?
  ) throws(RESTRowError) -> String? {
    let name = definition.field
    switch definition.kind {
    case .text: return try text(name)
    case .integer: return try integer(name).map { "\($0)" }
    case .boolean: return try boolean(name).map { "\($0)" }
    case .decimal: return try decimal(name)?.description
    case .money: return try money(name, in: currency)?.description
    case .currency: return try self.currency(name)?.description
    case .day: return try day(name)?.description
    case .instant: return try instant(name)?.description
    case .word(let words, let keepsUnknown):
      return try word(name, among: words, unknown: keepsUnknown ? "unknown" : nil)
    }
  }
}

extension RESTRow {
  /// The number of different words of a field that are shown.
  private static let shownWords = 20

  /// Returns the words of the rows for those of appcore.
  static func words(in rows: [RESTRow], _ schema: RESTSchema) -> [WordReading] {
    words(in: rows, schema.fields, within: "")
      + schema.lists.flatMap { list in
        words(
          in: rows.flatMap { (try? $0.elements(list.name)) ?? [] }, list.fields,
          within: list.name + "[].")
      }
  }

  private static func words(
    in rows: [RESTRow], _ definitions: [RESTSchema.Definition], within prefix: String
  ) -> [WordReading] {
    definitions.flatMap { definition -> [WordReading] in
      let name = definition.field
      guard let field = rows.first?.plan[name]?.field, !field.paths.isEmpty else { return [] }
      var known: [String]?
      if case .word(let words, _) = definition.kind { known = words }
      guard known != nil || !field.words.isEmpty else { return [] }
      var counts: [String?: (meaning: String?, count: Int)] = [:]
      for row in rows {
        let deciding = field.deciding(in: row.value)
        let word = deciding.value(in: row.value, isFlag: name.isFlag)?.value.word
        guard word != nil || field.fallback != nil else { continue }
        let key = word.flatMap(deciding.key)
        let own = word.flatMap { known?.contains($0) == true ? $0 : nil }
        let meaning = key.flatMap { deciding.words[$0] } ?? field.fallback ?? own
        counts[key ?? word, default: (meaning, 0)].count += 1
      }
      return counts.sorted { ($1.value.count, $0.key ?? "") < ($0.value.count, $1.key ?? "") }
        .prefix(shownWords).map { word, found in
          WordReading(
            field: prefix + name.text, word: word, meaning: found.meaning, count: found.count)
        }
    }
  }
}

// What a description and the rows of a page do not have in common.
extension RESTRow {
  /// The number of rows from which it means something that none has a value.
  private static let telling = 3

  static func warnings(about rows: [RESTRow], _ schema: RESTSchema) -> [String] {
    var warnings = warnings(about: rows, schema.fields, within: "")
    for list in schema.lists {
      guard let described = rows.first?.plan.fields.lists[list.name] else { continue }
      let elements = rows.flatMap { (try? $0.elements(list.name)) ?? [] }
      if elements.isEmpty, rows.count >= telling {
        warnings.append("no record has `\(described.path)`, where \(list.name) is read")
      }
      warnings += Self.warnings(about: elements, list.fields, within: list.name + "[].")
    }
    if schema.fields.contains(where: { $0.name == "amountDue" }) {
      let isUnstated = rows.contains { row in
        guard let invoice = try? Invoice(row) else { return false }
        return invoice.status == .partiallyPaid && invoice.amountDue == nil
          && invoice.payments.isEmpty && invoice.allocations.isEmpty
      }
      if isUnstated {
        warnings.append(
          "nothing says what is due of a partly paid invoice, so that sums count nothing, unless "
            + "payments or credit notes of another list settle it: describe amountDue, or amountPaid"
        )
      }
    }
    return warnings
  }

  private static func warnings(
    about rows: [RESTRow], _ definitions: [RESTSchema.Definition], within prefix: String
  ) -> [String] {
    definitions.flatMap { definition -> [String] in
      let name = definition.field
      guard let field = rows.first?.plan[name]?.field, !field.paths.isEmpty else { return [] }
      let values = rows.compactMap { row in
        row.plan[name]?.field.deciding(in: row.value).value(in: row.value, isFlag: name.isFlag)
      }
      if values.isEmpty, rows.count >= telling {
        let paths = field.paths.map { "`\($0)`" }.joined(separator: " or ")
        return ["no record has \(paths), where \(prefix)\(name.text) is read"]
      }
      guard case .word(let known, _) = definition.kind, field.fallback == nil else { return [] }
      var unmapped: [String: Int] = [:]
      for case let word? in values.map(\.value.word)
      where field.mapping(of: word) == nil && !known.contains(word) {
        unmapped[word, default: 0] += 1
      }
      return unmapped.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { word, count in
        "\(count) of \(rows.count) rows say `\(word)`, which the map of \(prefix)\(name.text) lacks"
      }
    }
  }
}

extension RESTField {
  /// Returns appcore's word for a word of the server, in whichever map has one.
  fileprivate func mapping(of word: String) -> String? {
    guard case .choice(let fields) = source else { return meaning(of: word) }
    return fields.lazy.compactMap { $0.meaning(of: word) }.first
  }
}

extension JSONValue {
  /// Returns a short summary of the value: a text of at most so many characters, a word, or the
  /// kind of the value.
  func summary(characters: Int = 80) -> String {
    switch self {
    case .text(let text):
      text.count <= characters ? "\"\(text)\"" : "\"\(text.prefix(characters))…\""
    case .number, .bool: word ?? ""
    case .null: "null"
    case .list(let elements): "a list of \(elements.count)"
    case .object: "an object"
    case .unreadable(let reason): reason
    }
  }
}
