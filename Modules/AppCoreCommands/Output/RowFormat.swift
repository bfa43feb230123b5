import Documents
import Reports
import Synchronization

/// A format of rows, which are written as they are read: a table, CSV, or JSON.
struct RowFormat<Row: Sendable>: Sendable {
  private var beginning = ""
  /// Returns the text of a row, and the number of rows of the output that it has.
  private let text: @Sendable (_ row: Row, _ isFirst: Bool) -> (text: [UInt8], count: Int)
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
    var format = RowFormat(text: { row, _ in (table.add(cells(row)), 1) }, shown: { $0 })
    format.end = { _ in table.end() }
    return format
  }

  static func csv(_ table: CSVTable<Row>) -> RowFormat {
    var format = RowFormat(
      text: { row, _ in
        let rows = table.rows(of: row)
        return (Array(rows.joined().utf8), rows.count)
      }, shown: TerminalText.csv)
    format.beginning = table.header
    return format
  }

  /// One JSON document with a list of this name.
  static func json(
    _ name: String, isPretty: Bool, _ element: @escaping @Sendable (Row) -> [UInt8]
  ) -> RowFormat {
    let frame = JSONFrame(name: name, isPretty: isPretty)
    var format = RowFormat(
      text: { (frame.element(json: element($0), isFirst: $1), 1) }, shown: TerminalText.json)
    format.beginning = frame.beginning
    format.end = { frame.end(isEmpty: $0) }
    return format
  }

  /// One JSON document per row, each on its own line.
  static func jsonLines(_ element: @escaping @Sendable (Row) -> [UInt8]) -> RowFormat {
    RowFormat(
      text: { row, _ in (element(row) + [UInt8(ascii: "\n")], 1) }, shown: TerminalText.json)
  }

  private init(
    text: @escaping @Sendable (_ row: Row, _ isFirst: Bool) -> (text: [UInt8], count: Int),
    shown: @escaping @Sendable (String) -> String
  ) {
    (self.text, self.shown) = (text, shown)
  }

  /// Writes the rows that `forEach` reads, as they are read.
  ///
  /// - Parameter forEach: calls a function with each row. The function blocks until the reader has
  ///   taken the text, so it is not called from a task.
  /// - Returns: the number of rows of the output.
  func write(
    to terminal: Terminal,
    _ forEach: (_ body: @escaping @Sendable (Row) throws -> Void) async throws -> Void
  ) async throws -> Int {
    let buffer = RowBuffer(terminal.output, shown: shown)
    do {
      buffer.add(Array(beginning.utf8))
      try await forEach { row in
        let (text, count) = text(row, buffer.counted == 0)
        try buffer.write(text, count: count)
      }
      buffer.add(Array(end(buffer.counted == 0).utf8))
      try await terminal.thread.run { Result { try buffer.flush() } }.get()
    } catch is ReaderLeft {
      // The reader wants no more, as after `| head`.
    }
    return buffer.counted
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

  /// The number of rows so far.
  var counted: Int { state.withLock { $0.count } }

  /// Appends a text, however full the buffer is.
  func add(_ text: [UInt8]) {
    let text = shown.map { Array($0(String(decoding: text, as: UTF8.self)).utf8) } ?? text
    state.withLock { $0.text += text }
  }

  /// Appends the text of rows, and writes the buffer when it is full.
  func write(_ text: [UInt8], count: Int) throws {
    add(text)
    let isFull = state.withLock { state in
      state.count += count
      return state.text.count >= Self.size
    }
    if isFull { try flush() }
  }

  func flush() throws {
    let text = state.withLock { state in
      defer { state.text = [] }
      return state.text
    }
    let outcome = output.write(text)
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

  /// Returns the text that is ready once lines are added.
  func add(_ lines: [[TableCell]]) -> [UInt8] {
    state.withLock { state in
      state.lines += lines
      let isReady = state.layout != nil || state.lines.count >= Self.decisive
      return isReady ? Array(text(of: &state).utf8) : []
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
