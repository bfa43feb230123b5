import ErrorCodes
import Foundation
import TestSupport
import Testing

/// The tables of codes in the guides and in Python, which the code writes or decides.
@Suite(.timeLimit(.minutes(1))) struct ErrorGuideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Compares the text between two markers of a guide with what the code says.
  private func check(_ guide: String, _ lines: [String]) throws {
    try WrittenPart(of: "Modules/AppCore/AppCore.docc/\(guide).md", by: "ErrorGuideTests")
      .check(lines)
  }

  @Test("the guide of codes lists each code, with its exit code and its meaning")
  func codes() throws {
    var rows: [(status: ErrorCodes.ExitStatus, meaning: String, codes: [String])] = []
    for code in ErrorCode.allCases {
      if let last = rows.last, (last.status, last.meaning) == (code.exitStatus, code.meaning) {
        rows[rows.count - 1].codes.append("`\(code.rawValue)`")
      } else {
        rows.append((code.exitStatus, code.meaning, ["`\(code.rawValue)`"]))
      }
    }
    var shown: ErrorCodes.ExitStatus?
    let lines = rows.map { row in
      defer { shown = row.status }
      return "| \(row.status == shown ? "" : row.status.codes + " ")"
        + "| \(row.codes.joined(separator: ", ")) | \(row.meaning) |"
    }
    try check("ErrorCodes", ["| exit code | `code` | cause |", "|---|---|---|"] + lines)
  }

  @Test("the guide of exit codes lists each, with its meaning and the reaction to it")
  func exitCodes() throws {
    let lines = ErrorCodes.ExitStatus.allCases.map { status in
      "| \(status.codes) | \(status.meaning) | \(status.reaction)\(status.reaction.isEmpty ? "" : " ")|"
    }
    try check("ExitCodes", ["| code | meaning | what to do |", "|---|---|---|"] + lines)
  }

  @Test("Python has a class for each code, by its exit code or by its own name")
  func python() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "Modules/AppCoreC/Python/src/appcore/_errors.py"),
      encoding: .utf8)
    func pairs(_ pattern: Regex<(Substring, Substring, Substring)>) -> [String: String] {
      Dictionary(
        text.matches(of: pattern).map { (String($0.1), String($0.2)) }, uniquingKeysWith: { $1 })
    }
    let kinds = pairs(#/\n    ([A-Z_]+) = (\d+)/#)
    let byKind = pairs(#/\n    ErrorKind\.([A-Z_]+): (\w+),/#)
    let byCode = pairs(#/\n    "([a-z-]+)": (\w+),/#)
    let statuses = Set(ErrorCode.allCases.map(\.exitStatus.rawValue))
    #expect(Set(kinds.values) == Set(statuses.map { "\($0)" }))
    // The base class stands for the rest.
    #expect(Set(byKind.keys) == Set(kinds.keys).subtracting(["FAILED"]))
    #expect(Set(byKind.values).count == byKind.count)
    #expect(byCode.keys.allSatisfy { ErrorCode(rawValue: $0) != nil })
  }
}
