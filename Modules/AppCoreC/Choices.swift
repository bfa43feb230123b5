import AppCore
import JSONReading
import Models

/// The options that a caller passes as a JSON object; what is absent or `null` has its default.
///
/// Reading an option names it, so what is left in the end is unknown: a program that misspells
/// `dryRun` must not sync. No error shows a value, since one may be a token.
struct Choices: ~Copyable {
  private var values: [String: JSONValue] = [:]
  private var names: [String] = []

  /// Reads a caller's object with `body`; `NULL` stands for an empty one.
  ///
  /// Unknown members show only in the end, so `body` must do nothing but read.
  static func read<Value>(
    _ text: CString?, _ parameter: String, _ body: (inout Choices) throws -> Value
  ) throws -> Value {
    var choices = Choices()
    if let text = try CText.optional(text, parameter) {
      choices.values = try members(of: text, parameter)
    }
    let value = try body(&choices)
    guard let unknown = choices.values.keys.min() else { return value }
    throw Misuse.badArgument(
      message: "\(parameter) has the unknown member '\(unknown)'; available: "
        + choices.names.joined(separator: ", "))
  }

  /// Returns the members of a JSON object.
  static func members(of text: String, _ parameter: String) throws -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    var reader = JSONReader(Array(text.utf8))
    do {
      try reader.readObject { values["\($1)"] = try $0.readValue() }
      try reader.readEnd()
    } catch let error as JSONError {
      throw Misuse.badArgument(message: "\(parameter) is no JSON object: \(error.explanation)")
    }
    return values
  }

  mutating func flag(_ name: String, default usual: Bool = false) throws -> Bool {
    try optionalFlag(name) ?? usual
  }

  mutating func optionalFlag(_ name: String) throws -> Bool? {
    switch take(name) {
    case .null: return nil
    case .bool(let flag): return flag
    default: throw Misuse.badArgument(message: "\(name) must be true or false")
    }
  }

  mutating func text(_ name: String) throws -> String? {
    switch take(name) {
    case .null: return nil
    case .text(let text): return text
    default: throw Misuse.badArgument(message: "\(name) must be a text")
    }
  }

  mutating func path(_ name: String) throws -> String? {
    let path = try text(name)
    guard path?.hasPrefix("/") ?? true else {
      throw Misuse.badArgument(message: "\(name) must be an absolute path")
    }
    return path
  }

  /// Reads an object whose values are texts.
  mutating func texts(_ name: String) throws -> [String: String] {
    var texts: [String: String] = [:]
    switch take(name) {
    case .null: return [:]
    case .object(let object):
      for (key, value) in zip(object.names, object.values) {
        guard case .text(let text) = value else { break }
        texts[key] = text
      }
      if texts.count == object.values.count { return texts }
    default: break
    }
    throw Misuse.badArgument(message: "\(name) must be an object of texts")
  }

  mutating func count(_ name: String, atLeast least: Int) throws -> Int? {
    switch take(name) {
    case .null: return nil
    case .number(let number):
      if let count = Int(number.normalized.description), count >= least { return count }
    default: break
    }
    throw Misuse.badArgument(message: "\(name) must be a whole number of at least \(least)")
  }

  /// Reads a duration, of which a caller states seconds.
  mutating func seconds(_ name: String) throws -> Duration? {
    // Thirty years; a deadline that is later could not be computed.
    let longest = 1e9
    switch take(name) {
    case .null: return nil
    case .number(let number):
      if let seconds = Double(number.description), seconds > 0, seconds <= longest {
        return .seconds(seconds)
      }
    default: break
    }
    throw Misuse.badArgument(message: "\(name) must be above 0 and at most \(Int(longest))")
  }

  /// Reads an amount, as a text or as a number, which keeps its digits.
  mutating func amount(_ name: String) throws -> ExactDecimal? {
    switch take(name) {
    case .null: return nil
    case .number(let number): return number
    case .text(let text): return try Self.value { try FilterValue.amount(text) }
    default: throw Misuse.badArgument(message: "\(name) must be an amount such as \"99.95\"")
    }
  }

  /// Reads a text that users write, with its parser.
  mutating func value<Value>(_ name: String, _ parse: (String) throws -> Value) throws -> Value? {
    try text(name).map { text in try Self.value { try parse(text) } }
  }

  static func value<Value>(_ parse: () throws -> Value) throws -> Value {
    do { return try parse() } catch let error as InvalidFilterValue {
      throw Misuse.badArgument(message: error.description)
    }
  }

  /// Reads one of the words of a type.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, _: Word.Type
  ) throws -> Word? {
    try text(name).map { text in
      guard let word = Word(rawValue: text) else {
        let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw Misuse.badArgument(message: "unknown \(name) '\(text)'; available: \(known)")
      }
      return word
    }
  }

  private mutating func take(_ name: String) -> JSONValue {
    names.append(name)
    return values.removeValue(forKey: name) ?? .null
  }
}
