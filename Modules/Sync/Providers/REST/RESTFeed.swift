package import Foundation
package import HTTPTypes
import Models
package import Networking

/// A list of a described provider.
///
/// Where the server can sort by change, what has changed is read from instant to instant, as
/// `XeroFeed` does; there is no way to miss a row but inside an instant that fills pages, and after a pass
/// that met one all are counted. Else pages are followed as the server has them. Where that can lose a
/// row while others edit, as page numbers can, a list of more than one page is believed only when its
/// count agrees at its beginning and at its end, or when it was read twice. The watermark is then no later
/// than the server's own clock when the reading began: a row may have changed behind the reader's back
/// before the newest one that was seen.
///
/// Of no list is it later than that clock: a row dated ahead would keep back all that changes until then.
package struct RESTFeed<Record: RESTRecord>: ResourceFeed {
  package typealias Place = RESTPlace

  package let provider: String
  let resource: RESTResource
  let requests: RESTRequests
  private let sourceName: String

  /// - Parameters:
  ///   - provider: the provider's name in the configuration.
  ///   - tenantID: the organisation, where the description names one.
  package init(
    _: Record.Type, provider: String, resource: RESTResource, baseURL: URL,
    headers: HTTPFields = [:], tenantID: String? = nil
  ) {
    self.provider = provider
    self.resource = resource
    requests = RESTRequests(
      baseURL: baseURL, headers: headers, resource: resource, tenantID: tenantID)
    sourceName = provider + ":" + (tenantID ?? baseURL.host() ?? "")
  }

  package var changes: ChangeModel {
    switch resource.changes {
    case .sweep: .sweep
    case .watermark: .watermark
    case .versions: .versions
    }
  }

  /// Only where the number of pages is known can the next ones be asked for before one is read.
  package var pagesAtOnce: Int { isGuessing ? 4 : 1 }

  package var batch: Int { resource.changes.versions?.batch ?? 100 }

  package func source(of place: RESTPlace) -> String { sourceName }

  package func begin(
    _ start: FeedStart<RESTPlace>, over session: Session
  ) async throws -> RESTPlace {
    if requests.namesTenant, requests.tenantID == nil {
      throw SyncError.organisationUnclear(available: [])
    }
    switch start {
    case .everything: return RESTPlace(order: isOrdered && !isGuessing ? .byInstant : .byPages)
    case .changes(let place):
      var next = changes(
        since: [place.since?.adding(seconds: -overlap), place.floor].compactMap(\.self).max())
      next.floor = next.since
      return deletedFirst(next, since: place.deletedSince)
    case .since(let instant, _): return deletedFirst(changes(since: instant), since: instant)
    case .continuing(let place): return try await known(place, over: session)
    }
  }

  package func request(at place: RESTPlace) throws -> Request {
    if let deleted = deletedList(at: place) { return try deleted.requests.page(deleted.place) }
    return try requests.page(place)
  }

  package func request(for ids: [String], at place: RESTPlace) throws -> Request {
    guard let versions = resource.changes.versions else {
      throw SyncError.unreadable(place: "the list", reason: "it holds no versions")
    }
    return try requests.records(ids, versions)
  }

  package func records(
    _ response: Response, at place: RESTPlace
  ) throws -> FeedPage<Record, RESTPlace> {
    RESTRowReader<Record>(resource).page(
      try RESTPage(response.body, rows: resource.rows), resume: place, until: response.serverTime)
  }

  package var asksConditionally: Bool { resource.changes.watermark?.header != nil }

  package func page(
    _ response: Response, at place: RESTPlace
  ) throws -> FeedPage<Record, RESTPlace> {
    if let deleted = deletedList(at: place) {
      return try deletedPage(response, at: place, deleted.requests, deleted.place)
    }
    let page =
      response.head.status.code == 304
      ? try unchanged(at: place) : try recordsPage(response, at: place)
    return remembering(page, at: place, response)
  }

  private func recordsPage(
    _ response: Response, at place: RESTPlace
  ) throws -> FeedPage<Record, RESTPlace> {
    let raw = try RESTPage(response.body, rows: resource.changes.versions?.rows ?? resource.rows)
    let reader = RESTRowReader<Record>(resource)
    let limit = limit(of: response, at: place)
    var page =
      resource.changes.versions.map { reader.versions(raw, $0, resume: place) }
      ?? reader.page(raw, resume: place, until: limit)
    let following = try RESTTurn(resource: resource, requests: requests)
      .next(after: place, raw, response)
    if isOrdered { try reader.requireOrder(page.records) }
    switch place.order {
    case .byInstant, .catchingUp: turnByInstant(&page, following, at: place, until: limit)
    case .byPages where isOrdered: try turnByNumber(&page, following, raw, response, at: place)
    case .byPages: try turnByPages(&page, following, raw, response, at: place)
    }
    return page
  }

  package func guess(after place: RESTPlace) -> RESTPlace? {
    guard isGuessing, place.order == .byPages, place.deletions == nil, let count = place.pageCount,
      place.number + 1 < count
    else { return nil }
    return place.turned(by: 1)
  }

  package func countRequest(at place: RESTPlace) throws -> Request? {
    guard !place.isRepeated else { return nil }
    switch place.order {
    case .byInstant:
      guard place.turnedInside == true, !resource.paging.isStable else { return nil }
    case .catchingUp: break
    case .byPages:
      guard !resource.paging.isStable else { return nil }
      // A list of one page came as it was at one moment.
      guard !place.isFirst || place.since != nil else { return nil }
    }
    return try requests.page(RESTPlace(order: .byPages))
  }

  package func count(_ response: Response) throws -> Int? {
    try RESTPage(response.body, rows: resource.changes.versions?.rows ?? resource.rows)
      .number(at: resource.count)
  }

  /// From instant to instant, or page after page once more; what neither of two readings has seen is
  /// not there.
  package func withoutGuesses(_ place: RESTPlace) -> RESTPlace {
    var start = RESTPlace(order: isOrdered ? .byInstant : .byPages)
    start.isRepeated = true
    start.deletedSince = place.deletedSince
    // What changed since the first reading began may have moved behind the back of both.
    if !isOrdered { (start.horizon, start.newest) = (place.horizon, place.newest) }
    return start
  }
}

// MARK: Steps

extension RESTFeed {
  private var isOrdered: Bool { resource.changes.watermark?.isOrdered ?? false }

  /// Whether pages of the whole list are asked for before it is known that they are needed.
  private var isGuessing: Bool {
    guard resource.paging.style == .page, resource.paging.total != nil else { return false }
    return resource.changes.watermark?.isOrdered ?? true
  }

  private func changes(since: Timestamp?) -> RESTPlace {
    RESTPlace(order: isOrdered ? .byInstant : .byPages, since: since)
  }

  /// A place of an earlier run, unless the server has forgotten its token: most do after a while, and
  /// say so in ways of their own.
  private func known(_ place: RESTPlace, over session: Session) async throws -> RESTPlace {
    guard place.mark != nil else { return place }
    let status = try await session.send(requests.page(place)).head.status.code
    guard [400, 404, 410, 422].contains(status) else { return place }
    return place.restarted
  }

  /// Up to when, by the server's clock, a change moves the place.
  ///
  /// From instant to instant that is the time of the answer, and as much more as is read again at the
  /// begin of the next run; page after page the time of the first one.
  private func limit(of response: Response, at place: RESTPlace) -> Timestamp {
    if let horizon = place.horizon { return horizon }
    guard place.order != .byPages else { return response.serverTime }
    return response.serverTime.adding(seconds: overlap)
  }

  /// How much is read again, in seconds.
  var overlap: Int64 { resource.changes.watermark?.overlap.components.seconds ?? 0 }

  /// One unit before the newest row: whether the server takes an instant as "at or after" or as "after"
  /// is rarely documented.
  private func watermark(_ newest: Timestamp?) -> Timestamp? {
    guard let newest, let form = resource.changes.watermark?.form else { return nil }
    let unit = form.unit * 1_000_000
    let rest = newest.microsecondsSinceEpoch % unit
    return Timestamp(
      microsecondsSinceEpoch: newest.microsecondsSinceEpoch - (rest < 0 ? rest + unit : rest)
    ).adding(seconds: -form.unit)
  }

  private func turnByInstant(
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, at place: RESTPlace,
    until limit: Timestamp
  ) {
    page.resume = place.moved(to: watermark(page.newest))
    guard var following else { return }
    guard page.resume.since == place.since else {
      page.next = page.resume
      return
    }
    // Without progress in time the instant fills the page; only the server's paging leads out of it.
    following.turnedInside = true
    // What changes from now on may stand on a page that was read already.
    following.horizon = limit
    page.resume.turnedInside = true
    page.next = following
  }

  /// The whole of a list that is sorted by change, page after page.
  private func turnByNumber(
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
      page.resume = RESTPlace(order: .byInstant)
      page.next = page.resume
    } else if !place.isFirst || place.since != nil {
      // What has changed since stands at the end of the list by now.
      let seen = raw.count == 0 ? nil : watermark(page.newest ?? state.horizon)
      page.next = RESTPlace(order: .catchingUp, since: place.moved(to: seen).since)
    }
  }

  private func turnByPages(
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
      // Whoever goes on later begins to look out for circles anew.
      page.resume.passed = nil
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
