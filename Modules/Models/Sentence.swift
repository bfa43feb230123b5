/// A text for people in which instants stand apart, so that whoever shows it chooses their form.
package struct Sentence: Sendable, Hashable, CustomStringConvertible {
  fileprivate enum Piece: Equatable {
    case text(String)
    case instant(Timestamp)
  }

  private var pieces: [Piece]

  package init(_ text: String) { pieces = [.text(text)] }

  package static func + (left: Sentence, right: Sentence) -> Sentence {
    var sum = left
    sum.pieces += right.pieces
    return sum
  }

  /// The text with instants as in RFC 3339.
  package var description: String { text { "\($0)" } }

  /// Returns the text with instants in a form of the caller's.
  package func text(_ time: (Timestamp) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .instant(let instant): time(instant)
      }
    }.joined()
  }

  package static func == (left: Sentence, right: Sentence) -> Bool {
    left.description == right.description
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension Sentence: ExpressibleByStringInterpolation {
  /// The pieces of a sentence while it is put together.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }

    package mutating func appendInterpolation(_ instant: Timestamp) {
      pieces.append(.instant(instant))
    }

    package mutating func appendInterpolation(_ sentence: Sentence) { pieces += sentence.pieces }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      pieces.append(.text(value.description))
    }
  }

  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }
}
