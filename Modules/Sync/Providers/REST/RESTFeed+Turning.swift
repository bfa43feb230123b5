import HTTPTypes
import Models
import Networking
import Storage

/// Where a reading begins, goes on, and ends.
extension RESTFeed {
  var isOrdered: Bool { resource.changes.watermark?.isOrdered ?? false }

  /// Whether pages of the whole list are asked for before it is known that they are needed.
  var isGuessing: Bool {
    guard resource.paging.style == .page, resource.paging.total != nil else { return false }
    return resource.changes.watermark?.isOrdered ?? true
  }

  func changes(since: Timestamp?) -> RESTPlace {
    RESTPlace(order: isOrdered ? .byInstant : .byPages, since: since)
  }

  /// A place of an earlier run, unless the server has forgotten its token: most do after a while, and
  /// say so in ways of their own.
  func known(_ place: RESTPlace, over session: Session) async throws -> RESTPlace {
    guard place.mark != nil else { return place }
    let status = try await session.send(requests.page(place)).head.status.code
    guard [400, 404, 410, 422].contains(status) else { return place }
    return place.restarted
  }

  /// Up to when, by the server's clock, a change moves the place.
  ///
  /// From instant to instant that is the time of the answer, and as much more as is read again at the
  /// begin of the next run; page after page the time of the first one.
  func limit(of response: Response, at place: RESTPlace) -> Timestamp {
    if let horizon = place.horizon { return horizon }
    guard place.order != .byPages else { return response.serverTime }
    return response.serverTime.adding(seconds: overlap)
  }

  /// How much is read again, in seconds.
  var overlap: Int64 { resource.changes.watermark?.overlap.components.seconds ?? 0 }

  /// One unit before the newest row: whether the server takes an instant as "at or after" or as "after"
  /// is rarely documented.
  func watermark(_ newest: Timestamp?) -> Timestamp? {
    guard let newest, let form = resource.changes.watermark?.form else { return nil }
    let unit = form.unit * 1_000_000
    let rest = newest.microsecondsSinceEpoch % unit
    return Timestamp(
      microsecondsSinceEpoch: newest.microsecondsSinceEpoch - (rest < 0 ? rest + unit : rest)
    ).adding(seconds: -form.unit)
  }

  func turnByInstant(
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, at place: RESTPlace,
    until limit: Timestamp
  ) {
    if let second = place.second { return turnAgain(&page, following, at: place, second) }
    page.resume = place.moved(to: watermark(page.newest))
    if var following, page.resume.since == place.since {
      // Without progress in time the instant fills the page; only the server's paging leads out of it.
      following.turnedInside = true
      following.step = place.step ?? following.number - place.number
      // What changes from now on may stand on a page that was read already.
      following.horizon = limit
      page.resume.turnedInside = true
      page.next = following
    } else if place.isFirst || resource.paging.isStable {
      page.next = following.map { _ in page.resume }
    } else {
      page.next = readAgain(place, beyond: page.resume.since)
      // Only then the instant counts as read.
      page.resume = place.moved(to: nil)
    }
  }

  /// The whole of a list that is sorted by change, page after page.
  func turnByNumber(
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, _ raw: RESTPage,
    _ response: Response, at place: RESTPlace
  ) throws {
    let count =
      place.isFirst ? try raw.number(at: resource.count) : try? raw.number(at: resource.count)
    var state = place
    // Behind a row that is gone all others move up, and one of them over the edge of a page that was read
    // already; at the end the count would agree by accident.
    if let count, let earlier = place.count, count < earlier { state.isDisturbed = true }
    state.count = count ?? place.count
    state.horizon = place.horizon ?? response.serverTime
    page.resume = state.moved(to: watermark(page.newest))
    if let following {
      state.number = following.number
      state.compared = following.compared
      if place.isFirst { state.pageCount = try raw.number(at: resource.paging.total) }
      page.next = state
    } else if state.isDisturbed {
      page.resume = RESTPlace(order: .byInstant, organisation: place.organisation)
      page.next = page.resume
    } else if !place.isFirst || place.since != nil {
      // What has changed since stands at the end of the list by now.
      let seen = raw.count == 0 ? nil : watermark(page.newest ?? state.horizon)
      page.next = RESTPlace(
        order: .catchingUp, since: place.moved(to: seen).since, organisation: place.organisation)
    }
  }

  func turnByPages(
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, _ raw: RESTPage,
    _ response: Response, at place: RESTPlace
  ) throws {
    var state = place
    if place.isFirst {
      state.count = try raw.number(at: resource.count)
    } else if let count = try? raw.number(at: resource.count), count != place.count {
      // Not every server says so on every page.
      state.isDisturbed = true
    }
    if resource.changes.watermark != nil {
      if place.isFirst, place.horizon == nil {
        state.horizon = response.date ?? page.newest
      }
      state.newest = [place.newest, page.newest].compactMap(\.self).max()
    }
    if let following {
      state.number = following.number
      state.mark = following.mark
      state.passed = following.passed
      state.compared = following.compared
      if place.isFirst { state.pageCount = try raw.number(at: resource.paging.total) }
      page.next = state
      page.resume = state
      // Whoever goes on later begins to look out for circles anew: the rows may have moved on by a page.
      page.resume.passed = nil
      page.resume.compared = nil
    } else if !resource.paging.isStable, !place.isFirst, !place.isRepeated,
      place.since != nil || state.isDisturbed
    {
      page.next = state.repeated
      page.resume = state.repeated
    } else {
      let seen = [state.horizon, state.newest].compactMap(\.self).min()
      page.resume = place.restarted.moved(to: state.newest.flatMap { _ in watermark(seen) })
    }
  }
}
