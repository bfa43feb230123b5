import Foundation
import Models
import Testing

@Suite(.timeLimit(.minutes(1))) struct CalendarPeriodTests {
  @Test(
    "a period is a day, a month, a quarter, a year, or counted from today",
    arguments: [
      ("2026-03-31", "2026-03-31", "2026-03-31"), ("2026-02", "2026-02-01", "2026-02-28"),
      ("2024-02", "2024-02-01", "2024-02-29"), ("2026", "2026-01-01", "2026-12-31"),
      ("today", "2026-03-01", "2026-03-01"), ("Yesterday", "2026-02-28", "2026-02-28"),
      ("30d", "2026-01-30", "2026-01-30"), ("0d", "2026-03-01", "2026-03-01"),
      ("9999-12", "9999-12-01", "9999-12-31"), ("2024-Q1", "2024-01-01", "2024-03-31"),
      ("q4", "2026-10-01", "2026-12-31"), ("2w", "2026-02-15", "2026-02-15"),
      ("3m", "2025-12-01", "2025-12-01"), ("2y", "2024-03-01", "2024-03-01"),
      ("this-month", "2026-03-01", "2026-03-31"), ("last-month", "2026-02-01", "2026-02-28"),
      ("Last-Quarter", "2025-10-01", "2025-12-31"), ("this-quarter", "2026-01-01", "2026-03-31"),
      ("last-year", "2025-01-01", "2025-12-31"), ("this-year", "2026-01-01", "2026-12-31"),
    ])
  func periods(text: String, first: String, last: String) throws {
    let today = try #require(CalendarDate("2026-03-01"))
    let period = try #require(CalendarPeriod(text, today: today))
    #expect(period.first.description == first && period.last.description == last)
  }

  @Test(
    "other texts are no period",
    arguments: [
      "", "d", "soon", "2026-13", "2026-02-30", "26", "-3d", "3 d", "99999999d", "0000",
      "2026-Q5", "2026-Q0", "q", "q5", "2026-Q01", "last", "last-week", "m", "9999y", "26-Q1",
    ])
  func others(text: String) throws {
    let today = try #require(CalendarDate("2026-03-01"))
    #expect(CalendarPeriod(text, today: today) == nil)
  }

  @Test("a month later or earlier is the same day, or the last of a shorter month")
  func months() throws {
    for (today, text, day) in [
      ("2026-03-31", "1m", "2026-02-28"), ("2024-02-29", "1y", "2023-02-28"),
      ("2026-01-31", "2m", "2025-11-30"), ("2026-05-15", "12m", "2025-05-15"),
    ] {
      let day = try #require(CalendarDate(day))
      let period = try CalendarPeriod(text, today: #require(CalendarDate(today)))
      #expect(period?.first == day && period?.last == day, "\(today) \(text)")
    }
  }

  @Test(
    "a month, a quarter or a year is one of its unit, this one, or the last",
    arguments: [
      (.month, "last", "2026-02-01"), (.month, "2026-03", "2026-03-01"),
      (.month, "last-month", "2026-02-01"), (.month, "2026", nil), (.month, "2026-Q1", nil),
      (.month, "2026-03-01", nil), (.quarter, "this", "2026-01-01"), (.quarter, "Q3", "2026-07-01"),
      (.quarter, "2025-q2", "2025-04-01"), (.quarter, "2026-01", nil),
      (.year, "last", "2025-01-01"),
      (.year, "1999", "1999-01-01"), (.year, "30d", nil), (.year, "soon", nil),
    ] as [(CalendarPeriod.Unit, String, String?)])
  func units(unit: CalendarPeriod.Unit, text: String, first: String?) throws {
    let today = try #require(CalendarDate("2026-03-01"))
    #expect(CalendarPeriod(unit, text, today: today)?.first.description == first)
  }

  @Test("today is a day of the user's zone, and a quarter has three months")
  func todayAndQuarter() throws {
    let date = Timestamp("2026-03-31T23:30:00Z")?.date ?? Date()
    let berlin = try #require(TimeZone(secondsFromGMT: 7_200))
    #expect(CalendarDate.today(in: .gmt, at: date)?.description == "2026-03-31")
    #expect(CalendarDate.today(in: berlin, at: date)?.description == "2026-04-01")
    let quarters = (1...12).compactMap { month in
      CalendarMonth("2026-" + (month < 10 ? "0" : "") + "\(month)").map(CalendarQuarter.init(of:))
    }
    #expect(quarters.map(\.quarter) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    #expect(quarters.first?.description == "2026-Q1")
  }

  @Test("sums are compared, negated and added to the last digit")
  func sums() throws {
    func sum(_ text: String) throws -> DecimalSum { try #require(DecimalSum(text)) }
    let large = String(repeating: "9", count: 40) + ".01"
    #expect(try sum("-\(large)") < sum("-1") && sum("1") < sum(large))
    #expect(try !(sum("1.0") < sum("1")) && sum("-0.5") < .zero)
    var total = try sum(large)
    total.add(try sum("0.99"))
    #expect(total.description == "1" + String(repeating: "0", count: 40) + ".00")
    total.add(total.negated)
    #expect(total.isZero)
  }
}
