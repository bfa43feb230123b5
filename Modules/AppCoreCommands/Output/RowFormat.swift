import Presentation
import Reports
import Synchronization

/// A format of rows, which are written as they are read: a table, CSV, or JSON.
struct RowFormat<Row: Sendable>: Sendable {
  private var beginning = ""
  /// Appends the text of a row, and returns the number of rows of the output that it has.
  private let append: @Sendable (_ row: Row, _ isFirst: Bool, _ text: inout [UInt8]) -> Int
  private var end: @Sendable (_ isEmpty: Bool) -> String = { _ in "" }
  /// The filter for text on a terminal; a pipe or a file receives the text unchanged.
  private let shown: @Sendable (String) -> String

  /// Aligned columns.
  ///
  /// The first thousand lines decide how wide they are, so that a list of any
  /// length takes the same memory and begins at once.
  ///
  /// - Parameter cells: returns the lines of a row; they have the columns of the table.
  static func table(
    _ columns: [TableColumn], _ style: TableStyle,
    cells: @escaping @Sendable (Row) -> [[TableCell]]
  ) -> RowFormat {
    let table = PendingTable(columns, style: style)
    // The cells were filtered one by one.
    var format = RowFormat { row, _, text in
      table.add(cells(row), to: &text)
      return 1
    }
    format.end = { _ in table.end() }
    return format
  }

  static func csv(_ table: CSVTable<Row>) -> RowFormat {
    var format = RowFormat(shown: TerminalText.csv) { row, _, text in
      let rows = table.rows(of: row)
      for row in rows { text += row.utf8 }
      return rows.count
    }
    format.beginning = table.header
    return format
  }

  /// One JSON document with a list of this name.
  ///
  /// - Parameter append: appends a row as one line of JSON.
  static func json(
    _ name: String, isPretty: Bool, _ append: @escaping @Sendable (Row, inout [UInt8]) -> Void
  ) -> RowFormat {
    let frame = JSONFrame(name: name, isPretty: isPretty)
    var format = RowFormat(shown: TerminalText.json) { row, isFirst, text in
      frame.append(isFirst: isFirst, to: &text) { append(row, &$0) }
      return 1
    }
    format.beginning = frame.beginning
    format.end = { frame.end(isEmpty: $0) }
    return format
  }

  /// One JSON document per row, each on its own line.
  static func jsonLines(
    _ append: @escaping @Sendable (Row, inout [UInt8]) -> Void
  ) -> RowFormat {
    RowFormat(shown: TerminalText.json) { row, _, text in
      append(row, &text)
      text.append(UInt8(ascii: "\n"))
      return 1
    }
  }

  /// Text that comes piece by piece.
  static func text() -> RowFormat where Row == [UInt8] {
    RowFormat(shown: TerminalText.lines) { piece, _, text in
      text += piece
      return 1
    }
  }

  private init(
    shown: @escaping @Sendable (String) -> String = { $0 },
    _ append: @escaping @Sendable (Row, Bool, inout [UInt8]) -> Int
  ) {
    (self.append, self.shown) = (append, shown)
  }

  /// Writes the rows that `forEach` reads, as they are read.
  ///
  /// - Parameter forEach: calls a function with each row. The function blocks until the reader has
  ///   taken the text, so it is not called from a task.
  /// - Returns: the number of rows.
  func write(
    to terminal: Terminal,
    _ forEach: (_ body: @escaping @Sendable (Row) throws -> Void) async throws -> Void
  ) async throws -> Int {
    let buffer = RowBuffer(terminal.output, shown: shown)
    do {
      buffer.add { $0 += beginning.utf8 }
      try await forEach { row in try buffer.addRows { append(row, $0, &$1) } }
      let last = end(buffer.count == 0)
      buffer.add { $0 += last.utf8 }
      try await terminal.thread.run { Result { try buffer.flush() } }.get()
    } catch is ReaderLeft {
      // The reader wants no more, as after `| head`.
    }
    return buffer.count
  }
}

private final class RowBuffer: Sendable {
  private struct State {
    var text: [UInt8] = []
    var count = 0
  }

  private static let size = 1 << 16
  private let state = Mutex(State())
  private let output: any TextSink
  private let shown: (@Sendable (String) -> String)?

  init(_ output: any TextSink, shown: @escaping @Sendable (String) -> String) {
    self.output = output
    self.shown = output.isTerminal ? shown : nil
  }

  /// The number of rows.
  var count: Int { state.withLock { $0.count } }

  /// Adds a text, however full the buffer is.
  func add(_ append: (inout [UInt8]) -> Void) {
    state.withLock { add(to: &$0, append) }
  }

  /// Adds the text of rows, whose number the function returns, and writes the buffer when it is
  /// full.
  func addRows(_ append: (_ areFirst: Bool, inout [UInt8]) -> Int) throws {
    let isFull = state.withLock { state in
      let areFirst = state.count == 0
      var count = 0
      add(to: &state) { count = append(areFirst, &$0) }
      state.count += count
      return state.text.count >= Self.size
    }
    if isFull { try flush() }
  }

  private func add(to state: inout State, _ append: (inout [UInt8]) -> Void) {
    guard let shown else { return append(&state.text) }
    var text: [UInt8] = []
    append(&text)
    state.text += shown(String(decoding: text, as: UTF8.self)).utf8
  }

  func flush() throws {
    var text: [UInt8] = []
    state.withLock { swap(&$0.text, &text) }
    let outcome = output.write(text)
    // The next rows take the place of these: a new buffer of this size is mapped page by page.
    text.removeAll(keepingCapacity: true)
    state.withLock { if $0.text.isEmpty { swap(&$0.text, &text) } }
    if outcome == .readerLeft { throw ReaderLeft() }
    try outcome.check()
  }
}

/// The error thrown if nobody reads standard output any more, as after `| head`.
private struct ReaderLeft: Error {}

/// The lines of a table, which wait until its layout is decided.
private final class PendingTable: Sendable {
  private struct State {
    var lines: [[TableCell]] = []
    var layout: TableLayout?
  }

  private static let decisive = 1_000
  private let columns: [TableColumn]
  private let style: TableStyle
  private let state = Mutex(State())

  init(_ columns: [TableColumn], style: TableStyle) {
    (self.columns, self.style) = (columns, style)
  }

  /// Adds lines, and appends what is ready then.
  func add(_ lines: [[TableCell]], to output: inout [UInt8]) {
    state.withLock { state in
      state.lines += lines
      guard state.layout != nil || state.lines.count >= Self.decisive else { return }
      output += text(of: &state).utf8
    }
  }

  func end() -> String {
    state.withLock { $0.lines.isEmpty ? "" : text(of: &$0) }
  }

  private func text(of state: inout State) -> String {
    var lines: [String] = []
    let layout = state.layout ?? TableLayout(columns, rows: state.lines, style: style)
    if state.layout == nil { lines.append(layout.header) }
    state.layout = layout
    // Of a row that continues another, all columns with values may have been left out.
    lines += state.lines.map(layout.line).filter { !$0.isEmpty }
    state.lines = []
    return lines.map { $0 + "\n" }.joined()
  }
}
