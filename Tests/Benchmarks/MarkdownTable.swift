import Foundation

/// A table in Markdown, printed row by row: into a pipe too, each row is there once it is measured.
struct MarkdownTable {
  /// Prints the title and the header.
  ///
  /// - Parameter columns: the titles of the columns after the first, which names the row.
  init(title: String, columns: [String]) {
    print("\n\(title)\n\n| | \(columns.joined(separator: " | ")) |")
    print("|---" + String(repeating: "|---:", count: columns.count) + "|")
    fflush(nil)
  }

  func row(_ name: String, _ cells: String...) {
    print("| \(name) | \(cells.joined(separator: " | ")) |")
    fflush(nil)
  }
}

extension Double {
  /// The number with this many digits after the point; a dash if there is none.
  func digits(_ count: Int) -> String { isNaN ? "–" : String(format: "%.\(count)f", self) }
}
