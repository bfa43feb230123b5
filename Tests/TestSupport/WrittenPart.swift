import Foundation

/// A part of a guide, or of a file of settings, that the code writes, between two markers.
public struct WrittenPart {
  private let file: URL
  private let start: String
  private let end: String

  /// - Parameters:
  ///   - path: the file, from the root of the package: Markdown or YAML.
  ///   - suite: the test suite that writes the part, which the first marker names.
  public init(of path: String, by suite: String) {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
    let isMarkdown = path.hasSuffix(".md")
    start = isMarkdown ? "<!-- written by \(suite) -->" : "# written by \(suite)"
    end = isMarkdown ? "<!-- end -->" : "# end"
  }

  /// A part that differs from what the code makes, or that is not marked exactly once.
  private struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  /// Compares the part with the lines that the code makes.
  ///
  /// After a change, `APPCORE_RECORD=1 swift test --filter Guide` writes the lines into the file.
  ///
  /// - Throws: an error with the first line that differs.
  public func check(_ lines: [String]) throws {
    var text = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let starts = text.indices.filter { text[$0].trimmingCharacters(in: .whitespaces) == start }
    guard starts.count == 1,
      let last = text[starts[0]...].firstIndex(where: {
        $0.trimmingCharacters(in: .whitespaces) == end
      })
    else { throw Mistake(description: "\(file.lastPathComponent) does not have one \(start)") }
    let part = text[(starts[0] + 1)..<last]
    if ProcessInfo.processInfo.environment["APPCORE_RECORD"] == "1" {
      text.replaceSubrange(part.indices, with: lines)
      return try Data(text.joined(separator: "\n").utf8).write(to: file)
    }
    guard !part.elementsEqual(lines) else { return }
    let same = zip(part, lines).prefix { $0 == $1 }.count
    throw Mistake(
      description: """
        \(file.lastPathComponent), line \(part.startIndex + same + 1) should be \
        '\(same < lines.count ? lines[same] : end)'; record it: APPCORE_RECORD=1 swift test \
        --filter Guide
        """)
  }

  /// Returns the lines of a table.
  public static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    ([header] + [header.map { _ in "---" }] + rows).map { row in
      row.first == "---"
        ? "|" + row.joined(separator: "|") + "|" : "| " + row.joined(separator: " | ") + " |"
    }
  }
}
