import Testing

@testable import Sync

@Suite struct CircleDetectionTests {
  @Test("a circle of any length is noticed before it was read three times", arguments: 1...40)
  func circles(length: Int) {
    for lead in 0...20 {
      // Places 0, 1, …, lead, …, then lead again.
      var circle = CircleDetection(start: 0)
      var place = 0
      var pages = 1
      while pages < 1_000 {
        place = place == lead + length - 1 ? lead : place + 1
        pages += 1
        if !circle.goesOn(to: place) { break }
      }
      #expect(pages <= 3 * (lead + length) + 1, "\(length) after \(lead)")
    }
  }

  @Test("places that only go on are no circle")
  func line() {
    var circle = CircleDetection(start: 0)
    #expect((1...10_000).allSatisfy { circle.goesOn(to: $0) })
  }
}
