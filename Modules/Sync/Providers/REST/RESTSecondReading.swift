import Models

/// The second reading of an instant that fills pages.
///
/// What leaves the instant while its pages are read draws the rows behind it forward, over the edge of a page
/// that was read already, but never backward: where the pages have numbers they are read backwards.
struct RESTSecondReading: Codable, Sendable, Equatable {
  /// Where the reading goes on after it; the same as ``RESTPlace/since`` where the list has ended.
  let beyond: Timestamp?
}

extension RESTFeed {
  /// Whether a page before another can be asked for.
  var canTurnBack: Bool { [.page, .offset].contains(resource.paging.style) }

  /// Where the second reading begins, after the first has come out of the instant at a place.
  func readAgain(_ place: RESTPlace, beyond: Timestamp?) -> RESTPlace {
    var start = canTurnBack ? turnedBack(place) : place.moved(to: nil)
    start.second = RESTSecondReading(beyond: beyond)
    start.horizon = place.horizon
    return start
  }

  func turnAgain(
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, at place: RESTPlace,
    _ second: RESTSecondReading
  ) {
    let isInside = place.moved(to: watermark(page.newest)).since == place.since
    page.resume = place.moved(to: nil)
    if canTurnBack {
      page.next = place.isFirst ? nil : turnedBack(place)
    } else {
      page.next = isInside ? following : nil
    }
    guard page.next == nil else { return }
    page.resume = place.moved(to: second.beyond)
    page.next = second.beyond == place.since ? nil : page.resume
  }

  private func turnedBack(_ place: RESTPlace) -> RESTPlace {
    var before = place.turned(by: -min(place.number, place.step ?? 1))
    // What is read again looks as it did.
    before.compared = nil
    return before
  }
}
