import Models

/// A piece of a page, in which every text is escaped.
///
/// Literals are markup; an interpolated `String` is text. So a name from a server cannot become an
/// element, an attribute or a script. The markup is well-formed XML too.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  /// The pieces of a page while they are put together.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }
    mutating func appendInterpolation(_ markup: [HTML]) {
      for piece in markup { text += piece.text }
    }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    mutating func appendInterpolation(_ string: String) { text += Self.escaped(string) }

    /// Returns a text without characters that are markup, or that could reorder or hide others.
    private static func escaped(_ string: String) -> String {
      var escaped = ""
      for character in string.sanitizedForDisplay().unicodeScalars {
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        default: escaped.unicodeScalars.append(character)
        }
      }
      return escaped
    }
  }
}
