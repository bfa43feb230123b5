/// A text whose paragraphs are broken into lines; an indented line is left as it is.
struct WrappedText {
  let lines: [String]

  var text: String { lines.joined(separator: "\n") }

  init(_ text: String, width: Int) {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.count > width, !line.hasPrefix(" ") else {
        lines.append(String(line))
        continue
      }
      var current = ""
      for word in line.split(separator: " ") {
        if !current.isEmpty, current.count + 1 + word.count > width {
          lines.append(current)
          current = ""
        }
        current += (current.isEmpty ? "" : " ") + word
      }
      lines.append(current)
    }
    self.lines = lines
  }
}
