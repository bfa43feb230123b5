package import Foundation
package import HTTPTypes
import Models
package import Networking

/// A list of a described provider.
///
/// Where the server can sort by change, what has changed is read from instant to instant, as
/// `XeroFeed` does; there is no way to miss a row. Else pages are followed as the server has them. Where
/// that can lose a row while others edit, as page numbers can, a list of more than one page is
/// believed only when its count agrees at its beginning and at its end, or when it was read twice.
/// What is then the watermark is no instant that was seen, but the server's own clock when the reading
/// began: a row may have changed behind the reader's back before the newest one that was seen.
package struct RESTFeed<Record: RESTRecord>: ResourceFeed {
  package typealias Place = RESTPlace

  package let provider: String
  let resource: RESTResource
  private let requests: RESTRequests
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
      let overlap = resource.changes.watermark?.overlap.components.seconds ?? 0
      return changes(since: place.since?.adding(seconds: -overlap))
    case .since(let instant, _): return changes(since: instant)
    case .continuing(let place): return try await known(place, over: session)
    }
  }

  package func request(at place: RESTPlace) throws -> Request { try requests.page(place) }

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
      try RESTPage(response.body, rows: resource.rows), resume: place)
  }

  package func page(
    _ response: Response, at place: RESTPlace
  ) throws -> FeedPage<Record, RESTPlace> {
    let raw = try RESTPage(response.body, rows: resource.changes.versions?.rows ?? resource.rows)
    let reader = RESTRowReader<Record>(resource)
    var page =
      resource.changes.versions.map { reader.versions(raw, $0, resume: place) }
      ?? reader.page(raw, resume: place)
    let following = try RESTTurn(resource: resource, requests: requests)
      .next(after: place, raw, response)
    if isOrdered { try reader.requireOrder(page.records) }
    switch place.order {
    case .byInstant, .catchingUp: turnByInstant(&page, following, at: place)
    case .byPages where isOrdered: try turnByNumber(&page, following, raw, at: place)
    case .byPages: try turnByPages(&page, following, raw, response, at: place)
    }
    return page
  }

  package func guess(after place: RESTPlace) -> RESTPlace? {
    guard isGuessing, place.order == .byPages, let count = place.pageCount,
      place.number + 1 < count
    else { return nil }
    return place.turned(by: 1)
  }

  package func countRequest(at place: RESTPlace) throws -> Request? {
    switch place.order {
    case .byInstant: return nil
    case .catchingUp: break
    case .byPages:
      guard !resource.paging.isStable, !place.isRepeated else { return nil }
      // A list of one page came as it was at one moment.
      guard !place.isFirst || place.since != nil else { return nil }
    }
    return try requests.page(RESTPlace(order: .byPages))
  }

  package func count(_ response: Response) throws -> Int? {
    try RESTPage(response.body, rows: resource.changes.versions?.rows ?? resource.rows)
      .number(at: resource.count)
  }

  package func withoutGuesses(_ place: RESTPlace) -> RESTPlace {
    guard !isOrdered else { return RESTPlace(order: .byInstant) }
    var place = place
    place.isRepeated = true
    return place
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
    return RESTPlace(order: place.order, since: place.since)
  }

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
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, at place: RESTPlace
  ) {
    page.resume = place.moved(to: watermark(page.newest))
    guard let following else { return }
    // Without progress in time the instant fills the page; only the server's paging leads out of it.
    page.next = page.resume.since == place.since ? following : page.resume
  }

  /// The whole of a list that is sorted by change, page after page.
  private func turnByNumber(
    _ page: inout FeedPage<Record, RESTPlace>, _ following: RESTPlace?, _ raw: RESTPage,
    at place: RESTPlace
  ) throws {
    page.resume = place.moved(to: watermark(page.newest))
    if var following {
      if place.isFirst { following.pageCount = try raw.number(at: resource.paging.total) }
      page.next = following
    } else if !place.isFirst || place.since != nil {
      // What has changed since stands at the end of the list by now.
      page.next = RESTPlace(order: .catchingUp, since: page.resume.since)
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
        let date = response.head.headerFields[.date].flatMap { HTTPDate.parse($0) }
        state.horizon = date.map { Timestamp($0) } ?? page.newest
      }
      state.newest = [place.newest, page.newest].compactMap(\.self).max()
    }
    if let following {
      state.number = following.number
      state.mark = following.mark
      if place.isFirst { state.pageCount = try raw.number(at: resource.paging.total) }
      page.next = state
      page.resume = state
    } else if !resource.paging.isStable, !place.isFirst, !place.isRepeated,
      place.since != nil || state.isDisturbed
    {
      page.next = state.repeated
      page.resume = state.repeated
    } else {
      let seen = [state.horizon, state.newest].compactMap(\.self).min()
      page.resume = RESTPlace(order: .byPages, since: place.since).moved(
        to: state.newest.flatMap { _ in watermark(seen) })
    }
  }
}
