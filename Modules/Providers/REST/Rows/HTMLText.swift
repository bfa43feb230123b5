import Sync

/// A text with tags and entities of HTML.
struct HTMLText {
  private let html: [Unicode.Scalar]
  /// Index of the last `>`; a `<` after it begins no tag.
  private let lastEnd: Int

  init(_ html: String) {
    self.html = Array(html.unicodeScalars)
    lastEnd = self.html.lastIndex(of: ">") ?? -1
  }

  var plain: String {
    var text = String.UnicodeScalarView()
    var index = 0
    // True while the current line has no visible text.
    var isAtStart = true
    while index < html.count {
      let scalar = html[index]
      if scalar == "<", let tag = tag(at: index) {
        index = tag.end
        if Self.breaking.contains(tag.name) || (Self.blocks.contains(tag.name) && !isAtStart) {
          text.append("\n")
          isAtStart = true
        }
        if Self.hidden.contains(tag.name) { index = end(of: tag.name, from: index) }
      } else if scalar == "&", let entity = entity(at: index) {
        text.append(contentsOf: entity.text.unicodeScalars)
        isAtStart = false
        index = entity.end
      } else {
        // A line break in the source counts as a space.
        let isBlank = scalar.properties.isWhitespace && scalar != "\u{A0}"
        text.append(isBlank ? " " : scalar)
        isAtStart = isAtStart && isBlank
        index += 1
      }
    }
    return Self.tidied(String(text))
  }

  /// The elements that always break the line, which can leave an empty one.
  private static let breaking: Set<String> = ["br", "p"]

  /// The elements that begin on a line of their own.
  private static let blocks: Set<String> = [
    "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote",
    "pre",
  ]

  /// The elements whose content is not shown.
  private static let hidden: Set<String> = ["script", "style"]

  private static let entities = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "euro": "\u{20AC}",
    "pound": "\u{A3}", "yen": "\u{A5}", "sect": "\u{A7}", "copy": "\u{A9}", "reg": "\u{AE}",
    "deg": "\u{B0}", "auml": "\u{E4}", "ouml": "\u{F6}", "uuml": "\u{FC}", "Auml": "\u{C4}",
    "Ouml": "\u{D6}", "Uuml": "\u{DC}", "szlig": "\u{DF}", "eacute": "\u{E9}", "egrave": "\u{E8}",
    "agrave": "\u{E0}", "ccedil": "\u{E7}", "ndash": "\u{2013}", "mdash": "\u{2014}",
    "hellip": "\u{2026}", "bull": "\u{2022}", "middot": "\u{B7}",
  ]

  /// Returns the tag or comment that begins at a `<`; `nil` if the `<` is ordinary text.
  private func tag(at start: Int) -> (name: String, end: Int)? {
    guard start < lastEnd, let name = name(at: start), let end = html[start...].firstIndex(of: ">")
    else { return nil }
    return (name, end + 1)
  }

  /// Returns the name after a `<` or `</`, which is empty for a comment; `nil` if there is none.
  private func name(at start: Int) -> String? {
    var index = start + 1
    if index < html.count, html[index] == "/" { index += 1 }
    guard index < html.count, html[index].properties.isAlphabetic || html[index] == "!" else {
      return nil
    }
    let word = html[index...].prefix { Self.isWord($0) }
    return String(String.UnicodeScalarView(word)).lowercased()
  }

  private func end(of name: String, from start: Int) -> Int {
    var index = start
    while let open = html[index...].firstIndex(of: "<") {
      if open + 1 < html.count, html[open + 1] == "/", self.name(at: open) == name {
        return tag(at: open)?.end ?? html.count
      }
      index = open + 1
    }
    return html.count
  }

  /// Returns the entity that begins at a `&`; `nil` if the `&` is ordinary text.
  private func entity(at start: Int) -> (text: String, end: Int)? {
    let longest = html[(start + 1)...].prefix(12)
    guard let end = longest.firstIndex(of: ";") else { return nil }
    let name = String(String.UnicodeScalarView(longest[..<end]))
    if let text = Self.entities[name] { return (text, end + 1) }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    guard let number = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    return (scalar.properties.isWhitespace ? " " : String(scalar), end + 1)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  private static func tidied(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !words.isEmpty || lines.last?.isEmpty == false { lines.append(words) }
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
