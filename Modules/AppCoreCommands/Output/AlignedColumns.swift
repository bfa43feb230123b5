/// Cells as columns of equal width, two spaces apart, as people may be shown them.
struct AlignedColumns {
  private let rows: [[String]]
  private let right: Set<Int>

  /// - Parameters:
  ///   - rows: of equally many cells.
  ///   - right: the columns that are aligned at their right side; `nil` for the last one.
  init(_ rows: [[String]], right: Set<Int>? = nil) {
    self.rows = rows.map { $0.map { printable($0) } }
    self.right = right ?? [(rows.first?.count ?? 0) - 1]
  }

  var text: String {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return right.contains(column) ? padding + cell.0 : cell.0 + padding
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
