import JSONReading
import Models
import Sync

/// The payment schedule of an invoice: a balance, a deposit, installments.
struct SquarePaymentRequests: Sendable {
  /// The number of payment requests.
  private var count = 0
  /// True if the amount of each request is computed; a draft may lack some.
  var isComputed: Bool { count > 0 && computed.count == count }
  /// The requested amounts, which add up to the total of the invoice.
  var computed: [Money?] { computedAmounts.map { $0.money(in: currency) } }
  /// The paid amounts, including cash rounding.
  var completed: [Money?] { completedAmounts.map { $0.money(in: currency) } }
  /// The amounts of cash rounding.
  var rounding: [Money?] { roundingAmounts.map { $0.money(in: currency) } }
  /// The last due date, by which everything must be paid.
  private(set) var dueDate: CalendarDate?

  private var computedAmounts: [SquareAmount] = []
  private var completedAmounts: [SquareAmount] = []
  private var roundingAmounts: [SquareAmount] = []

  /// The currency of amounts that name none: all amounts of an invoice have the same.
  private var currency: Currency? {
    (computedAmounts + completedAmounts + roundingAmounts).lazy.compactMap(\.currency).first
  }

  /// Reads one more payment request.
  mutating func read(_ reader: inout JSONReader) throws {
    count += 1
    try reader.readObject { reader, key in
      switch key {
      case "due_date":
        dueDate = [dueDate, try reader.readOptionalCalendarDate()].compactMap(\.self).max()
      case "computed_amount_money": computedAmounts += try Self.amount(&reader)
      case "total_completed_amount_money": completedAmounts += try Self.amount(&reader)
      case "rounding_adjustment_included_money": roundingAmounts += try Self.amount(&reader)
      default: try reader.skipValue()
      }
    }
  }

  private static func amount(_ reader: inout JSONReader) throws -> [SquareAmount] {
    try SquareAmount(&reader).map { [$0] } ?? []
  }
}
