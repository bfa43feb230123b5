import Models
import Sync

extension Timestamp {
  /// The instant as HTTP writes it, such as `Fri, 31 May 2024 08:00:00 GMT` (RFC 9110 section 5.6.7), the
  /// part below a second cut off; empty outside the years 1 to 9999.
  var httpText: String {
    let instant = truncatedToSecond
    guard let day = instant.utcDay else { return "" }
    // The first day of 1970 was a Thursday.
    let weekday = (day.daysSinceEpoch % 7 + 11) % 7
    let date = day.description
    let time = instant.description.dropFirst(date.count + 1).prefix(8)
    return "\(Self.weekdays[weekday]), \(date.suffix(2)) \(Self.months[day.month - 1]) "
      + "\(date.prefix(4)) \(time) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
