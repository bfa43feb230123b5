/// The way in which text for people is shown: the width of the terminal, and colours.
struct TableStyle: Sendable {
  /// The number of columns of the terminal; `nil` for a pipe or a file, which gets whole values.
  let width: Int?
  let inColor: Bool
  /// The character of bars.
  let bar: Character

  /// The style of a pipe or a file.
  static let plain = TableStyle(width: nil, inColor: false, bar: "#")

  /// True if the output goes to a terminal.
  var isTerminal: Bool { width != nil }

  private static let usualWidth = 80
  /// The smallest width that columns are fitted to.
  private static let smallest = 20

  private init(width: Int?, inColor: Bool, bar: Character) {
    (self.width, self.inColor, self.bar) = (width, inColor, bar)
  }

  /// - Parameter sink: the destination of the output.
  init(_ color: ColorChoice, sink: any TextSink, variables: [String: String]) {
    inColor = color.allows(onTerminal: sink.isTerminal, environment: variables)
    bar = variables["TERM"] == "dumb" ? "#" : "█"
    guard sink.isTerminal else {
      width = nil
      return
    }
    let found = sink.columns ?? variables["COLUMNS"].flatMap { Int($0) } ?? Self.usualWidth
    width = found > 0 ? max(found, Self.smallest) : Self.usualWidth
  }

  /// Returns a text in a colour, if colours are shown.
  func colored(_ text: String, _ color: TextColor?) -> String {
    guard inColor, let color else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
  }
}

/// The colours of text (ECMA-48 SGR).
enum TextColor: String {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
}
