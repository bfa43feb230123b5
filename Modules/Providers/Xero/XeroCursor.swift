import Models
import Sync

/// A cursor in a list of Xero's.
package struct XeroCursor: Codable, Sendable, Equatable {
  /// How the list is read.
  enum Order: String, Codable {
    /// From the last instant that was seen to the next: nothing can be missed.
    case byInstant
    /// Page after page, several at once: what moves meanwhile can be missed.
    case byNumber
    /// From instant to instant, after all pages were read by number.
    case catchingUp
  }

  /// How far ahead of the server's clock a row may be dated and still count as changed by then, in
  /// seconds: that clock is told in whole ones, and is often told a moment late.
  static let skew: Int64 = 5

  /// The organisation, `tenantId` in `GET /connections`.
  let tenantID: String
  /// Only what changed at or after this is read; `nil` reads everything.
  var since: Timestamp?
  /// The page, from 1.
  var page = 1
  var order = Order.byInstant
  /// How many pages there were when the first was read.
  var pageCount: Int?
  /// The server's clock when the first page was asked for by number: what has changed since may
  /// have moved unseen, also where it was seen before it changed.
  var startedAt: Timestamp?
  /// Whether the pages of an instant that fills several are read once more, backwards: what leaves
  /// the instant while they are read draws the rows behind it forward, over the edge of a page that
  /// was read already, but never backward.
  var isReturning = false
  /// Where the reading goes on after that; the same as ``since`` where the list has ended.
  var beyond: Timestamp?

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
    // The first version knew one order alone.
    page = try container.decodeIfPresent(Int.self, forKey: .page) ?? 1
    order = try container.decodeIfPresent(Order.self, forKey: .order) ?? .byInstant
    pageCount = try container.decodeIfPresent(Int.self, forKey: .pageCount)
    startedAt = try container.decodeIfPresent(Timestamp.self, forKey: .startedAt)
    isReturning = try container.decodeIfPresent(Bool.self, forKey: .isReturning) ?? false
    beyond = try container.decodeIfPresent(Timestamp.self, forKey: .beyond)
  }

  /// Where reading goes on after a page of so many rows, and where after an interruption.
  func step(
    after rows: Int, pageCount: Int?, newest: Timestamp?
  ) -> (resume: XeroCursor, next: XeroCursor?) {
    guard !isReturning else { return stepBack() }
    let reached = resumption(newest: newest)
    let next = next(after: rows, pageCount: pageCount, resume: reached)
    // An instant counts as read once it was read backwards too.
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

  /// The first page of what changed since an instant.
  private func at(_ instant: Timestamp?) -> XeroCursor {
    XeroCursor(tenantID: tenantID, since: instant, order: order)
  }

  /// The next page of the same list.
  func turned(pageCount: Int?) -> XeroCursor {
    var cursor = self
    cursor.page += 1
    cursor.pageCount = pageCount
    return cursor
  }

  /// Where reading goes on after an interruption: one second before the newest row, since the
  /// header has whole seconds, and whether Xero takes it as "at or after" or "after" is not
  /// documented.
  func resumption(newest: Timestamp?) -> XeroCursor {
    let candidate = newest?.truncatedToSecond.adding(seconds: -1)
    var cursor = at([since, candidate].compactMap(\.self).max())
    if order == .byNumber { cursor.startedAt = startedAt }
    return cursor
  }

  func next(after rows: Int, pageCount current: Int?, resume: XeroCursor) -> XeroCursor? {
    let isEnd = rows == 0 || current.map { page >= $0 } ?? false
    if order == .byNumber {
      guard isEnd else { return turned(pageCount: pageCount ?? current) }
      // In a list that is a single page from its start nothing can have moved.
      guard page > 1 || since != nil else { return nil }
      // What has changed since stands at the end of the list by now.
      let started = startedAt?.truncatedToSecond.adding(seconds: -1)
      return XeroCursor(
        tenantID: tenantID, since: [resume.since, started].compactMap(\.self).min(),
        order: .catchingUp)
    }
    // Without progress in time the instant fills the page; only the page number leads out of it.
    if !isEnd, resume.since == since { return turned(pageCount: nil) }
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
