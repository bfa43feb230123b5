import JSONReading
import Models
import Sync

/// The payment schedule of an invoice: a balance, a deposit, installments.
struct SquarePaymentRequests: Sendable {
  /// The requested amounts, which add up to the total of the invoice.
  private(set) var computed: [Money] = []
  /// The paid amounts, including cash rounding.
  private(set) var completed: [Money] = []
  /// The amounts of cash rounding.
  private(set) var rounding: [Money] = []
  /// The last due date, by which everything must be paid.
  private(set) var dueDate: CalendarDate?

  /// Reads one more payment request.
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
