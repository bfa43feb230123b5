import AppCore
import ArgumentParser

struct TableColumn {
  let name: String
  var isRight = false
  /// The number of cells to which values may be shortened; `nil` if they are shown whole.
  var shortest: Int?
  /// The number of cells below which other columns are left out rather than shortening this one;
  /// `nil` takes ``shortest``.
  var preferred: Int?
  /// True to shorten in the middle: the names of accounts often begin alike.
  var keepsEnd = false
  /// The width of a terminal below which the column is left out.
  var leastWidth = 0
  /// The order in which columns are left out if the others do not fit; `nil` for those that stay.
  var omission: Int?

  /// The account, in a table of several accounts.
  static let account = TableColumn(name: "ACCOUNT", shortest: 12, keepsEnd: true)
}

/// A value of a table, safe to show on a terminal.
struct TableCell {
  let text: String
  let color: TextColor?

  init(_ text: String, _ color: TextColor? = nil) {
    self.text = printable(text)
    self.color = color
  }
}

/// The columns of a table and their widths, two spaces apart.
struct TableLayout {
  private let shown: [(column: Int, width: Int)]
  private let columns: [TableColumn]
  private let style: TableStyle

  private static let gap = 2

  init(_ columns: [TableColumn], rows: [[TableCell]], style: TableStyle) {
    self.columns = columns
    self.style = style
    let wanted = columns.indices.map { column in
      rows.reduce(DisplayWidth.of(columns[column].name)) {
        max($0, DisplayWidth.of($1[column].text))
      }
    }
    guard let width = style.width else {
      shown = wanted.enumerated().map { ($0.offset, $0.element) }
      return
    }
    var kept = columns.indices.filter { columns[$0].leastWidth <= width }
    func least(_ column: Int) -> Int { min(wanted[column], columns[column].shortest ?? .max) }
    func preferred(_ column: Int) -> Int {
      max(least(column), min(wanted[column], columns[column].preferred ?? 0))
    }
    while kept.map(preferred).reduce(0, +) + Self.gap * (kept.count - 1) > width,
      let next = kept.filter({ columns[$0].omission != nil })
        .min(by: { columns[$0].omission ?? 0 < columns[$1].omission ?? 0 })
    {
      kept.removeAll { $0 == next }
    }
    var widths = kept.map { wanted[$0] }
    var excess = widths.reduce(0, +) + Self.gap * (kept.count - 1) - width
    while excess > 0 {
      // The widest of those that can be shortened gives way first.
      let candidates = kept.indices.filter { widths[$0] > least(kept[$0]) }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    shown = zip(kept, widths).map { ($0, $1) }
  }

  /// Returns left-aligned values as lines, without a header and as wide as they are.
  static func lines(_ rows: [[String]]) -> [String] {
    let cells = rows.map { $0.map { TableCell($0) } }
    let columns = (rows.first ?? []).map { _ in TableColumn(name: "") }
    let layout = TableLayout(columns, rows: cells, style: .plain)
    return cells.map { layout.line($0) }
  }

  /// The number of cells that the columns leave free; `nil` if there is no terminal.
  var room: Int? {
    style.width.map { $0 - shown.map(\.width).reduce(0, +) - Self.gap * (shown.count - 1) }
  }

  var header: String { line(columns.map { TableCell($0.name, .bold) }) }

  /// Returns a row as a line; no padding follows its last value.
  func line(_ row: [TableCell]) -> String {
    let line = shown.enumerated().map { index, place in
      let (column, cell) = (columns[place.column], row[place.column])
      let isShort = style.isTerminal && column.shortest != nil
      let text =
        isShort
        ? DisplayWidth.shortened(cell.text, to: place.width, keepsEnd: column.keepsEnd) : cell.text
      let padding = String(repeating: " ", count: max(0, place.width - DisplayWidth.of(text)))
      let colored = style.colored(text, cell.color)
      if column.isRight { return padding + colored }
      return index == shown.count - 1 ? colored : colored + padding
    }.joined(separator: String(repeating: " ", count: Self.gap))
    // Right-aligned cells at the end may be empty. Bytes, because letters cost more than the line.
    let bytes = line.utf8
    var end = bytes.endIndex
    while end > bytes.startIndex {
      let last = bytes.index(before: end)
      guard bytes[last] == UInt8(ascii: " ") else { break }
      end = last
    }
    return String(line[..<end])
  }
}

/// The way in which text for people is shown: the width of the terminal, and colours.
struct TableStyle: Sendable {
  /// The number of columns of the terminal; `nil` for a pipe or a file, which gets whole values.
  let width: Int?
  let inColor: Bool
  let bar: Character
  /// The organisations of the accounts that the table shows.
  var organisations = OrganisationNames()

  static let plain = TableStyle(width: nil, inColor: false, bar: "#")

  var isTerminal: Bool { width != nil }

  private static let usualWidth = 80
  /// The smallest width that columns are fitted to.
  private static let smallest = 20

  private init(width: Int?, inColor: Bool, bar: Character) {
    (self.width, self.inColor, self.bar) = (width, inColor, bar)
  }

  /// - Parameter terminal: the destination of the output.
  init(_ color: ColorChoice, _ terminal: Terminal, _ variables: [String: String]) {
    let sink = terminal.output
    inColor = color.allows(onTerminal: sink.isTerminal, environment: variables)
    bar = variables["TERM"] == "dumb" ? "#" : "█"
    guard sink.isTerminal else {
      width = nil
      return
    }
    let found = sink.columns ?? variables["COLUMNS"].flatMap { Int($0) } ?? Self.usualWidth
    width = found > 0 ? max(found, Self.smallest) : Self.usualWidth
  }

  func colored(_ text: String, _ color: TextColor?) -> String {
    guard inColor, let color else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
  }
}

/// The colours of text (ECMA-48 SGR).
enum TextColor: String {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
}

/// The values of `--color`, which decide if the log is in colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  /// In colour on a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
  case auto
  case always
  case never

  func allows(onTerminal isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}
