import JSONReading
import Models
import Sync

/// The schedule by which an invoice is to be paid: a balance, a deposit, installments.
struct SquarePaymentRequests: Sendable {
  /// What each asks for; together the total of the invoice.
  private(set) var computed: [Money] = []
  /// What was paid on each, cash rounding included.
  private(set) var completed: [Money] = []
  /// The cash rounding of each.
  private(set) var rounding: [Money] = []
  /// The day the last of them is due, when all has to be paid.
  private(set) var dueDate: CalendarDate?

  /// Reads one more.
  mutating func read(_ reader: inout JSONReader) throws {
    try reader.readObject { reader, key in
      switch key {
      case "due_date":
        dueDate = [dueDate, try reader.readOptionalCalendarDate()].compactMap(\.self).max()
      case "computed_amount_money": computed += try Self.money(&reader)
      case "total_completed_amount_money": completed += try Self.money(&reader)
      case "rounding_adjustment_included_money": rounding += try Self.money(&reader)
      default: try reader.skipValue()
      }
    }
  }

  private static func money(_ reader: inout JSONReader) throws -> [Money] {
    try reader.readSquareMoney().map { [$0] } ?? []
  }
}
