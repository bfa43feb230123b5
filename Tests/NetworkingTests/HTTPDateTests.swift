import Foundation
import Networking
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPDateTests {
  @Test(
    "the three forms of RFC 9110 are one instant",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ])
  func forms(text: String) {
    #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test(
    "text that is not a date is refused",
    arguments: [
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:61:61 GMT", "06 Nov 1994", "",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Now 1994 08:49:37 GMT",
      "Wed, 29 Feb 2023 00:00:00 GMT", "Mon, 29 Feb 1900 00:00:00 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
      "sun, 06 Nov 1994 08:49:37 GMT", "S, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
      "Sun, \u{0660}6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT ",
    ])
  func refused(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test("every day from 1900 to 2100 is the one that the calendar has")
  func days() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    var wrong: [String] = []
    let first = try #require(
      calendar.date(from: DateComponents(year: 1900, month: 1, day: 1, hour: 23, second: 59)))
    for number in 0..<73_414 {
      let date = first.addingTimeInterval(Double(number) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      let text = "Sun, \(day < 10 ? "0" : "")\(day) \(months[month - 1]) \(year) 23:00:59 GMT"
      if HTTPDate.parse(text) != date { wrong.append(text) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("a date is written in the preferred form, and reads back as the same second")
  func written() {
    func text(_ seconds: Double) -> String? {
      HTTPDate.text(of: Date(timeIntervalSince1970: seconds))
    }
    #expect(text(784_111_777.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(text(-0.5) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(text(-62_135_596_800) == "Mon, 01 Jan 0001 00:00:00 GMT")
    #expect(text(253_402_300_799) == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(text(-62_135_596_801) == nil)
    #expect(text(253_402_300_800) == nil)
    #expect(text(1e300) == nil)
    for seconds in stride(from: -2_208_988_800.0, to: 4_102_444_800, by: 86_400 * 97 + 12_345) {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(HTTPDate.text(of: date).flatMap(HTTPDate.parse) == date)
    }
  }

  @Test("a year of two digits is the nearest that is not more than 50 years ahead")
  func shortYears() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let now = calendar.component(.year, from: Date())
    for (ahead, wanted) in [(50, now + 50), (51, now - 49)] {
      let short = (now + ahead) % 100
      let text = "Sunday, 06-Nov-\(short < 10 ? "0" : "")\(short) 08:49:37 GMT"
      let date = try #require(HTTPDate.parse(text))
      // In the year before a century's turn the century is the coming one's.
      let found = calendar.component(.year, from: date)
      #expect(found == wanted || (now + ahead) / 100 != now / 100)
    }
  }
}
