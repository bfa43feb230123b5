import Foundation
import JSONReading
import Models

// The values of a row's fields, each of a type.
extension RESTRow {
  func text(_ name: RESTName) throws(RESTRowError) -> String? {
    try read(
      name, "a text or a number", own: { $0 },
      theirs: { value in if case .bool = value { nil } else { value.word } })
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
    try read(name, "a number", own: { ExactDecimal($0) }, theirs: \.decimal)
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
  func rawWord(_ name: RESTName) throws(RESTRowError) -> String {
    if let found = plan[name]?.field.deciding(in: value).value(in: value)?.value.word {
      return found
    }
    guard case .word(let word)? = try finding(name) else { return "" }
    return word
  }
}
