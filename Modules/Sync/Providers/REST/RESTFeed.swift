package import Foundation
package import HTTPTypes
import Models
package import Networking

/// A list of a described provider.
///
/// Where the server can sort by change, what has changed is read from instant to instant, as
/// `XeroFeed` does; there is no way to miss a row but inside an instant that fills pages. Its pages are read
/// twice, backwards where they have numbers, and after a pass through the whole list that met such an
/// instant all are counted. Else pages are followed as the server has them. Where that can lose a
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
  private let organisation: RESTOrganisation

  /// - Parameters:
  ///   - provider: the provider's name in the configuration.
  ///   - tenantID: the organisation, where the description names one.
  ///   - organisation: how it is known whose records the list holds.
  package init(
    _: Record.Type, provider: String, resource: RESTResource, baseURL: URL,
    headers: HTTPFields = [:], tenantID: String? = nil, organisation: RESTOrganisation = .unknown
  ) {
    self.provider = provider
    self.organisation = organisation
    self.resource = resource
    requests = RESTRequests(
      baseURL: baseURL, headers: headers, resource: resource, tenantID: tenantID)
    sourceName = provider + ":" + (tenantID ?? baseURL.host() ?? "")
  }

  package var changes: ChangeModel {
    switch resource.changes {
    // Which records are asked for one by one is told by the versions that the list shows.
    case .sweep: resource.detail == nil ? .sweep : .versions
    case .watermark: .watermark
    case .versions: .versions
    }
  }

  /// Only where the number of pages is known can the next ones be asked for before one is read; where records
  /// are asked for one by one, it is these that take the time.
  package var pagesAtOnce: Int { isGuessing && resource.detail == nil ? 4 : 1 }

  /// Of records that are asked for one by one a few, so that little is asked for twice where the server wants
  /// a pause.
  package var batch: Int { resource.detail == nil ? resource.changes.versions?.batch ?? 100 : 5 }

  package func source(of place: RESTPlace) -> String {
    sourceName + (place.organisation.map { ":" + $0 } ?? "")
  }

  package var tellsOrganisation: Bool {
    switch organisation {
    case .unknown: false
    case .named: requests.tenantID != nil
    case .asked: true
    }
  }

  package func begin(
    _ start: FeedStart<RESTPlace>, over session: Session
  ) async throws -> RESTPlace {
    if requests.namesTenant, requests.tenantID == nil {
      throw SyncError.organisationUnclear(available: [])
    }
    switch start {
    case .signIn:
      var place = everything(of: nil)
      if case .asked(let identity) = organisation {
        place.organisation = try identity.organisation(
          in: try await answer(to: requests.identity(identity), over: session).body)
      }
      return place
    case .everything(let known): return everything(of: known)
    case .changes(let place):
      var next = changes(
        since: [place.since?.adding(seconds: -overlap), place.floor].compactMap(\.self).max())
      next.organisation = place.organisation
      next.floor = next.since
      next.settled = place.settled
      return deletedFirst(next, since: place.deletedSince)
    case .since(let instant, let known):
      var place = changes(since: instant)
      place.organisation = known?.organisation
      return deletedFirst(place, since: instant)
    case .continuing(let place): return try await known(place, over: session)
    }
  }

  private func everything(of known: RESTPlace?) -> RESTPlace {
    RESTPlace(
      order: isOrdered && !isGuessing ? .byInstant : .byPages, organisation: known?.organisation)
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

  package func records(
    for ids: [String], at place: RESTPlace,
    _ ask: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> FeedPage<Record, RESTPlace> {
    guard let detail = resource.detail else {
      return try records(try await ask(request(for: ids, at: place)), at: place)
    }
    return try await RESTDetailReader(resource: resource, requests: requests, ask: ask)
      .records(ids, detail, at: place)
  }

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
      if let versions = resource.changes.versions {
        reader.versions(raw, versions, resume: place)
      } else if resource.detail != nil {
        reader.listed(raw, resume: place, until: limit, unsettled: unsettled(at: place))
      } else {
        reader.page(raw, resume: place, until: limit)
      }
    let following = try RESTTurn(resource: resource, requests: requests)
      .next(after: place, raw, response)
    if isOrdered {
      try reader.requireOrder(
        resource.detail == nil ? page.records.compactMap(\.updatedAt) : reader.instants(raw))
    }
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
    var start = RESTPlace(
      order: isOrdered ? .byInstant : .byPages, organisation: place.organisation)
    start.isRepeated = true
    start.deletedSince = place.deletedSince
    start.settled = place.settled
    start.began = place.began
    // What changed since the first reading began may have moved behind the back of both.
    if !isOrdered { (start.horizon, start.newest) = (place.horizon, place.newest) }
    return start
  }
}
