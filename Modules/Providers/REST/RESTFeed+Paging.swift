import Foundation
import HTTPTypes
import Models
import Networking
import Storage
package import Sync

/// The beginning, the continuation and the end of a reading.
extension RESTFeed {
  var isOrdered: Bool { resource.changes.watermark?.isOrdered ?? false }

  /// True if pages of the whole list can be requested before the page that precedes them is read.
  var predictsPages: Bool {
    guard resource.paging.style == .page, resource.paging.total != nil else { return false }
    return resource.changes.watermark?.isOrdered ?? true
  }

  func changes(since: Timestamp?) -> RESTCursor {
    RESTCursor(order: isOrdered ? .byInstant : .byPages, since: since)
  }

  /// Returns the cursor of an earlier run, restarted if the server no longer knows its page.
  ///
  /// Most servers forget tokens after a while, and many refuse the number of a page that the list
  /// no longer has. Each reports that in its own way.
  func known(_ cursor: RESTCursor, _ ask: Ask) async throws -> RESTCursor {
    guard !cursor.isFirst else { return cursor }
    do {
      _ = try await ask(requests.page(cursor))
    } catch is CursorExpired {
      return cursor.restarted
    } catch let error as SyncError where error.refusesPage {
      return cursor.restarted
    } catch is SyncError {
      // The request for the page meets this error again.
    }
    return cursor
  }

  /// Returns the end of a list with numbered pages, if the server refuses the page after the last.
  ///
  /// The refusal counts as the end only if nothing else says whether a page follows, if the page
  /// before still has rows, and if the server then refuses again: a part of a list must never pass
  /// for all of it.
  package func end(
    after error: SyncError, at cursor: RESTCursor, ask: @escaping Ask
  ) async throws -> Page<[Record], RESTCursor>? {
    let deleted = deletedList(at: cursor)
    let (list, position) = (deleted?.requests ?? requests, deleted?.cursor ?? cursor)
    let paging = list.resource.paging
    guard error.refusesPage, [.page, .offset].contains(paging.style), paging.more == nil,
      paging.total == nil, !position.isFirst
    else { return nil }
    let before = try await ask(list.page(position.advanced(by: -1)))
    guard try RESTPage(before, of: list.resource, isFirst: false).count > 0 else { return nil }
    do {
      return try page(try await ask(request(at: cursor)), at: cursor)
    } catch let error as SyncError where error.refusesPage {
      var head = before.head
      head.status = .noContent
      return try page(Response(head: head, body: [], url: before.url), at: cursor)
    }
  }

  /// Returns the error of an address that comes from the description, with the key to correct.
  package func explained(_ error: SyncError, at cursor: RESTCursor) -> SyncError {
    guard case .accessDenied(status: 404, let message) = error,
      deletedList(at: cursor)?.cursor.isFirst ?? cursor.isFirst,
      let request = try? self.request(at: cursor)
    else { return error }
    let key =
      if cursor.deletions != nil {
        "changes.deletions.path"
      } else if resource.changes.versions != nil {
        "changes.path"
      } else {
        "path"
      }
    return .unknownAddress(
      path: request.url.path(percentEncoded: true),
      key: (listKey.map { "\($0).\(key) or " } ?? "") + addressKey, message: message)
  }

  /// Returns the latest server time of a change that can move the cursor.
  ///
  /// In a reading from instant to instant, it is the time of the response plus the overlap. In a
  /// reading page by page, it is the time of the first response.
  func limit(of response: Response, at cursor: RESTCursor) -> Timestamp {
    if let horizon = cursor.horizon { return horizon }
    guard cursor.order != .byPages else { return response.serverTime }
    return response.serverTime.adding(seconds: overlap)
  }

  /// True if the rows of the list state when they changed.
  var isDated: Bool { resource.listedFields.fields["updatedAt"] != nil }

  /// The time before the watermark that is read again, in seconds.
  ///
  /// A watermark of the server's clock is an instant of UTC. A text without a zone may be read in
  /// the server's own, which is at most twelve hours behind.
  var overlap: Int64 {
    guard let watermark = resource.changes.watermark else { return 0 }
    let zone: Int64 = isDated || watermark.form.statesZone ? 0 : 12 * 3_600
    return watermark.overlap.components.seconds + zone
  }

  /// Returns the instant one unit before the newest row.
  ///
  /// Servers rarely document whether a request with an instant means "at or after" or "after".
  func watermark(_ newest: Timestamp?) -> Timestamp? {
    guard let newest, let form = resource.changes.watermark?.form else { return nil }
    let unit = form.unit * 1_000_000
    let rest = newest.microsecondsSinceEpoch % unit
    return Timestamp(
      microsecondsSinceEpoch: newest.microsecondsSinceEpoch - (rest < 0 ? rest + unit : rest)
    ).adding(seconds: -form.unit)
  }

  func stepByInstant(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, at cursor: RESTCursor,
    until limit: Timestamp
  ) {
    if let second = cursor.second { return readInstantAgain(&page, following, at: cursor, second) }
    page.resume = cursor.moved(to: watermark(page.newest))
    if var following, page.resume.since == cursor.since {
      // The watermark has not moved: rows of one instant fill the page. Only the server's own
      // paging leads out of that instant.
      following.pagedInside = true
      following.step = cursor.step ?? following.number - cursor.number
      // A row that changes from now on may move to a page that was already read.
      following.horizon = limit
      page.resume.pagedInside = true
      page.next = following
    } else if cursor.isFirst || resource.paging.isStable {
      page.next = following.map { _ in page.resume }
    } else {
      page.next = readAgain(cursor, beyond: page.resume.since)
      // The instant counts as read only after the second reading.
      page.resume = cursor.moved(to: nil)
    }
  }

  /// Sets the next cursor of a full reading, page by page, in a list that is sorted by change.
  func stepByNumber(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, _ raw: RESTPage,
    _ response: Response, at cursor: RESTCursor
  ) throws {
    let count =
      cursor.isFirst ? try raw.number(at: resource.count) : try? raw.number(at: resource.count)
    var state = cursor
    // When a row disappears, all rows after it move up, and one of them moves onto a page that was
    // already read. The count at the end would agree by accident.
    if let count, let earlier = cursor.count, count < earlier { state.isDisturbed = true }
    state.count = count ?? cursor.count
    state.horizon = cursor.horizon ?? response.serverTime
    page.resume = state.moved(to: watermark(page.newest))
    if let following {
      state.number = following.number
      state.compared = following.compared
      if cursor.isFirst { state.pageCount = try raw.number(at: resource.paging.total) }
      page.next = state
    } else if state.isDisturbed {
      page.resume = RESTCursor(order: .byInstant, organisation: cursor.organisation)
      page.next = page.resume
    } else if !cursor.isFirst || cursor.since != nil {
      // Rows that changed since then are now at the end of the list.
      let seen = raw.count == 0 ? nil : watermark(page.newest ?? state.horizon)
      page.next = RESTCursor(
        order: .catchingUp, since: cursor.moved(to: seen).since, organisation: cursor.organisation)
    }
  }

  func stepByPages(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, _ raw: RESTPage,
    _ response: Response, at cursor: RESTCursor
  ) throws {
    var state = cursor
    if cursor.isFirst {
      state.count = try raw.number(at: resource.count)
    } else if let count = try? raw.number(at: resource.count), count != cursor.count {
      // Compare only if this page has a count: not every server sends it with every page.
      state.isDisturbed = true
    }
    if resource.changes.watermark != nil {
      if cursor.isFirst, cursor.horizon == nil {
        state.horizon = response.date ?? page.newest
      }
      state.newest = [cursor.newest, page.newest].compactMap(\.self).max()
    }
    if let following {
      state.go(to: following)
      if cursor.isFirst { state.pageCount = try raw.number(at: resource.paging.total) }
      page.next = state
      page.resume = state
      // A run that continues here starts cycle detection anew: the rows may have moved on by a
      // page.
      page.resume.passed = nil
      page.resume.compared = nil
    } else if !resource.paging.isStable, !cursor.isFirst, !cursor.isRepeated,
      cursor.since != nil || state.isDisturbed
    {
      page.next = state.repeated
      page.resume = state.repeated
    } else {
      // Undated rows do not show how far a list was read; the server's clock at its beginning does.
      let seen =
        isDated && state.newest == nil
        ? nil : [state.horizon, state.newest].compactMap(\.self).min()
      page.resume = cursor.restarted.moved(to: watermark(seen))
    }
  }
}

extension SyncError {
  fileprivate var refusesPage: Bool {
    switch self {
    case .accessDenied(status: 404, _): true
    case .serverFailed(let status, _): [400, 416, 422].contains(status)
    default: false
    }
  }
}

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

/// Responses to a request for changes, and state that later readings need.
extension RESTFeed {
  /// Returns the empty page for the response that nothing has changed (RFC 9110 section 15.4.5).
  ///
  /// - Throws: ``SyncError/serverFailed(status:message:)`` if the request did not ask for changes:
  /// an empty
  ///   list would delete everything.
  func unchanged(at cursor: RESTCursor) throws -> Page<[Record], RESTCursor> {
    guard cursor.since != nil, cursor.isFirst else { throw SyncError.serverFailed(status: 304) }
    return Page(resume: cursor.order == .byPages ? cursor.restarted : cursor.moved(to: nil))
  }

  /// Returns the instants at which a record may have changed twice and been fetched in between;
  /// `nil` if there are none.
  ///
  /// Such a record is listed again because it changed after the last reading began, however long
  /// that reading took.
  func unsettled(at cursor: RESTCursor) -> PartialRangeFrom<Timestamp>? {
    // What the first of two readings has fetched, the next run fetches again.
    guard !cursor.isRepeated, let floor = cursor.floor,
      let form = resource.changes.watermark?.form
    else { return nil }
    return (cursor.settled?.adding(seconds: -form.unit) ?? floor)...
  }

  /// Returns a page of the list of records with the state that later readings need.
  func remembering(
    _ page: Page<[Record], RESTCursor>, at cursor: RESTCursor, _ response: Response
  ) -> Page<[Record], RESTCursor> {
    var page = page
    if resource.detail != nil {
      let began = cursor.began ?? response.date
      page.next?.began = began
      page.next?.settled = cursor.settled
      page.resume.began = page.next == nil ? nil : began
      page.resume.settled = page.next == nil ? began ?? cursor.settled : cursor.settled
    }
    if resource.deletedRecords != nil {
      let since = cursor.deletedSince ?? response.date ?? page.newest
      page.next?.deletedSince = since
      page.resume.deletedSince = since
    }
    return page
  }
}
