import Models
import SystemSupport

/// The bars beside sums, whose lengths compare the sums of one currency.
struct Bars {
  /// The smallest and the largest number of cells of the longest bar.
  private static let least = 8
  private static let most = 40
  private static let eighths = Array("▏▎▍▌▋▊▉")

  private let width: Int
  private let style: TableStyle
  private let longest: [Currency: Double]

  /// - Parameter room: the number of cells beside the table.
  /// - Returns: `nil` if there is no terminal, or no room.
  init?(_ sums: [(Currency, DecimalSum)], room: Int?, style: TableStyle) {
    guard let room, room - 2 >= Self.least else { return nil }
    width = min(room - 2, Self.most)
    self.style = style
    longest = Dictionary(sums.map { ($0.0, Self.length($0.1)) }, uniquingKeysWith: max)
  }

  /// Returns the bar of a sum, with the gap before it; empty for zero.
  func text(_ sum: DecimalSum, in currency: Currency) -> String {
    let (length, longest) = (Self.length(sum), longest[currency] ?? 0)
    guard longest > 0, length > 0 else { return "" }
    let parts = max(1, Int(clamping: length / longest * Double(width) * 8))
    var bar = String(repeating: style.bar, count: style.bar == "█" ? parts / 8 : (parts + 7) / 8)
    if style.bar == "█", parts % 8 > 0 { bar.append(Self.eighths[parts % 8 - 1]) }
    return "  " + style.colored(bar, sum < .zero ? .red : .cyan)
  }

  /// A picture's length, for which a floating-point number is exact enough.
  private static func length(_ sum: DecimalSum) -> Double { abs(Double(sum.description) ?? 0) }
}
