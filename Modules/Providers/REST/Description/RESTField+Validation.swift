import Models
import Sync

extension RESTField {
  /// Requires that constants, mapped words and the default suit the kind, and that no two settings
  /// contradict each other.
  func validate(as kind: RESTSchema.Kind) throws(RESTDescriptionError) {
    if case .constant(let text) = source {
      try Self.check(text, kind, "value")
      guard words.isEmpty, fallback == nil, dateForm == nil, moneyForm == nil, textForm == nil
      else {
        throw RESTDescriptionError(
          problem:
            "value is constant; remove map, default, form and text")
      }
    }
    if case .choice(let fields) = source { try Self.check(fields, kind) }
    if textForm != nil {
      guard case .text = kind else {
        throw RESTDescriptionError("text", problem: "only texts have this key; remove it")
      }
    }
    if case .sum = source {
      guard case .money = kind else {
        throw RESTDescriptionError("sum", problem: "only amounts can be summed; use path instead")
      }
      guard words.isEmpty, dateForm == nil, moneyForm == nil else {
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
      guard moneyForm == nil else { throw Self.form("a date", RESTDateForm.allCases) }
    case .money:
      guard dateForm == nil else { throw Self.form("an amount", RESTMoneyForm.allCases) }
    case .text, .integer, .boolean, .decimal, .currency, .word:
      guard dateForm == nil, moneyForm == nil else {
        throw RESTDescriptionError("form", problem: "only dates and amounts have a form; remove it")
      }
    }
  }

  /// Requires that a choice is among words, and that each of its fields is a path with a map.
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

  private static func form<Form: RawRepresentable<String>>(
    _ what: String, _ forms: [Form]
  ) -> RESTDescriptionError {
    RESTDescriptionError(
      "form",
      problem: "unknown form for \(what); available: "
        + forms.map(\.rawValue).joined(separator: ", "))
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
    case .text: nil
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
