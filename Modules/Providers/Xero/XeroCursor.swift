import Models
import Sync

/// A cursor in one of Xero's lists.
package struct XeroCursor: FeedCursor {
  /// The order in which the list is read.
  enum Order: String, Codable {
    /// From the last instant seen to the next, which misses no row.
    case byInstant
    /// Page by page, several concurrently; rows that move meanwhile can be missed.
    case byNumber
    /// From instant to instant, after all pages were read by number.
    case catchingUp
  }

  /// Seconds that a row may be dated ahead of the server's clock and still count as changed by
  /// then.
  ///
  /// The server states its time in whole seconds, and often a moment late.
  static let skew: Int64 = 5

  /// The organisation: `tenantId` in `GET /connections`.
  let tenantID: String
  /// Instant of the earliest change to read; `nil` reads everything.
  var since: Timestamp?
  /// Number of the page, from 1.
  var page = 1
  var order = Order.byInstant
  /// Number of pages when the first page was read.
  var pageCount: Int?
  /// Server time at which the first page was requested by number.
  ///
  /// A row that changed since then may have moved unseen, even if it was seen before it changed.
  var startedAt: Timestamp?
  /// True while the pages of an instant that fills several are read again, backwards.
  ///
  /// A row that changes while these pages are read leaves the instant. The rows after it move up,
  /// and one of them moves onto a page that was already read. Rows never move down.
  var isReturning = false
  /// Instant at which reading continues afterwards; equal to ``since`` if the list has ended.
  var beyond: Timestamp?
  /// The names of taxes and accounts that rows before the page have needed.
  var names = BookNames()

  init(tenantID: String, since: Timestamp? = nil, page: Int = 1, order: Order = .byInstant) {
    self.tenantID = tenantID
    self.since = since
    self.page = page
    self.order = order
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tenantID = try container.decode(String.self, forKey: .tenantID)
    since = try container.decodeIfPresent(Timestamp.self, forKey: .since)
    // Cursors of the first version may lack the page and the order.
    page = try container.decodeIfPresent(Int.self, forKey: .page) ?? 1
    order = try container.decodeIfPresent(Order.self, forKey: .order) ?? .byInstant
    pageCount = try container.decodeIfPresent(Int.self, forKey: .pageCount)
    startedAt = try container.decodeIfPresent(Timestamp.self, forKey: .startedAt)
    isReturning = try container.decodeIfPresent(Bool.self, forKey: .isReturning) ?? false
    beyond = try container.decodeIfPresent(Timestamp.self, forKey: .beyond)
    names = try container.decodeIfPresent(BookNames.self, forKey: .names) ?? BookNames()
  }

  /// Returns the cursors after a page: one to resume from after an interruption, and the next page.
  func step(
    after rows: Int, pageCount: Int?, newest: Timestamp?
  ) -> (resume: XeroCursor, next: XeroCursor?) {
    guard !isReturning else { return stepBack() }
    let reached = resumption(newest: newest)
    let next = next(after: rows, pageCount: pageCount, resume: reached)
    // An instant counts as read only after it was read backwards too.
    return (order != .byNumber && page > 1 ? at(since) : reached, next)
  }

  private func stepBack() -> (resume: XeroCursor, next: XeroCursor?) {
    guard page == 1 else {
      var cursor = self
      cursor.page -= 1
      return (at(since), cursor)
    }
    return (at(beyond), beyond == since ? nil : at(beyond))
  }

  /// Returns the cursor of the first page of the changes since an instant.
  private func at(_ instant: Timestamp?) -> XeroCursor {
    XeroCursor(tenantID: tenantID, since: instant, order: order)
  }

  func advanced(pageCount: Int?) -> XeroCursor {
    var cursor = self
    cursor.page += 1
    cursor.pageCount = pageCount
    return cursor
  }

  /// Returns the cursor to resume from after an interruption.
  ///
  /// It is one second before the newest row: the header field has whole seconds, and Xero does not
  /// document whether it means "at or after" or "after".
  func resumption(newest: Timestamp?) -> XeroCursor {
    let candidate = newest?.truncatedToSecond.adding(seconds: -1)
    var cursor = at([since, candidate].compactMap(\.self).max())
    if order == .byNumber { cursor.startedAt = startedAt }
    return cursor
  }

  func next(after rows: Int, pageCount current: Int?, resume: XeroCursor) -> XeroCursor? {
    let isEnd = rows == 0 || current.map { page >= $0 } ?? false
    if order == .byNumber {
      guard isEnd else { return advanced(pageCount: pageCount ?? current) }
      // In a list that is a single page from its start, nothing can have moved.
      guard page > 1 || since != nil else { return nil }
      // Rows that changed since then are now at the end of the list.
      let started = startedAt?.truncatedToSecond.adding(seconds: -1)
      return XeroCursor(
        tenantID: tenantID, since: [resume.since, started].compactMap(\.self).min(),
        order: .catchingUp)
    }
    // The watermark has not moved: rows of one instant fill the page. Only the page number leads
    // out of that instant.
    if !isEnd, resume.since == since { return advanced(pageCount: nil) }
    guard page == 1 else {
      var cursor = at(since)
      cursor.page = page - 1
      cursor.isReturning = true
      cursor.beyond = resume.since
      return cursor
    }
    return isEnd ? nil : at(resume.since)
  }
}
