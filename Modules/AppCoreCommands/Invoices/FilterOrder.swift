import AppCore
import ArgumentParser
import Models

/// The order of the options that name the two ends of a range.
enum FilterOrder {
  /// Requires that `--from` is not after `--to`.
  ///
  /// - Throws: `ValidationError`.
  static func check(from: CalendarPeriod?, to: CalendarPeriod?) throws {
    try validating { try FilterValue.checkOrder(from: from, to: to, prefix: "--") }
  }

  /// Requires that `--max` is not less than `--min`.
  ///
  /// - Throws: `ValidationError`.
  static func check(min: ExactDecimal?, max: ExactDecimal?) throws {
    try validating { try FilterValue.checkOrder(min: min, max: max, prefix: "--") }
  }

  private static func validating(_ check: () throws -> Void) throws {
    do { try check() } catch let error as InvalidFilterValue {
      throw ValidationError(error.description + ".")
    }
  }
}
