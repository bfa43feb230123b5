/// Something that reads what a stranger sends.
struct FuzzTarget: Sendable {
  /// The outcome of an input.
  struct Outcome: Equatable {
    /// The kind of the outcome; an input with a new kind is worth mutating further.
    let kind: String
    /// A hash of the value that was read: the same input has to give the same hash.
    var content = 0
  }

  /// The name, which is also that of its folder in the corpus.
  let name: String
  /// Words that its inputs are made of.
  let words: [String]
  /// Reads an input.
  ///
  /// - Throws: what is no typed error of its own, and therefore a fault.
  let read: @Sendable ([UInt8]) async throws -> Outcome

  /// The words of which any JSON is made.
  static let json = [
    "null", "true", "false", "{}", "[]", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000",
    "\\uD800", "\\uDC00", "0", "-0", "-1", "1e400", "1E-400", "0.1", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "1.", ".5", "NaN", "-Infinity", "+1", "\u{FEFF}",
    "é", "\u{1F9FE}",
    #""/Date(1587912334083+0000)/""#, #""/Date(-9999999999999999)/""#, #""2020-02-30""#,
  ]

  static func withoutDigits(_ text: String) -> String {
    String(text.filter { !$0.isNumber })
  }
}
