import Models
import Sync

/// The second reading of an instant that fills several pages.
///
/// A row that changes while these pages are read leaves the instant. The rows after it move up, and
/// one of them moves onto a page that was already read. Rows never move down, so numbered pages are
/// read backwards.
struct RESTSecondReading: Codable, Sendable, Equatable {
  /// Instant at which reading continues afterwards; equal to ``RESTCursor/since`` if the list has
  /// ended.
  let beyond: Timestamp?
}

extension RESTFeed {
  /// True if the page before another page can be requested.
  var canStepBack: Bool { [.page, .offset].contains(resource.paging.style) }

  /// Returns the cursor of the second reading, after the first one has left the instant.
  func readAgain(_ cursor: RESTCursor, beyond: Timestamp?) -> RESTCursor {
    var start = canStepBack ? pageBefore(cursor) : cursor.moved(to: nil)
    start.second = RESTSecondReading(beyond: beyond)
    start.horizon = cursor.horizon
    return start
  }

  func readInstantAgain(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, at cursor: RESTCursor,
    _ second: RESTSecondReading
  ) {
    let isInside = cursor.moved(to: watermark(page.newest)).since == cursor.since
    page.resume = cursor.moved(to: nil)
    if canStepBack {
      page.next = cursor.isFirst ? nil : pageBefore(cursor)
    } else {
      page.next = isInside ? following : nil
    }
    guard page.next == nil else { return }
    page.resume = cursor.moved(to: second.beyond)
    page.next = second.beyond == cursor.since ? nil : page.resume
  }

  private func pageBefore(_ cursor: RESTCursor) -> RESTCursor {
    var before = cursor.advanced(by: -min(cursor.number, cursor.step ?? 1))
    // A page that is read again looks the same; that is not a repeated page.
    before.compared = nil
    return before
  }
}
