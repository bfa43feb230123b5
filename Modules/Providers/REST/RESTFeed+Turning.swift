import HTTPTypes
import Models
import Networking
import Storage
import Sync

/// Where a reading begins, goes on, and ends.
extension RESTFeed {
  var isOrdered: Bool { resource.changes.watermark?.isOrdered ?? false }

  /// Whether pages of the whole list are asked for before it is known that they are needed.
  var predictsPages: Bool {
    guard resource.paging.style == .page, resource.paging.total != nil else { return false }
    return resource.changes.watermark?.isOrdered ?? true
  }

  func changes(since: Timestamp?) -> RESTCursor {
    RESTCursor(order: isOrdered ? .byInstant : .byPages, since: since)
  }

  /// A cursor of an earlier run, unless the server has forgotten its token: most do after a while,
  /// and say so in ways of their own.
  func known(_ cursor: RESTCursor, _ ask: Ask) async throws -> RESTCursor {
    guard cursor.mark != nil else { return cursor }
    do {
      _ = try await ask(requests.page(cursor))
    } catch is CursorExpired {
      return cursor.restarted
    } catch SyncError.accessDenied(status: 404), SyncError.serverFailed(status: 400),
      SyncError.serverFailed(status: 422)
    {
      return cursor.restarted
    } catch is SyncError {
      // It is met again by the request for the page.
    }
    return cursor
  }

  /// Up to when, by the server's clock, a change moves the cursor.
  ///
  /// From instant to instant that is the time of the answer, and as much more as is read again at
  /// the begin of the next run; page after page the time of the first one.
  func limit(of response: Response, at cursor: RESTCursor) -> Timestamp {
    if let horizon = cursor.horizon { return horizon }
    guard cursor.order != .byPages else { return response.serverTime }
    return response.serverTime.adding(seconds: overlap)
  }

  /// How much is read again, in seconds.
  var overlap: Int64 { resource.changes.watermark?.overlap.components.seconds ?? 0 }

  /// One unit before the newest row: whether the server takes an instant as "at or after" or as
  /// "after" is rarely documented.
  func watermark(_ newest: Timestamp?) -> Timestamp? {
    guard let newest, let form = resource.changes.watermark?.form else { return nil }
    let unit = form.unit * 1_000_000
    let rest = newest.microsecondsSinceEpoch % unit
    return Timestamp(
      microsecondsSinceEpoch: newest.microsecondsSinceEpoch - (rest < 0 ? rest + unit : rest)
    ).adding(seconds: -form.unit)
  }

  func turnByInstant(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, at cursor: RESTCursor,
    until limit: Timestamp
  ) {
    if let second = cursor.second { return turnAgain(&page, following, at: cursor, second) }
    page.resume = cursor.moved(to: watermark(page.newest))
    if var following, page.resume.since == cursor.since {
      // Without progress in time the instant fills the page; only the server's paging leads out of
      // it.
      following.turnedInside = true
      following.step = cursor.step ?? following.number - cursor.number
      // What changes from now on may stand on a page that was read already.
      following.horizon = limit
      page.resume.turnedInside = true
      page.next = following
    } else if cursor.isFirst || resource.paging.isStable {
      page.next = following.map { _ in page.resume }
    } else {
      page.next = readAgain(cursor, beyond: page.resume.since)
      // Only then the instant counts as read.
      page.resume = cursor.moved(to: nil)
    }
  }

  /// The whole of a list that is sorted by change, page after page.
  func turnByNumber(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, _ raw: RESTPage,
    _ response: Response, at cursor: RESTCursor
  ) throws {
    let count =
      cursor.isFirst ? try raw.number(at: resource.count) : try? raw.number(at: resource.count)
    var state = cursor
    // Behind a row that is gone all others move up, and one of them over the edge of a page that
    // was read already; at the end the count would agree by accident.
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
      // What has changed since stands at the end of the list by now.
      let seen = raw.count == 0 ? nil : watermark(page.newest ?? state.horizon)
      page.next = RESTCursor(
        order: .catchingUp, since: cursor.moved(to: seen).since, organisation: cursor.organisation)
    }
  }

  func turnByPages(
    _ page: inout Page<[Record], RESTCursor>, _ following: RESTCursor?, _ raw: RESTPage,
    _ response: Response, at cursor: RESTCursor
  ) throws {
    var state = cursor
    if cursor.isFirst {
      state.count = try raw.number(at: resource.count)
    } else if let count = try? raw.number(at: resource.count), count != cursor.count {
      // Not every server says so on every page.
      state.isDisturbed = true
    }
    if resource.changes.watermark != nil {
      if cursor.isFirst, cursor.horizon == nil {
        state.horizon = response.date ?? page.newest
      }
      state.newest = [cursor.newest, page.newest].compactMap(\.self).max()
    }
    if let following {
      state.number = following.number
      state.mark = following.mark
      state.passed = following.passed
      state.compared = following.compared
      if cursor.isFirst { state.pageCount = try raw.number(at: resource.paging.total) }
      page.next = state
      page.resume = state
      // Whoever goes on later begins to look out for cycles anew: the rows may have moved on by a
      // page.
      page.resume.passed = nil
      page.resume.compared = nil
    } else if !resource.paging.isStable, !cursor.isFirst, !cursor.isRepeated,
      cursor.since != nil || state.isDisturbed
    {
      page.next = state.repeated
      page.resume = state.repeated
    } else {
      let seen = [state.horizon, state.newest].compactMap(\.self).min()
      page.resume = cursor.restarted.moved(to: state.newest.flatMap { _ in watermark(seen) })
    }
  }
}
