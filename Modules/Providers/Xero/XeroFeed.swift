package import Foundation
import HTTPTypes
package import JSONReading
import Models
package import Networking
package import Sync

/// A list of Xero's accounting API, such as invoices or contacts.
///
/// Changes are read in the order of change. After each page, reading continues from the last
/// instant seen, not from the next page number. When a row that was already read changes, every
/// later row moves up by one, and the next page number would begin one row too late. Page numbers
/// are used only within an instant that fills several pages. These pages are then read backwards as
/// well: a row that was missed on the way forward has moved to an earlier page and is found on the
/// way back.
///
/// The whole list is read by page numbers, several pages concurrently. The changes since that
/// reading began are then read from instant to instant, and the records are counted. If the count
/// does not agree, the whole list is read again from instant to instant.
package struct XeroFeed<List: XeroList>: ResourceFeed {
  package typealias Record = List.Record
  package typealias Cursor = XeroCursor

  package let traits: FeedTraits
  private let baseURL: URL
  private let tenantID: String?
  private let pageSize: Int
  private let names = BookNameLists()

  /// - Parameters:
  ///   - tenantID: the organisation to read, if a login reaches several.
  ///   - pageSize: rows per page, by default ``XeroList/pageSize``.
  ///   - maxConcurrentPages: number of pages of the whole list that are requested concurrently,
  ///     fewer if they are large. Xero allows 5 concurrent requests.
  package init(
    _: List.Type, baseURL: URL, tenantID: String? = nil, pageSize: Int = List.pageSize,
    maxConcurrentPages: Int = 4
  ) {
    self.baseURL = baseURL
    self.tenantID = tenantID
    self.pageSize = min(max(pageSize, 1), 1_000)
    var traits = FeedTraits(provider: "xero", changes: .watermark, identifiesOrganisation: true)
    traits.usesConditionalRequests = true
    // Prefetched pages wait in memory.
    let most = max(2, 8 * List.pageSize / self.pageSize)
    traits.maxConcurrentPages = min(maxConcurrentPages, most)
    self.traits = traits.at(baseURL)
  }

  package func source(of cursor: XeroCursor) -> String { "xero:" + cursor.tenantID }

  package func begin(
    _ start: FeedStart<XeroCursor>, ask: @escaping Ask
  ) async throws -> XeroCursor {
    await names.forget()
    let tenant = try await Organisation.read(
      by: start, configured: tenantID, known: start.known?.tenantID
    ) { try await XeroConnections.all(at: baseURL, ask: ask) }
    switch start {
    case .continuing(let cursor) where cursor.tenantID == tenant: return cursor
    case .changes(let cursor) where cursor.tenantID == tenant:
      var start = XeroCursor(tenantID: tenant, since: cursor.since)
      start.names = cursor.names
      start.names.isOld = true
      return start
    case .since(let instant, _): return XeroCursor(tenantID: tenant, since: instant)
    case .signIn, .everything, .changes, .continuing:
      return XeroCursor(
        tenantID: tenant, order: traits.maxConcurrentPages > 1 ? .byNumber : .byInstant)
    }
  }

  package func request(at cursor: XeroCursor) throws -> Request {
    try request(cursor, page: cursor.page, size: pageSize, since: cursor.since)
  }

  package func page(
    _ response: Response, at cursor: XeroCursor
  ) throws -> Page<[Record], XeroCursor> {
    let rows = try rows(of: response, isConditional: cursor.since != nil)
    var page = Page<[Record], XeroCursor>(resume: cursor)
    page.records = rows.records
    page.failures = rows.failures
    page.total = rows.itemCount
    page.isTotalOfRest = cursor.since != nil
    // A row dated further in the future would hide all changes until then.
    let limit = (cursor.startedAt ?? response.serverTime).adding(seconds: XeroCursor.skew)
    page.newest = rows.records.newest(upTo: limit)
    var cursor = cursor
    if cursor.order == .byNumber, cursor.startedAt == nil { cursor.startedAt = response.date }
    (page.resume, page.next) = cursor.step(
      after: rows.count, pageCount: rows.pageCount, newest: page.newest)
    return page
  }

  /// Adds the names of taxes and accounts, and keeps them in the cursors.
  ///
  /// Each run reads the last rows of the run before again, and their names are known; names that
  /// were changed since are fetched with the first row that has changed.
  package func complete(
    _ page: consuming Page<[Record], XeroCursor>, at cursor: XeroCursor, ask: @escaping Ask
  ) async throws -> Page<[Record], XeroCursor> {
    var known = cursor.names
    if known.isOld, let read = cursor.since?.adding(seconds: 2),
      page.records.contains(where: { $0.updatedAt.map { $0 >= read } ?? true })
    {
      known = BookNames()
    }
    var isRefused = false
    try await Record.name(&page.records, by: &known) { list in
      // One scope covers both lists.
      guard !isRefused else { return [:] }
      let found = try await names.names(of: list) {
        do {
          return try await XeroNames.fetch(list, at: baseURL, of: cursor.tenantID, ask: ask)
        } catch let error where error.isRefusal {
          return nil
        }
      }
      isRefused = found == nil
      return found ?? [:]
    }
    if isRefused { page.missingScope = XeroNames.scope }
    page.resume.names = known
    page.next?.names = known
    return page
  }

  package func predictedCursor(after cursor: XeroCursor) -> XeroCursor? {
    guard cursor.order == .byNumber, let count = cursor.pageCount, cursor.page < count else {
      return nil
    }
    return cursor.advanced(pageCount: count)
  }

  /// Returns the refusal of a login that Xero accepts, which it writes with status 401 as well.
  package func failure(in response: Response) throws -> SyncError? {
    let status = response.head.status.code
    guard [401, 403].contains(status),
      response.providerMessage?.text == ProviderMessage.deniedPermission
    else { return nil }
    return .accessDenied(status: status)
  }

  package func count(at cursor: XeroCursor, ask: @escaping Ask) async throws -> ListCount {
    guard cursor.order == .catchingUp else { return .notNeeded }
    let response = try await ask(request(cursor, page: 1, size: 1, since: nil))
    let count = try rows(of: response, isConditional: false).itemCount
    return count.map(ListCount.records) ?? .unknown
  }

  package func exhaustive(_ cursor: XeroCursor) -> XeroCursor {
    var start = XeroCursor(tenantID: cursor.tenantID)
    start.names = cursor.names
    return start
  }

  /// Returns the rows of a response.
  ///
  /// A response that nothing has changed (RFC 9110 section 15.4.5) has none, like the end of the
  /// list.
  ///
  /// - Throws: ``SyncError/serverFailed(status:message:)`` if the request did not ask for changes:
  /// an empty
  ///   list would delete everything.
  private func rows(of response: Response, isConditional: Bool) throws -> XeroPage<List> {
    guard response.head.status.code == 304 else {
      return try XeroPage(response.body, capacity: pageSize)
    }
    guard isConditional else { throw SyncError.serverFailed(status: 304) }
    return XeroPage()
  }

  private func request(
    _ cursor: XeroCursor, page: Int, size: Int, since: Timestamp?
  ) throws -> Request {
    let url = baseURL.appending(path: "api.xro/2.0/" + List.path).appending(
      queryItems: [
        URLQueryItem(name: "page", value: String(page)),
        URLQueryItem(name: "pageSize", value: String(size)),
        URLQueryItem(name: "order", value: "UpdatedDateUTC"),
      ] + List.query)
    var fields = XeroProvider.fields(ofTenant: cursor.tenantID)
    fields[.accept] = "application/json"
    if let since {
      // Xero expects UTC without a zone, in whole seconds.
      fields[.ifModifiedSince] = String(since.truncatedToSecond.description.dropLast())
    }
    return try Request(url: url, fields: fields)
  }
}

/// The differences between one list of Xero's API and another.
package protocol XeroList: Sendable {
  associatedtype Record: ChangedRecord

  /// Last part of the URL path, such as `Invoices`.
  static var path: String { get }
  /// Key of the rows in a page.
  static var rows: StaticString { get }
  /// Key of the identifier in a row.
  static var identifier: String { get }
  /// Query items besides the page and the order.
  static var query: [URLQueryItem] { get }
  /// Rows per page, up to 1000.
  ///
  /// Xero counts requests: 60 a minute, and 1000 a day in the free tier. Lists of invoices have
  /// fewer rows on a page, because they are long, and an interrupted run reads a page again.
  static var pageSize: Int { get }

  /// Reads one row; returns `nil` for a row of a kind that is not stored.
  static func read(_ reader: inout JSONReader) throws -> Record?
}

extension XeroList {
  package static var query: [URLQueryItem] { [] }
  package static var pageSize: Int { 250 }
}
