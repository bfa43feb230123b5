/// Rows of text as aligned columns, two spaces apart, safe to show on a terminal.
struct AlignedColumns {
  private let rows: [[String]]
  private let right: Set<Int>
  private let indentation: Int

  /// - Parameters:
  ///   - rows: rows with the same number of cells.
  ///   - right: the right-aligned columns; `nil` aligns the last one.
  ///   - indentation: the number of spaces before each row.
  init(_ rows: [[String]], right: Set<Int>? = nil, indentation: Int = 0) {
    self.rows = rows.map { $0.map { printable($0) } }
    self.right = right ?? [(rows.first?.count ?? 0) - 1]
    self.indentation = indentation
  }

  /// The width of each column: that of its longest cell.
  var widths: [Int] {
    let columns = rows.first?.indices ?? 0..<0
    return columns.map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
  }

  /// The rows as lines; no padding follows the last cell of a row.
  var lines: [String] { lines(widths: widths) }

  /// Returns the rows as lines with columns of given widths; a longer cell moves those after it.
  func lines(widths: [Int]) -> [String] {
    rows.map { row in
      String(repeating: " ", count: indentation)
        + zip(row, widths).enumerated().map { column, cell in
          let padding = String(repeating: " ", count: max(0, cell.1 - DisplayWidth.of(cell.0)))
          if right.contains(column) { return padding + cell.0 }
          return column == row.count - 1 ? cell.0 : cell.0 + padding
        }.joined(separator: "  ")
    }
  }

  var text: String { lines.joined(separator: "\n") }
}
