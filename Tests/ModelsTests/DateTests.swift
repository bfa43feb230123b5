import Foundation
import Models
import Testing

@Suite(.timeLimit(.minutes(10))) struct DateTests {
  @Test("every day of four centuries is restored from its day number")
  func dayNumbers() throws {
    var previous: CalendarDate?
    for days in -200_000...200_000 {
      let date = try #require(CalendarDate(daysSinceEpoch: days))
      #expect(date.daysSinceEpoch == days)
      if let previous { #expect(previous < date) }
      previous = date
    }
    #expect(CalendarDate(daysSinceEpoch: 0)?.description == "1970-01-01")
    #expect(CalendarDate(daysSinceEpoch: -719_162)?.description == "0001-01-01")
    #expect(CalendarDate(daysSinceEpoch: 2_932_896)?.description == "9999-12-31")
    #expect(CalendarDate(daysSinceEpoch: 2_932_897) == nil)
  }

  @Test("an instant belongs to the day of a time zone, with its daylight saving time")
  func zones() throws {
    let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
    for (instant, day) in [
      ("2024-02-01T07:59:59Z", "2024-01-31"), ("2024-02-01T08:00:00Z", "2024-02-01"),
      ("2024-07-01T06:59:59Z", "2024-06-30"), ("2024-07-01T07:00:00Z", "2024-07-01"),
    ] {
      #expect(Timestamp(instant)?.day(in: zone) == CalendarDate(day))
    }
    #expect(Timestamp("0001-01-01T00:00:00Z")?.day(in: zone) == nil)
    #expect(Timestamp(microsecondsSinceEpoch: .min).day(in: zone) == nil)
  }

  @Test("a date that no instant can be is the nearest one, which has no day")
  func farDates() {
    for seconds in [1e30, -1e30, .infinity, .nan] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(Timestamp(date).utcDay == nil && CalendarDate.today(at: date) == nil)
    }
  }

  @Test(
    "days that the calendar lacks are refused",
    arguments: [
      "2023-02-29", "1900-02-29", "2020-13-01", "2020-00-10", "2020-04-31", "2020-4-01",
      "0000-01-01", "2020-01-01 ", "２０２０-01-01",
    ])
  func refusedDates(text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test(
    "an instant prints the fraction it has",
    arguments: [
      ("2020-04-26T14:45:34.083Z", "2020-04-26T14:45:34.083Z"),
      ("2020-04-26T14:45:34.000000Z", "2020-04-26T14:45:34Z"),
      ("2020-04-26T14:45:34.0000019Z", "2020-04-26T14:45:34.000001Z"),
      ("2020-04-26T16:45:34+02:00", "2020-04-26T14:45:34Z"),
      ("1969-12-31T23:59:59.5-01:30", "1970-01-01T01:29:59.500Z"),
      ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
      ("2020-04-26 14:45:34z", "2020-04-26T14:45:34Z"),
      ("2020-04-26t14:45:34.123456789012345678-00:00", "2020-04-26T14:45:34.123456Z"),
    ])
  func instants(text: String, expected: String) throws {
    let instant = try #require(Timestamp(text))
    #expect(instant.description == expected)
    #expect(Timestamp(instant.description) == instant)
  }

  @Test(
    "text that is no RFC 3339 instant is refused",
    arguments: [
      "2020-04-26", "2020-04-26T14:45:34", "2020-02-30T00:00:00Z", "2020-04-26T24:00:00Z",
      "2020-04-26T14:60:00Z", "/Date(0)/", "2020-04-26T14:45:61Z", "2020-04-26T14:45:34.Z",
      "2020-04-26T14:45:34.1234567890123456789Z", "2020-04-26T14:45:34.5", "2020-04-26T14:45:34ZZ",
      "2020-04-26T14:45:34+0200", "2020-04-26T14:45:34+02:00x", "2020-04-26T14:45:34+24:00",
      "2020-04-26T14:45:34+02-00", "2020-04-26T1:45:34.00Z", "2020-04-26T14:45:34é", "",
      "2020-04-2éT14:45:34ZZ", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
      "9999-12-31T23:59:60Z",
    ])
  func refusedInstants(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("an instant is moved to the ends of the calendar, and not beyond")
  func ends() throws {
    let first = try #require(Timestamp("0001-01-01T00:00:00Z"))
    let last = try #require(Timestamp("9999-12-31T23:59:59.999999Z"))
    #expect(first.adding(seconds: -1) == first && last.adding(seconds: 1) == last)
    #expect(first.adding(seconds: .min) == first && first.adding(seconds: .max) == last)
    #expect(first.adding(seconds: 1).description == "0001-01-01T00:00:01Z")
  }

  @Test("truncation goes towards the past, before 1970 too")
  func truncation() throws {
    let instant = Timestamp(microsecondsSinceEpoch: -1_500_000)
    #expect(instant.truncatedToSecond.microsecondsSinceEpoch == -2_000_000)
    #expect(instant.utcDay?.description == "1969-12-31")
    #expect(Timestamp(millisecondsSinceEpoch: Int64.max) == nil)
    #expect(Timestamp(millisecondsSinceEpoch: -62_135_596_800_001) == nil)
    #expect(Timestamp(millisecondsSinceEpoch: 253_402_300_800_000) == nil)
    let first = Timestamp(microsecondsSinceEpoch: .min)
    #expect(first.description.hasPrefix("0000-00-00") && first.truncatedToSecond <= first)
    #expect(Timestamp(Date(timeIntervalSince1970: 1.25)).microsecondsSinceEpoch == 1_250_000)
  }
}
