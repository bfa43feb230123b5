import Models
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// The forms in which Xero writes dates.
@Suite(.timeLimit(.minutes(10))) struct XeroDateTests {
  @Test(
    "an instant is milliseconds in UTC; the offset does not move it",
    arguments: [
      ("/Date(1587912334083+0000)/", "2020-04-26T14:45:34.083Z"),
      ("/Date(1587912334083+1200)/", "2020-04-26T14:45:34.083Z"),
      ("/Date(0)/", "1970-01-01T00:00:00Z"), ("/Date(-1-0100)/", "1969-12-31T23:59:59.999Z"),
    ])
  func instants(text: String, expected: String) {
    #expect(XeroDate.instant(text.utf8.span)?.description == expected)
  }

  @Test(
    "text that is not an instant is refused",
    arguments: [
      "", "/Date()/", "/Date(1)", "/Date(1)/ ", "Date(1)", "/Date(1+1)/", "/Date(1+00000)/",
      "/Date(12345678901234567)/", "/Date(1.5)/", "/Date(--1)/", "/Date(١)/",
    ])
  func refused(text: String) {
    #expect(XeroDate.instant(text.utf8.span) == nil)
  }
}
