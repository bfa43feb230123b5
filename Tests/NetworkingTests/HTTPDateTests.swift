import Foundation
import Networking
import Testing

@Suite struct HTTPDateTests {
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
    "what is no date is none",
    arguments: [
      "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:61:61 GMT", "06 Nov 1994", "",
      "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Now 1994 08:49:37 GMT",
    ])
  func refused(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }
}
