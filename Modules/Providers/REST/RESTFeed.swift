package import Foundation
package import HTTPTypes
import JSONReading
import Models
package import Networking
package import Sync

/// A list of a described provider.
///
/// Where the server can sort by change, what has changed is read from instant to instant, as
/// `XeroFeed` does; there is no way to miss a row but inside an instant that fills pages. Its pages
/// are read twice, backwards where they have numbers, and after a pass through the whole list that
/// met such an instant all are counted. Else pages are followed as the server has them. Where that
/// can lose a row while others edit, as page numbers can, a list of more than one page is believed
/// only when its count agrees at its beginning and at its end, or when it was read twice. The
/// watermark is then no later than the server's own clock when the reading began: a row may have
/// changed behind the reader's back before the newest one that was seen.
///
/// Of no list is it later than that clock: a row dated ahead would keep back all that changes until
/// then.
package struct RESTFeed<Record: RESTRecord>: ResourceFeed {
  package typealias Cursor = RESTCursor

  let resource: RESTResource
  let requests: RESTRequests
  private let provider: String
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

  package var traits: FeedTraits {
    var traits = FeedTraits(
      provider: provider, changes: resource.changes.watermark == nil ? .sweep : .watermark,
      identifiesOrganisation: identifiesOrganisation)
    if let versions = resource.changes.versions {
      traits.contents = .versions(batch: versions.batch)
    } else if resource.detail != nil {
      // The list shows which records are to be fetched individually. A few at a time, so that
      // little is repeated where the server wants a pause.
      traits.contents = .versions(batch: 5)
    }
    // The next pages can be requested before one is read only where their number is known; where
    // records are fetched individually, these take the time.
    traits.maxConcurrentPages = predictsPages && resource.detail == nil ? 4 : 1
    traits.usesConditionalRequests = resource.changes.watermark?.header != nil
    return traits
  }

  package func source(of cursor: RESTCursor) -> String {
    sourceName + (cursor.organisation.map { ":" + $0 } ?? "")
  }

  private var identifiesOrganisation: Bool {
    switch organisation {
    case .unknown: false
    case .named: requests.tenantID != nil
    case .asked: true
    }
  }

  package func begin(
    _ start: FeedStart<RESTCursor>, ask: @escaping Ask
  ) async throws -> RESTCursor {
    if requests.namesTenant, requests.tenantID == nil {
      throw SyncError.organisationUnclear(available: [])
    }
    switch start {
    case .signIn:
      var cursor = everything(of: nil)
      if case .asked(let identity) = organisation {
        cursor.organisation = try identity.organisation(
          in: try await ask(requests.identity(identity)).body)
      }
      return cursor
    case .everything(let known): return everything(of: known)
    case .changes(let cursor):
      var next = changes(
        since: [cursor.since?.adding(seconds: -overlap), cursor.floor].compactMap(\.self).max())
      next.organisation = cursor.organisation
      next.floor = next.since
      next.settled = cursor.settled
      return deletedFirst(next, since: cursor.deletedSince)
    case .since(let instant, let known):
      var cursor = changes(since: instant)
      cursor.organisation = known?.organisation
      return deletedFirst(cursor, since: instant)
    case .continuing(let cursor): return try await known(cursor, ask)
    }
  }

  private func everything(of known: RESTCursor?) -> RESTCursor {
    RESTCursor(
      order: isOrdered && !predictsPages ? .byInstant : .byPages, organisation: known?.organisation)
  }

  package func request(at cursor: RESTCursor) throws -> Request {
    if let deleted = deletedList(at: cursor) { return try deleted.requests.page(deleted.cursor) }
    return try requests.page(cursor)
  }

  package func records(
    for ids: [String], at cursor: RESTCursor, ask: @escaping Ask
  ) async throws -> Page<[Record], RESTCursor> {
    if let detail = resource.detail {
      return try await RESTDetailReader(resource: resource, requests: requests, ask: ask)
        .records(ids, detail, at: cursor)
    }
    guard let versions = resource.changes.versions else { return Page(resume: cursor) }
    let response = try await ask(requests.records(ids, versions))
    return RESTRowReader<Record>(resource).page(
      try RESTPage(response.body, rows: resource.rows), resume: cursor, until: response.serverTime)
  }

  package func page(
    _ response: Response, at cursor: RESTCursor
  ) throws -> Page<[Record], RESTCursor> {
    if let deleted = deletedList(at: cursor) {
      return try deletedPage(response, at: cursor, deleted.requests, deleted.cursor)
    }
    let page =
      response.head.status.code == 304
      ? try unchanged(at: cursor) : try recordsPage(response, at: cursor)
    return remembering(page, at: cursor, response)
  }

  private func recordsPage(
    _ response: Response, at cursor: RESTCursor
  ) throws -> Page<[Record], RESTCursor> {
    let raw = try RESTPage(response.body, rows: resource.changes.versions?.rows ?? resource.rows)
    let reader = RESTRowReader<Record>(resource)
    let limit = limit(of: response, at: cursor)
    var page =
      if let versions = resource.changes.versions {
        reader.versions(raw, versions, resume: cursor)
      } else if resource.detail != nil {
        reader.listed(raw, resume: cursor, until: limit, unsettled: unsettled(at: cursor))
      } else {
        reader.page(raw, resume: cursor, until: limit)
      }
    let following = try RESTTurn(resource: resource, requests: requests)
      .next(after: cursor, raw, response)
    if isOrdered {
      try reader.requireOrder(
        resource.detail == nil ? page.records.compactMap(\.updatedAt) : reader.instants(raw))
    }
    switch cursor.order {
    case .byInstant, .catchingUp: turnByInstant(&page, following, at: cursor, until: limit)
    case .byPages where isOrdered: try turnByNumber(&page, following, raw, response, at: cursor)
    case .byPages: try turnByPages(&page, following, raw, response, at: cursor)
    }
    return page
  }

  package func predictedCursor(after cursor: RESTCursor) -> RESTCursor? {
    guard predictsPages, cursor.order == .byPages, cursor.deletions == nil,
      let count = cursor.pageCount,
      cursor.number + 1 < count
    else { return nil }
    return cursor.turned(by: 1)
  }

  package func count(at cursor: RESTCursor, ask: @escaping Ask) async throws -> ListCount {
    guard canHaveMissed(until: cursor) else { return .notNeeded }
    guard resource.count != nil else { return .unknown }
    let response = try await ask(requests.page(RESTCursor(order: .byPages)))
    return try total(in: response).map(ListCount.records) ?? .unknown
  }

  /// Whether rows can have moved while the list was read until a cursor.
  private func canHaveMissed(until cursor: RESTCursor) -> Bool {
    guard !cursor.isRepeated else { return false }
    return switch cursor.order {
    case .byInstant: cursor.turnedInside == true && !resource.paging.isStable
    case .catchingUp: true
    // A list of one page came as it was at one moment.
    case .byPages: !resource.paging.isStable && (!cursor.isFirst || cursor.since != nil)
    }
  }

  package func total(in response: Response) throws -> Int? {
    try RESTPage(response.body, rows: resource.changes.versions?.rows ?? resource.rows)
      .number(at: resource.count)
  }

  /// From instant to instant, or page after page once more; what neither of two readings has seen
  /// is not there.
  package func exhaustive(_ cursor: RESTCursor) -> RESTCursor {
    var start = RESTCursor(
      order: isOrdered ? .byInstant : .byPages, organisation: cursor.organisation)
    start.isRepeated = true
    start.deletedSince = cursor.deletedSince
    start.settled = cursor.settled
    start.began = cursor.began
    // What changed since the first reading began may have moved behind the back of both.
    if !isOrdered { (start.horizon, start.newest) = (cursor.horizon, cursor.newest) }
    return start
  }
}
