import Models
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct ModifiedSinceTests {
  @Test(
    "Both forms are read as UTC, to the whole second",
    arguments: [
      "2009-11-12T01:02:03", "2009-11-12T01:02:03Z", "2009-11-12T01:02:03.987",
      "2009-11-12T03:02:03+02:00", "Thu, 12 Nov 2009 01:02:03 GMT",
    ])
  func forms(text: String) {
    #expect(ModifiedSince.instant(text)?.description == "2009-11-12T01:02:03Z")
  }

  @Test(
    "What is no time is no time",
    arguments: [
      "", "yesterday", "2009-11-12", "2009-13-12T00:00:00", "Thu, 12 Foo 2009 01:02:03 GMT",
    ])
  func malformed(text: String) {
    #expect(ModifiedSince.instant(text) == nil)
  }
}
