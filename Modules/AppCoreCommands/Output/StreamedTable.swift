import Synchronization

/// Rows as aligned columns, written piece by piece.
///
/// The first thousand rows decide how wide the columns are, so that a list of any length takes the
/// same memory and begins at once.
final class StreamedTable: Sendable {
  private struct State {
    var rows: [[TableCell]] = []
    /// The layout, once it is decided.
    var layout: TableLayout?
  }

  private static let decisive = 1_000
  private let columns: [TableColumn]
  private let style: TableStyle
  private let state = Mutex(State())

  init(_ columns: [TableColumn], style: TableStyle) {
    self.columns = columns
    self.style = style
  }

  /// Returns the lines that are ready once a row is added.
  func add(_ row: [TableCell]) -> String {
    state.withLock { state in
      state.rows.append(row)
      let isReady = state.layout != nil || state.rows.count >= Self.decisive
      return isReady ? lines(of: &state) : ""
    }
  }

  /// Returns the rest of the lines; none if no row was added.
  func end() -> String {
    state.withLock { $0.rows.isEmpty ? "" : lines(of: &$0) }
  }

  private func lines(of state: inout State) -> String {
    var lines: [String] = []
    let layout = state.layout ?? TableLayout(columns, rows: state.rows, style: style)
    if state.layout == nil { lines.append(layout.header) }
    state.layout = layout
    // Of a row that continues another, all columns with values may have been left out.
    lines += state.rows.map(layout.line).filter { !$0.isEmpty }
    state.rows = []
    return lines.map { $0 + "\n" }.joined()
  }
}
