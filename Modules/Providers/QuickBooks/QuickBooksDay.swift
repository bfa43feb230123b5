import JSONReading
import Models
import Sync

extension JSONReader {
  /// Reads a date, which a record can lack.
  mutating func readQuickBooksDay() throws -> CalendarDate? {
    // Some dates are written with a time or a zone.
    let day = try readOptionalText {
      CalendarDate(utf8: $0.extracting(0..<min($0.count, 10)))
    }
    return day.flatMap { $0.isPlaceholder ? nil : $0 }
  }
}
