package import Foundation
package import HTTPTypes
import JSONReading
import Models
package import Networking
import Storage
package import Sync

/// A list of a described provider.
///
/// If the server can sort by change, changes are read from instant to instant, as in `XeroFeed`. A
/// row can then be missed only within an instant that fills several pages. Such pages are read
/// twice, backwards if they have numbers. A pass through the whole list that met such an instant
/// ends with a count of all records.
///
/// Otherwise pages are read in the server's order. Some styles, such as page numbers, can then miss
/// a row while others change. A list of several pages in such a style is trusted only if its count
/// is the same at the beginning and at the end, or if it was read twice. Its watermark is no later
/// than the server time at which the reading began: a row may have changed unseen before the newest
/// row seen. If the rows do not state when they changed, it is that server time.
///
/// The watermark of any list is no later than the server's clock: a row dated in the future would
/// otherwise hide all changes until then.
package struct RESTFeed<Record: RESTRecord>: ResourceFeed {
  package typealias Cursor = RESTCursor

  let resource: RESTResource
  let requests: RESTRequests
  let provider: String
  /// The key of the configuration with the address of the API.
  let addressKey: String
  /// The key of the list in the configuration; `nil` if its description is part of appcore.
  let listKey: String?
  private let sourceName: String
  private let organisation: RESTOrganisation
  private let addresses: [Resource: String]
  private let timeZone: String?
  private let reader: String

  /// - Parameters:
  ///   - provider: the provider's name in the configuration.
  ///   - tenantID: the organisation, if the description names one.
  ///   - organisation: the source that identifies the organisation of the list.
  ///   - others: the other lists of the provider.
  ///   - timeZone: the time zone in which instants become days; `nil` takes the described one.
  ///   - addressKey: the key of the configuration with `baseURL`; `nil` takes the description's.
  ///   - isShipped: true if the description is part of appcore, not of the configuration.
  package init(
    _: Record.Type, provider: String, resource: RESTResource, baseURL: URL,
    headers: HTTPFields = [:], tenantID: String? = nil, organisation: RESTOrganisation = .unknown,
    others: [RESTResource] = [], timeZone: String? = nil, addressKey: String? = nil,
    isShipped: Bool = false
  ) {
    var resource = resource
    if let zone = timeZone.flatMap(TimeZone.init(identifier:)) {
      resource.forms.timeZone = .named(zone)
    }
    self.provider = provider
    self.addressKey = addressKey ?? "providers.\(provider).baseURL"
    listKey = isShipped ? nil : "providers.\(provider).resources.\(resource.kind)"
    self.organisation = organisation
    self.resource = resource
    reader = resource.fingerprint
    self.timeZone = resource.readsInstantsAsDays ? resource.forms.timeZone?.text : nil
    let requests = RESTRequests(
      baseURL: baseURL, headers: headers, resource: resource, tenantID: tenantID)
    self.requests = requests
    addresses = Dictionary(
      (others + [resource]).map { ($0.kind, requests.of($0).address) }, uniquingKeysWith: { $1 })
    // The user chooses the provider's name, and may choose another one for the same server.
    sourceName = Self.sourcePrefix + (tenantID ?? baseURL.host() ?? "")
  }

  private static var sourcePrefix: String { "rest:" }

  package var traits: FeedTraits {
    var traits = FeedTraits(
      provider: provider, changes: resource.changes.watermark == nil ? .sweep : .watermark,
      identifiesOrganisation: identifiesOrganisation)
    traits.addresses = addresses
    traits.formerSource = (provider + ":", Self.sourcePrefix)
    traits.recordAddressKey =
      resource.detail == nil ? nil : listKey.map { $0 + ".detail.path" } ?? addressKey
    traits.timeZone = timeZone
    traits.reader = reader
    // The next pages can be requested early only if their numbers are known. If records are fetched
    // individually, those requests take most of the time.
    traits.maxConcurrentPages = predictsPages && resource.detail == nil ? 4 : 1
    traits.usesConditionalRequests = resource.changes.watermark?.header != nil
    return traits
  }

  package func source(of cursor: RESTCursor) -> String {
    sourceName + (cursor.organisation.map { ":" + $0 } ?? "")
  }

  package func dayZone(at cursor: RESTCursor) -> DayZone {
    guard resource.readsInstantsAsDays else { return .notNeeded }
    return switch resource.forms.timeZone {
    case nil: .unknown
    case .named(let zone)?: .known(zone)
    // Each record states its own.
    case .at?: .notNeeded
    }
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
      throw SyncError.organisationMissing(
        whereToFind: "the requests of provider '\(provider)' name it, and the account does not")
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
    let raw = try RESTPage(response, of: resource, isFirst: cursor.isFirst)
    let reader = RESTRowReader<Record>(resource)
    let limit = limit(of: response, at: cursor)
    let instants = isOrdered && resource.detail != nil ? try reader.instants(raw) : nil
    var page =
      if let versions = resource.changes.versions {
        try reader.versions(raw, versions, resume: cursor)
      } else if resource.detail != nil {
        try reader.listed(raw, resume: cursor, until: limit, unsettled: unsettled(at: cursor))
      } else {
        try reader.page(raw, resume: cursor, until: limit)
      }
    let following = try RESTPageStep(resource: resource, requests: requests)
      .next(after: cursor, raw, response)
    page.total = (try? raw.number(at: resource.count)) ?? nil
    page.isTotalOfRest = cursor.since != nil && cursor.order != .byPages
    if isOrdered {
      try reader.requireOrder(instants ?? page.records.compactMap(\.updatedAt))
    }
    switch cursor.order {
    case .byInstant, .catchingUp: stepByInstant(&page, following, at: cursor, until: limit)
    case .byPages where isOrdered: try stepByNumber(&page, following, raw, response, at: cursor)
    case .byPages: try stepByPages(&page, following, raw, response, at: cursor)
    }
    return page
  }

  package func predictedCursor(after cursor: RESTCursor) -> RESTCursor? {
    guard predictsPages, cursor.order == .byPages, cursor.deletions == nil,
      let count = cursor.pageCount,
      cursor.number + 1 < count
    else { return nil }
    return cursor.advanced(by: 1)
  }

  /// Returns the cursor of a reading from instant to instant, or of a second one page by page.
  ///
  /// A record that neither of two readings has seen does not exist.
  package func exhaustive(_ cursor: RESTCursor) -> RESTCursor {
    var start = RESTCursor(
      order: isOrdered ? .byInstant : .byPages, organisation: cursor.organisation)
    start.isRepeated = true
    start.deletedSince = cursor.deletedSince
    start.settled = cursor.settled
    start.began = cursor.began
    // A row that changed since the first reading began may have moved unseen in both.
    if !isOrdered { (start.horizon, start.newest) = (cursor.horizon, cursor.newest) }
    return start
  }
}

// What the pages hold, and how many records the list has.
extension RESTFeed {
  package var contents: ListContents<Record, RESTCursor> {
    if let detail = resource.detail {
      // The list shows which records to fetch individually. A small batch repeats little if the
      // server demands a pause.
      return .versions(batch: resource.changes.versions?.batch ?? 5) { ids, cursor, ask in
        try await RESTDetailReader(resource: resource, requests: requests, ask: ask)
          .records(ids, detail, at: cursor)
      }
    }
    guard let versions = resource.changes.versions else { return .records }
    return .versions(batch: versions.batch) { ids, cursor, ask in
      let response = try await ask(requests.records(ids, versions))
      let raw = try RESTPage(
        response.body, rows: resource.rows, id: resource.fields.fields["id"]?.path)
      return try RESTRowReader<Record>(resource).page(
        raw, resume: cursor, until: response.serverTime)
    }
  }

  package func count(at cursor: RESTCursor, ask: @escaping Ask) async throws -> ListCount {
    guard canHaveMissed(until: cursor) else { return .notNeeded }
    // A count of rows includes those that are marked as deleted, however many there are.
    guard resource.count != nil, resource.deleted == nil else { return .unknown }
    let response = try await ask(requests.page(RESTCursor(order: .byPages)))
    return try total(in: response).map(ListCount.records) ?? .unknown
  }

  /// Returns true if rows may have moved while the list was read up to a cursor.
  private func canHaveMissed(until cursor: RESTCursor) -> Bool {
    guard !cursor.isRepeated else { return false }
    return switch cursor.order {
    case .byInstant: cursor.pagedInside == true && !resource.paging.isStable
    case .catchingUp: true
    // A list of one page shows a single moment.
    case .byPages: !resource.paging.isStable && (!cursor.isFirst || cursor.since != nil)
    }
  }

  package func total(in response: Response) throws -> Int? {
    guard response.head.status.code != 204 else { return 0 }
    return try RESTPage(response, of: resource).number(at: resource.count)
  }
}
