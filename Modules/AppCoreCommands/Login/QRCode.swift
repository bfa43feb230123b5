import CQRencode

/// A QR code (ISO/IEC 18004) as text for a terminal; each character shows two modules, one above
/// the other.
struct QRCode {
  private let width: Int
  private let isDark: [Bool]

  /// Encodes a text; returns `nil` if it is too long for a QR code.
  init?(_ text: String) {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let modules = code.pointee.data else { return nil }
    self.width = width
    isDark = (0..<(width * width)).map { modules[$0] & 1 == 1 }
  }

  /// The number of columns that the text takes.
  var columns: Int { width + 8 }

  /// The code for a terminal with light text on a dark background, with the quiet zone of four
  /// modules that scanners need.
  var text: String {
    let rows = stride(from: -4, to: width + 4, by: 2).map { row in
      (-4..<(width + 4)).map { column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
      }.joined()
    }
    return rows.joined(separator: "\n")
  }

  private func isLight(_ row: Int, _ column: Int) -> Bool {
    guard 0..<width ~= row, 0..<width ~= column else { return true }
    return !isDark[row * width + column]
  }
}
