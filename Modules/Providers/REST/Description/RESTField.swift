import JSONReading
import Models
import Sync

/// The source of a field's value, and the conversion of that value.
package struct RESTField: Sendable, Equatable {
  /// The source of a value.
  package enum Source: Sendable, Equatable {
    /// The row: the value at the first of these paths that has one.
    case paths([RESTPath])
    /// The description: the same value for every row.
    case constant(String)
    /// The first of these fields that gives one of appcore's words.
    case choice([RESTField])
    /// A list of the same record: the sum of an amount of each of its elements.
    case sum(list: String, field: String)

    package static func path(_ path: RESTPath) -> Source { .paths([path]) }
  }

  /// The format in which a server writes texts.
  package enum TextForm: String, Sendable, CaseIterable {
    case plain
    case html
  }

  package let source: Source
  /// appcore's word for each word of the server, or for ``anyWord``; empty if values are used
  /// unchanged.
  package var words: [String: String] = [:]
  /// The value, in appcore's own format, for a row that has none, or a word that is not in
  /// ``words``.
  package var fallback: String?
  /// Format of a date; `nil` means the resource's format.
  package var dateForm: RESTDateForm?
  /// Format of an amount; `nil` means the resource's format.
  package var moneyForm: RESTMoneyForm?
  /// Format of a rate; `nil` means percent.
  package var rateForm: RESTRateForm?
  /// Format of a text; `nil` means plain text.
  package var textForm: TextForm?
  /// The text in front of the server's value, because identifiers of several lists of a kind have
  /// to differ.
  package var prefix: String?

  /// The key of ``words`` that stands for every word without a key of its own.
  package static let anyWord = "*"
  /// The key of ``words`` that stands for every negative number without a key of its own.
  package static let negative = "<0"

  package init(_ source: Source) {
    self.source = source
  }

  /// Returns appcore's word for a word of the server; `nil` if ``words`` has none.
  ///
  /// Numbers are compared as numbers: `0` stands for `0.00` as well.
  package func meaning(of word: String) -> String? {
    words[word] ?? key(of: word).flatMap { words[$0] }
  }

  /// Returns the key of ``words`` that stands for a word of the server; `nil` if there is none.
  func key(of word: String) -> String? {
    if words[word] != nil { return word }
    if let number = ExactDecimal(word)?.normalized.description, words[number] != nil {
      return number
    }
    // The digits decide, whatever separates them: an amount may be written as -1.234,50.
    let isNegative = word.first == "-" && word.contains { ("1"..."9").contains($0) }
    if isNegative, words[Self.negative] != nil { return Self.negative }
    return words[Self.anyWord] == nil ? nil : Self.anyWord
  }

  /// The paths at which a row can hold the value, in order of preference; empty for other sources.
  package var paths: [RESTPath] {
    switch source {
    case .paths(let paths): paths
    case .choice(let fields): fields.flatMap(\.paths)
    case .constant, .sum: []
    }
  }

  /// Returns the field of a choice that decides for a row: the first that has a word for its value,
  /// or else the last that has a value; for other fields, the field itself.
  func deciding(in row: JSONValue) -> RESTField {
    guard case .choice(let fields) = source else { return self }
    let present = fields.filter { $0.value(in: row) != nil }
    return present.first { field in
      field.value(in: row)?.value.word.flatMap(field.meaning) != nil
    } ?? present.last ?? self
  }

  /// The first of ``paths``; `nil` if there are none.
  package var path: RESTPath? { paths.first }

  /// Returns the value in a row and its path; `nil` if the row has none.
  ///
  /// A text of whitespace alone counts as absent, since the user left that field empty, and so does
  /// `false`, as which PHP and Odoo write an absent value. A value that no field can have, such as
  /// a list, is returned only if no other path has one, so that it is reported.
  ///
  /// - Parameter isFlag: true if `false` is a value of the field.
  func value(in row: JSONValue, isFlag: Bool = false) -> (path: RESTPath, value: JSONValue)? {
    var unusable: (path: RESTPath, value: JSONValue)?
    for path in paths {
      guard var found = path.value(in: row) else { continue }
      if textForm == .html, case .text(let text) = found {
        found = .text(HTMLText(text).plain)
      }
      if found.isBlank { continue }
      switch found {
      case .bool where isFlag || !words.isEmpty: return (path, found)
      case .bool(false): continue
      case .bool, .list, .object, .unreadable: unusable = unusable ?? (path, found)
      default: return (path, found)
      }
    }
    return unusable
  }
}

/// A list inside a row, such as the lines of an invoice.
package struct RESTList: Sendable, Equatable {
  package let path: RESTPath
  package let fields: [String: RESTField]

  package init(path: RESTPath, fields: [String: RESTField]) {
    self.path = path
    self.fields = fields
  }
}

/// The fields of a record; those of the other party have names such as `contact.name`.
package struct RESTFields: Sendable, Equatable {
  package var fields: [String: RESTField] = [:]
  package var lists: [String: RESTList] = [:]

  package init() {}
}

extension RESTField {
  /// Requires that constants, mapped words and the default suit the kind, and that no two settings
  /// contradict each other.
  func validate(as kind: RESTSchema.Kind) throws(RESTDescriptionError) {
    if case .constant(let text) = source {
      try Self.check(text, kind, "value")
      guard words.isEmpty, fallback == nil, !hasForm, textForm == nil, prefix == nil else {
        throw RESTDescriptionError(
          problem:
            "value is constant; remove map, default, form, text and prefix")
      }
    }
    if case .choice(let fields) = source { try Self.check(fields, kind) }
    for (key, isSet) in [("text", textForm != nil), ("prefix", prefix != nil)] where isSet {
      guard case .text = kind else {
        throw RESTDescriptionError(key, problem: "only texts have this key; remove it")
      }
    }
    guard prefix == nil || words.isEmpty else {
      throw RESTDescriptionError("prefix", problem: "the words of a map have no prefix; remove it")
    }
    if case .sum = source {
      guard case .money = kind else {
        throw RESTDescriptionError("sum", problem: "only amounts can be summed; use path instead")
      }
      guard words.isEmpty, !hasForm else {
        throw RESTDescriptionError(
          problem: "a sum takes the forms of its amounts; remove map and form")
      }
    }
    for (word, meaning) in words {
      do { try Self.check(meaning, kind, word) } catch { throw error.inside("map") }
    }
    if let fallback { try Self.check(fallback, kind, "default") }
    switch kind {
    case .day, .instant:
      guard !hasForm || dateForm != nil else { throw Self.form("a date", RESTDateForm.words) }
    case .money:
      guard !hasForm || moneyForm != nil else { throw Self.form("an amount", RESTMoneyForm.words) }
    case .decimal:
      guard !hasForm || rateForm != nil || moneyForm.map({ $0 != .minorUnits }) == true else {
        throw Self.form("a number", RESTMoneyForm.numberWords + RESTRateForm.words)
      }
    case .text, .integer, .boolean, .currency, .word:
      guard !hasForm else {
        throw RESTDescriptionError(
          "form", problem: "only dates, amounts and numbers have a form; remove it")
      }
    }
  }

  private var hasForm: Bool { dateForm != nil || moneyForm != nil || rateForm != nil }

  private static func check(
    _ fields: [RESTField], _ kind: RESTSchema.Kind
  ) throws(RESTDescriptionError) {
    guard case .word = kind else {
      throw RESTDescriptionError(
        problem: "only fields with words of appcore, such as status, have several maps")
    }
    for field in fields {
      guard case .paths = field.source, !field.words.isEmpty, field.fallback == nil else {
        throw RESTDescriptionError(
          problem: "each of several fields needs path and map, and has no default")
      }
      try field.validate(as: kind)
    }
  }

  private static func form(_ what: String, _ forms: [String]) -> RESTDescriptionError {
    RESTDescriptionError(
      "form",
      problem: "unknown form for \(what); available: " + forms.joined(separator: ", "))
  }

  private static func check(
    _ text: String, _ kind: RESTSchema.Kind, _ key: String
  ) throws(RESTDescriptionError) {
    if let expected = kind.expectation(of: text) {
      throw RESTDescriptionError(key, problem: "expected \(expected)")
    }
  }
}

extension RESTSchema.Kind {
  /// Returns a description of the texts that suit the kind; `nil` if `text` suits it.
  fileprivate func expectation(of text: String) -> String? {
    switch self {
    case .text: text.isEmpty ? "a text" : nil
    case .integer: Int64(text) == nil ? "a whole number" : nil
    case .boolean: Bool(text) == nil ? "true or false" : nil
    case .decimal, .money: ExactDecimal(text) == nil ? "a number such as 12.50" : nil
    case .currency: Currency(code: text) == nil ? "a code of three letters such as EUR" : nil
    case .day: CalendarDate(text) == nil ? "a day such as 2024-05-31" : nil
    case .instant: Timestamp(text) == nil ? "an instant such as 2024-05-31T08:00:00Z" : nil
    case .word(let words, _):
      words.contains(text) ? nil : "one of " + words.joined(separator: ", ")
    }
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The words of a description for the cases.
  package static var words: [String] { allCases.map(\.rawValue) }
}

extension RESTMoneyForm {
  /// The formats of numbers that are no amounts, and so have no currency.
  package static var numberWords: [String] { words.filter { $0 != minorUnits.rawValue } }
}
