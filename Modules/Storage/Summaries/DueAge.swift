import GRDB
import Models

/// The age of an amount due: the number of days since its due date, as a range.
///
/// Every sum by age uses these ranges. An invoice is late from the day after its due date on.
public enum DueAge: String, Sendable, Hashable, CaseIterable {
  /// Due on the day of the report or later.
  case notDue = "not-due"
  /// 1 to 30 days late.
  case upTo30 = "1-30"
  /// 31 to 60 days late.
  case upTo60 = "31-60"
  /// 61 to 90 days late.
  case upTo90 = "61-90"
  /// More than 90 days late.
  case over90 = "over-90"
  /// Without a due date.
  case undated

  /// True if payment is late.
  public var isOverdue: Bool { self != .notDue && self != .undated }

  /// The last days of the ages in which payment is late; the last one has no end.
  private static let ends = [30, 60, 90]

  /// Returns the SQL expression for an age on a day, as an index of ``allCases``.
  ///
  /// - Parameter column: the day since which the age counts.
  static func expression(
    on day: CalendarDate, of column: String
  ) -> (sql: String, arguments: StatementArguments) {
    // Days are texts of one length, so that they compare as texts. The calendar has an end, and no
    // invoice is older.
    let starts = ([0] + ends).map {
      CalendarDate(daysSinceEpoch: day.daysSinceEpoch - $0)?.description ?? ""
    }
    let ages = starts.indices.map { "WHEN \(column) >= ? THEN \($0) " }.joined()
    return (
      "CASE WHEN \(column) IS NULL THEN \(starts.count + 1) \(ages)ELSE \(starts.count) END",
      StatementArguments(starts)
    )
  }

  /// Returns the age with an index that the expression gives.
  static func at(_ index: Int) -> DueAge? {
    allCases.indices.contains(index) ? allCases[index] : nil
  }
}
