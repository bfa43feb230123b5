import Foundation
import Models
import SystemSupport

/// Numbers, durations, instants and named values as people write them.
enum HumanText {
  /// Returns a count with its noun, such as `1 invoice` or `12 750 invoices`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
  }

  static func count(_ number: Int, _ resource: Resource) -> String {
    let words = resource.words
    return words.hasSuffix("s")
      ? count(number, String(words.dropLast())) : "\(number.grouped) of the \(words)"
  }

  /// Returns the first of several names and the number of the others, such as `a, b and 38 others`.
  static func some(_ names: [String]) -> String {
    let shown = names.count > 3 ? names.prefix(2) : names[...]
    let others = names.count - shown.count
    return shown.joined(separator: ", ") + (others > 0 ? " and \(others) others" : "")
  }

  /// Returns a line of a sheet: the name of a field, and its value in a column.
  static func line(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(1, 11 - name.count)) + printable(value)
  }

  /// Returns a number of bytes, such as `340 B`, `12.5 kB` or `1.2 GB`.
  static func size(_ bytes: Int) -> String {
    var (value, unit) = (Double(bytes), "B")
    for larger in ["kB", "MB", "GB", "TB"] where value >= 999.95 {
      (value, unit) = (value / 1_000, larger)
    }
    guard unit != "B" else { return "\(bytes) B" }
    let tenths = Int(clamping: value * 10, rounding: .toNearestOrAwayFromZero)
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  /// Returns a short duration, such as `40 s`, `5 min`, `3 h` or `2 days`.
  static func short(_ duration: Duration) -> String {
    let seconds = Int(clamping: duration / .seconds(1))
    switch seconds {
    case ..<90: return "\(seconds) s"
    case ..<5_400: return "\((seconds + 30) / 60) min"
    case ..<129_600: return "\((seconds + 1_800) / 3_600) h"
    default: return count((seconds + 43_200) / 86_400, "day")
    }
  }

  /// Returns a duration as on a stopwatch, such as `1:13` or `2:05:00`.
  static func stopwatch(_ duration: Duration) -> String {
    let seconds = max(0, Int(clamping: duration / .seconds(1)))
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }

  /// Returns an instant as seen from another, such as `2 min ago (14:09)`, with the day if it is
  /// another one.
  static func instant(_ instant: Timestamp, from now: Date, in zone: TimeZone) -> String {
    let distance = instant.date.timeIntervalSince(now)
    let clock = clock(instant.date, from: now, in: zone)
    guard abs(distance) >= 1 else { return "now (\(clock))" }
    let length = short(.seconds(abs(distance)))
    return distance < 0 ? "\(length) ago (\(clock))" : "in \(length) (\(clock))"
  }

  /// Returns the time of day of an instant, with the date if it is on another day.
  static func clock(_ date: Date, from now: Date, in zone: TimeZone) -> String {
    let local = LocalTime(Timestamp(date), in: zone)
    let isSameDay = local.day == LocalTime(Timestamp(now), in: zone).day
    return isSameDay ? local.time : local.description
  }

  /// Returns an instant as a time of day, with the time until then if it is to come.
  static func time(
    _ instant: Timestamp, from now: Date = Date(), in zone: TimeZone = .current
  ) -> String {
    let distance = instant.date.timeIntervalSince(now)
    return clock(instant.date, from: now, in: zone)
      + (distance >= 1 ? " (in \(short(.seconds(distance))))" : "")
  }
}

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

extension Int {
  /// The number with a space between groups of three digits: `91 004` (ISO 80000-1).
  var grouped: String {
    let digits = String(magnitude)
    let first = digits.count % 3
    var groups = first > 0 ? [digits.prefix(first)] : []
    var rest = digits.dropFirst(first)
    while !rest.isEmpty {
      groups.append(rest.prefix(3))
      rest = rest.dropFirst(3)
    }
    return (self < 0 ? "-" : "") + groups.joined(separator: " ")
  }
}
