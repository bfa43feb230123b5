import Models
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct ModifiedSinceTests {
  @Test(
    "both forms of If-Modified-Since are read as UTC, to the whole second",
    arguments: [
      "2009-11-12T01:02:03", "2009-11-12T01:02:03Z", "2009-11-12T01:02:03.987",
      "2009-11-12T03:02:03+02:00", "Thu, 12 Nov 2009 01:02:03 GMT",
    ])
  func forms(text: String) {
    #expect(ModifiedSince.instant(text)?.description == "2009-11-12T01:02:03Z")
  }

  @Test(
    "a text that is no time is not read as one",
    arguments: [
      "", "yesterday", "2009-11-12", "2009-13-12T00:00:00", "Thu, 12 Foo 2009 01:02:03 GMT",
    ])
  func malformed(text: String) {
    #expect(ModifiedSince.instant(text) == nil)
  }
}
