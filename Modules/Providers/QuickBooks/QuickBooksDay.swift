import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads a day, or `null`.
  mutating func readQuickBooksDay() throws -> CalendarDate? {
    guard let text = try readOptionalString() else { return nil }
    // Some are written with a time or a zone, which a day does not have.
    guard let day = CalendarDate(String(text.prefix(10))) else {
      throw JSONError(reason: .unexpected("not a date"), offset: position)
    }
    return day
  }
}
