import Foundation
import SystemSupport

/// A scale with round ticks, which holds a range of values and zero.
struct AxisScale: Equatable {
  /// The ticks, the lowest first; zero is among them.
  let ticks: [Double]

  var low: Double { ticks.first ?? 0 }
  var high: Double { ticks.last ?? 1 }

  /// - Parameter intervals: the wanted number of intervals; there can be one or two more.
  init(_ values: some Sequence<Double>, intervals: Int = 4) {
    let values = values.filter(\.isFinite)
    let (least, most) = (min(0, values.min() ?? 0), max(0, values.max() ?? 0))
    let step = Self.roundStep((most - least) / Double(intervals))
    let first = Int(clamping: least / step, rounding: .down)
    let last = max(Int(clamping: most / step, rounding: .up), first + 1)
    ticks = (first...last).map { Double($0) * step }
  }

  /// Returns the position of a value, from 0 at the top to 1 at the bottom.
  func position(_ value: Double) -> Double {
    (high - min(max(value, low), high)) / (high - low)
  }

  /// Returns a tick as short text, such as `1.5k`.
  func text(_ tick: Double) -> String {
    let units: [(Double, String)] = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")]
    let size = max(abs(low), abs(high))
    let (unit, letter) = units.first { size >= $0.0 } ?? (1, "")
    let number = abs(tick) / unit
    let digits =
      number == number.rounded() ? String(format: "%.0f", number) : String(format: "%g", number)
    return (tick < 0 ? "\u{2212}" : "") + digits + (tick == 0 ? "" : letter)
  }

  /// Returns the smallest of 1, 2, 2.5, 5 and their powers of ten that is not below a value.
  private static func roundStep(_ value: Double) -> Double {
    guard value > 0 else { return 1 }
    let power = pow(10, log10(value).rounded(.down))
    let step = [1, 2, 2.5, 5].first { $0 * power >= value * 0.999_999 } ?? 10
    return step * power
  }
}
