import Models
import Sync

/// A cursor in a list of a described provider.
package struct RESTCursor: Codable, Sendable, Equatable {
  /// How the list is read.
  enum Order: String, Codable {
    /// Page after page, as the server says.
    case byPages
    /// From the last instant that was seen to the next: nothing can be missed.
    case byInstant
    /// From instant to instant, after the whole list was read page after page.
    case catchingUp
  }

  var order: Order
  /// The organisation, where the server was asked for it.
  var organisation: String?
  /// Only what changed at or after this is read; `nil` reads everything.
  var since: Timestamp?
  /// Where a reading of changes began, and a later one begins no earlier.
  ///
  /// Else every run that is interrupted, or finds nothing, would begin earlier by the overlap;
  /// absent in cursors of an earlier version.
  var floor: Timestamp?
  /// The number of the page or the count of rows before it, from 0; with every style how many pages
  /// of this reading came before.
  var number = 0
  /// What leads to this page: a cursor, a token or an address.
  var mark: String?
  /// The mark of a page before, to notice marks that lead in a cycle.
  var passed: String?
  /// How many pages there were when the first was read.
  var pageCount: Int?
  /// How many records the server counted then.
  var count: Int?
  /// Whether that count has changed since, so that rows can have moved unseen.
  var isDisturbed = false
  /// Whether pages were turned inside an instant that fills several, where rows can move; absent in
  /// cursors that an earlier version has stored.
  var turnedInside: Bool?
  /// By how much the numbers of its first two pages differ, absent as before.
  var step: Int?
  /// The second reading of these pages, while that is under way.
  var second: RESTSecondReading?
  /// What tells the page before from others, or the first page where the pages are numbered and
  /// there is a known number of them.
  var compared: String?
  /// Whether it is the second time, because rows can have moved.
  var isRepeated = false
  /// Up to when, by the server's clock, everything is seen once the list is at its end.
  var horizon: Timestamp?
  /// The newest change that was seen.
  var newest: Timestamp?
  /// Of a list whose records are asked for one by one: the server's clock when this reading began.
  var began: Timestamp?
  /// The same of the last reading that came to its end: what had changed before was asked for when
  /// that instant was over, so that another change has another one.
  var settled: Timestamp?
  /// From when on it is not known what was deleted, where the server lists that.
  var deletedSince: Timestamp?
  /// Where in the list of what was deleted the reading is; `nil` in the list of records.
  var deletions: RESTDeletedCursor?

  init(order: Order, since: Timestamp? = nil, organisation: String? = nil) {
    self.order = order
    self.since = since
    self.organisation = organisation
  }

  /// Whether it is the beginning of a reading.
  var isFirst: Bool { number == 0 && mark == nil }

  /// The next page of the same reading.
  func turned(by step: Int, to mark: String? = nil) -> RESTCursor {
    var cursor = self
    cursor.number += step
    cursor.mark = mark
    return cursor
  }

  /// A reading from the same instant.
  var restarted: RESTCursor {
    var cursor = RESTCursor(order: order, since: since, organisation: organisation)
    cursor.floor = floor
    cursor.deletedSince = deletedSince
    cursor.settled = settled
    return cursor
  }

  /// The same reading from its start, for what has moved.
  var repeated: RESTCursor {
    var cursor = restarted
    cursor.isRepeated = true
    cursor.horizon = horizon
    cursor.newest = newest
    return cursor
  }

  /// The cursor from which on everything is new.
  func moved(to instant: Timestamp?) -> RESTCursor {
    var cursor = RESTCursor(
      order: order, since: [since, instant].compactMap(\.self).max(), organisation: organisation)
    cursor.floor = floor
    cursor.isRepeated = isRepeated
    cursor.isDisturbed = isDisturbed
    cursor.turnedInside = turnedInside
    return cursor
  }
}
