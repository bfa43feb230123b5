import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads a date, or `null`.
  mutating func readQuickBooksDay() throws -> CalendarDate? {
    guard let text = try readOptionalString() else { return nil }
    // Some dates are written with a time or a zone.
    guard let day = CalendarDate(String(text.prefix(10))) else {
      throw JSONError(reason: .unexpected("not a date"), offset: position)
    }
    return day
  }
}
