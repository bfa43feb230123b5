import Foundation
import Models
import SystemSupport

/// An instant for people: day and time in the user's time zone, such as `2026-11-22 14:09`.
struct LocalTime: CustomStringConvertible {
  let day: String
  let time: String

  var description: String { day + " " + time }

  init(_ instant: Timestamp, in zone: TimeZone = .current) {
    let date = instant.date
    let local =
      Int(clamping: date.timeIntervalSince1970, rounding: .down) + zone.secondsFromGMT(for: date)
    let minute = (local % 86_400 + 86_400) % 86_400 / 60
    func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    day = CalendarDate.today(in: zone, at: date)?.description ?? instant.description
    time = "\(digits(minute / 60)):\(digits(minute % 60))"
  }
}
