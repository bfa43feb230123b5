import Foundation
public import Testing

/// A part of a guide that the code writes, between two markers.
public struct WrittenPart {
  private let file: URL
  private let start: String

  /// - Parameters:
  ///   - path: the guide, from the root of the package.
  ///   - suite: the test suite that writes the part, which the first marker names.
  public init(of path: String, by suite: String) {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
    start = "<!-- written by \(suite) -->\n"
  }

  /// Compares the part with the lines that the code makes.
  ///
  /// After a change, `APPCORE_RECORD=1 swift test --filter Guide` writes the lines into the guide.
  public func check(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let end = "<!-- end -->\n"
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: start)
    let rest = try #require(
      parts.last?.components(separatedBy: end), sourceLocation: sourceLocation)
    #expect(
      parts.count == 2 && rest.count >= 2, "\(file.lastPathComponent) has no such part",
      sourceLocation: sourceLocation)
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["APPCORE_RECORD"] == "1" {
      let after = rest.dropFirst().joined(separator: end)
      return try Data((parts[0] + start + text + end + after).utf8).write(to: file)
    }
    #expect(rest[0] == text, sourceLocation: sourceLocation)
  }

  /// Returns the lines of a table.
  public static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    ([header] + [header.map { _ in "---" }] + rows).map { row in
      row.first == "---"
        ? "|" + row.joined(separator: "|") + "|" : "| " + row.joined(separator: " | ") + " |"
    }
  }
}
