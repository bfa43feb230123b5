import Models
import Sync

/// A cursor in a list of a described provider.
package struct RESTCursor: FeedCursor, RESTPosition {
  /// The order in which the list is read.
  enum Order: String, Codable {
    case byPages
    /// From the last instant seen to the next, which misses no row.
    case byInstant
    /// From instant to instant, after the whole list was read page by page.
    case catchingUp
  }

  var order: Order
  var organisation: String?
  /// Instant of the earliest change to read; `nil` reads everything.
  var since: Timestamp?
  /// Instant at which the last reading of changes began; a later one begins no earlier.
  ///
  /// Otherwise each run that is interrupted, or that finds nothing, would begin earlier by the
  /// overlap. It is absent in cursors of an earlier version.
  var floor: Timestamp?
  /// Page number or number of rows before the page, from 0; in other styles, number of pages read
  /// before.
  var number = 0
  var mark: String?
  /// The mark of an earlier page, stored to detect marks that lead in a cycle.
  var passed: String?
  /// Number of pages when the first page was read.
  var pageCount: Int?
  /// Number of records that the server reported with an earlier page.
  var count: Int?
  /// True if that number has changed since, so that rows may have moved unseen.
  var isDisturbed = false
  /// True if the reading followed pages within one instant, where rows can move.
  ///
  /// It is absent in cursors of an earlier version.
  var pagedInside: Bool?
  /// Difference between the numbers of the first two pages within that instant; absent in cursors
  /// of an earlier version.
  var step: Int?
  /// The second reading of these pages, while it is in progress.
  var second: RESTSecondReading?
  /// The outline of the previous page, to detect a repeated page.
  ///
  /// If pages are numbered and their total is known, it is the outline of the first page.
  var compared: String?
  /// Number of pages without rows before this page; absent after a page with rows.
  var emptyPages: Int?
  /// True in a second reading, which is needed if rows may have moved.
  var isRepeated = false
  /// Server time up to which all changes are seen when the list ends.
  var horizon: Timestamp?
  /// Time of the newest change seen.
  var newest: Timestamp?
  /// Server time at which this reading began, if records are fetched individually.
  var began: Timestamp?
  /// Value of ``began`` in the last complete reading.
  ///
  /// Records that changed earlier were fetched after the instant of their change was over, so that
  /// a further change has a later instant.
  var settled: Timestamp?
  /// Instant from which on deletions are unknown, if the server lists deletions.
  var deletedSince: Timestamp?
  /// Position in the list of deleted records; `nil` in the list of records.
  var deletions: RESTDeletedCursor?

  init(order: Order, since: Timestamp? = nil, organisation: String? = nil) {
    self.order = order
    self.since = since
    self.organisation = organisation
  }

  var isFirst: Bool { number == 0 && mark == nil }

  func advanced(by step: Int, to mark: String? = nil) -> RESTCursor {
    var cursor = self
    cursor.number += step
    cursor.mark = mark
    cursor.emptyPages = nil
    return cursor
  }

  /// Returns true if two cursors start at the same record, whatever their positions in the list of
  /// deletions.
  package func startsAtSameRecord(as other: RESTCursor) -> Bool { inRecords == other.inRecords }

  private var inRecords: RESTCursor {
    var cursor = self
    cursor.deletedSince = nil
    cursor.deletions = nil
    return cursor
  }

  /// The cursor of a new reading that begins at the same instant.
  var restarted: RESTCursor {
    var cursor = RESTCursor(order: order, since: since, organisation: organisation)
    cursor.floor = floor
    cursor.deletedSince = deletedSince
    cursor.settled = settled
    return cursor
  }

  /// The cursor of a second reading from the start, for rows that have moved.
  var repeated: RESTCursor {
    var cursor = restarted
    cursor.isRepeated = true
    cursor.horizon = horizon
    cursor.newest = newest
    return cursor
  }

  /// Returns the cursor of the changes since an instant, or since ``since`` if that is later.
  func moved(to instant: Timestamp?) -> RESTCursor {
    var cursor = RESTCursor(
      order: order, since: [since, instant].compactMap(\.self).max(), organisation: organisation)
    cursor.floor = floor
    cursor.isRepeated = isRepeated
    cursor.isDisturbed = isDisturbed
    cursor.pagedInside = pagedInside
    return cursor
  }
}

/// The position of a page in a list; ``RESTCursor`` explains the members.
protocol RESTPosition {
  var number: Int { get set }
  var mark: String? { get set }
  var passed: String? { get set }
  var compared: String? { get set }
  var emptyPages: Int? { get set }
}

extension RESTPosition {
  mutating func go(to page: some RESTPosition) {
    number = page.number
    mark = page.mark
    passed = page.passed
    compared = page.compared
    emptyPages = page.emptyPages
  }
}
