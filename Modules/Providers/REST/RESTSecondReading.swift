import Models
import Sync

/// The second reading of an instant that fills pages.
///
/// What leaves the instant while its pages are read draws the rows behind it forward, over the edge
/// of a page that was read already, but never backward: where the pages have numbers they are read
/// backwards.
struct RESTSecondReading: Codable, Sendable, Equatable {
  /// Where the reading goes on after it; the same as ``RESTCursor/since`` where the list has ended.
  let beyond: Timestamp?
}

extension RESTFeed {
  /// Whether a page before another can be asked for.
  var canTurnBack: Bool { [.page, .offset].contains(resource.paging.style) }

  /// Where the second reading begins, after the first has come out of the instant at a cursor.
  func readAgain(_ cursor: RESTCursor, beyond: Timestamp?) -> RESTCursor {
    var start = canTurnBack ? turnedBack(cursor) : cursor.moved(to: nil)
    start.second = RESTSecondReading(beyond: beyond)
    start.horizon = cursor.horizon
    return start
  }

  func turnAgain(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, at cursor: RESTCursor,
    _ second: RESTSecondReading
  ) {
    let isInside = cursor.moved(to: watermark(page.newest)).since == cursor.since
    page.resume = cursor.moved(to: nil)
    if canTurnBack {
      page.next = cursor.isFirst ? nil : turnedBack(cursor)
    } else {
      page.next = isInside ? following : nil
    }
    guard page.next == nil else { return }
    page.resume = cursor.moved(to: second.beyond)
    page.next = second.beyond == cursor.since ? nil : page.resume
  }

  private func turnedBack(_ cursor: RESTCursor) -> RESTCursor {
    var before = cursor.turned(by: -min(cursor.number, cursor.step ?? 1))
    // What is read again looks as it did.
    before.compared = nil
    return before
  }
}
