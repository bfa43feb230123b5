import ArgumentParser
import Models

/// The days between `--from` and `--to`.
enum DayRange {
  /// Requires that a range is not empty, which is a mistake rather than a wish.
  ///
  /// - Throws: `ValidationError`.
  static func check(_ from: CalendarPeriod?, _ to: CalendarPeriod?) throws {
    guard let from, let to, to.last < from.first else { return }
    throw ValidationError("--from \(from.first) is after --to \(to.last).")
  }
}
