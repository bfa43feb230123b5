package import Foundation
import HTTPTypes
package import JSONReading
import Models
package import Networking
import Storage
package import Sync

/// Lists of a company in QuickBooks Online, such as those of its invoices and bills.
///
/// They are read one after the other. Each list is read in the order of change, and each page
/// begins at the last instant seen. When a row that was already read changes, the positions of all
/// later rows move, and a reader of positions would skip one. Reading by instant misses nothing, so
/// no count is needed. Positions are used only within an instant that fills a page; all objects are
/// then counted at the end.
///
/// Pages are requested one by one, because the instant at which a page begins is known only after
/// the page before it. Predicting pages by position would save little waiting in a first reading,
/// at 1000 documents a page. Any change during that reading would require a second reading of
/// everything.
///
/// Once everything was read, one request returns what has changed in all of the lists, and what was
/// deleted, which is in no list (change data capture). QuickBooks keeps changes for 30 days and
/// returns up to 1000 per response; beyond either limit, the whole list must be read. A run that
/// continues an interrupted reading of everything requests them at its end, because objects that
/// were read earlier may have changed or been deleted since.
package struct QuickBooksFeed<List: QuickBooksList>: ResourceFeed {
  package typealias Record = List.Record
  package typealias Cursor = QuickBooksCursor

  package let traits: FeedTraits
  private let baseURL: URL
  private let realmID: String?
  private let pageSize: Int

  /// - Parameters:
  ///   - realmID: the company to read.
  ///   - pageSize: rows per page; QuickBooks allows up to 1000.
  package init(_: List.Type, baseURL: URL, realmID: String?, pageSize: Int = 1_000) {
    traits = FeedTraits(
      provider: "quickbooks", changes: .watermark, identifiesOrganisation: true
    ).at(baseURL)
    self.baseURL = baseURL
    self.realmID = realmID
    self.pageSize = min(max(pageSize, 1), 1_000)
  }

  package func source(of cursor: QuickBooksCursor) -> String { "quickbooks:" + cursor.realmID }

  package func begin(
    _ start: FeedStart<QuickBooksCursor>, ask: @escaping Ask
  ) async throws -> QuickBooksCursor {
    guard let realmID, !realmID.isEmpty else {
      throw SyncError.organisationMissing(
        whereToFind:
          "sign in with a browser, or set tenantID to the company ID, which is realmId in "
          + "the address to which the browser was redirected")
    }
    switch start {
    case .continuing(let cursor) where cursor.realmID == realmID: return cursor.continued
    case .changes(let cursor) where cursor.realmID == realmID: return cursor.changes(of: List.kinds)
    case .since(let instant, let known):
      if let known, known.realmID == realmID {
        return QuickBooksCursor(
          realmID: realmID, homeCurrency: known.homeCurrency,
          changesKnownUntil: known.changesKnownUntil, kinds: List.kinds
        ).since(instant, of: List.kinds)
      }
      return try await company(realmID, ask).since(instant, of: List.kinds)
    case .signIn, .everything, .changes, .continuing:
      return try await company(realmID, ask)
    }
  }

  package func request(at cursor: QuickBooksCursor) throws -> Request {
    switch cursor.step {
    case .list(let kind):
      let since = cursor.newest[kind.rawValue].map {
        "MetaData.LastUpdatedTime >= '\($0.truncatedToSecond)'"
      }
      var query = kind.query("*", where: since)
      query += " orderby MetaData.LastUpdatedTime"
      query += " startposition \(cursor.position) maxresults \(pageSize)"
      return try request(cursor.realmID, "query", ["query": query])
    case .changes:
      return try request(
        cursor.realmID, "cdc",
        [
          "entities": List.kinds.map(\.rawValue).joined(separator: ","),
          "changedSince": cursor.changesKnownUntil.truncatedToSecond.description,
        ])
    }
  }

  package func page(
    _ response: Response, at cursor: QuickBooksCursor
  ) throws -> Page<[Record], QuickBooksCursor> {
    switch cursor.step {
    case .list(let kind):
      let rows = try QuickBooksPage<List>(
        response.body, of: kind, homeCurrency: cursor.homeCurrency)
      if cursor.readsChanges { try cursor.requireThatChangesAreKept(at: rows.time) }
      var page = Page<[Record], QuickBooksCursor>(resume: cursor)
      page.records = rows.records
      page.failures = rows.failures
      // A row dated further in the future would hide all changes until then. A date within the
      // overlap hides nothing, because the next run reads that time again.
      let limit = rows.time?.adding(seconds: QuickBooksCursor.overlap)
      page.newest = rows.records.newest(upTo: limit)
      page.resume = cursor.resumption(of: kind, newest: page.newest)
      page.next = cursor.next(
        of: kind, among: List.kinds, after: rows.count, of: pageSize, resume: page.resume)
      // New changes are at the end of each list, so a second pass begins with the first list.
      if page.next == nil {
        page.resume.step = .first(of: List.kinds)
        page.resume.readKinds = List.kinds
      }
      return page
    case .changes:
      let changes = try QuickBooksChanges<List>(response.body, homeCurrency: cursor.homeCurrency)
      try cursor.requireThatChangesAreKept(at: changes.time)
      var page = Page<[Record], QuickBooksCursor>(records: changes.records, resume: cursor)
      page.removals = changes.removals
      page.failures = changes.failures
      page.newest = changes.records.newest(upTo: changes.time)
      page.resume.changesKnownUntil = changes.time.adding(seconds: -QuickBooksCursor.overlap)
      page.resume.readKinds = List.kinds
      return page
    }
  }

  package func failure(in response: Response) throws -> SyncError? {
    guard let fault = QuickBooksFault(response)?.meaning else { return nil }
    // QuickBooks refuses a request for changes that begins too early; its code is not documented.
    if case .unreadable = fault, response.head.status == .badRequest,
      response.url.lastPathComponent == "cdc"
    {
      throw CursorExpired()
    }
    return fault
  }

  package func count(at cursor: QuickBooksCursor, ask: @escaping Ask) async throws -> ListCount {
    guard cursor.usedPositions, !cursor.isSecondReading else { return .notNeeded }
    return try await count(cursor.realmID, ask).map(ListCount.records) ?? .unknown
  }

  /// Counts all objects, with one request, after a first page of the first list that others follow.
  ///
  /// Pages state no number, and a list that fits on one page needs none.
  package func complete(
    _ page: Page<[Record], QuickBooksCursor>, at cursor: QuickBooksCursor, ask: @escaping Ask
  ) async throws -> Page<[Record], QuickBooksCursor> {
    guard cursor.isFirst(of: List.kinds), page.next?.step == cursor.step else { return page }
    var page = page
    do {
      page.total = try await count(cursor.realmID, ask)
    } catch SyncError.serverFailed(400..<500, _), SyncError.accessDenied {
      // The list can be read by a company that may not be asked for its numbers.
    }
    return page
  }

  private func count(_ realmID: String, _ ask: Ask) async throws -> Int? {
    let request = try request(realmID, "batch", [:], body: QuickBooksCount.request(of: List.kinds))
    return try QuickBooksCount.read(try await ask(request).body, of: List.kinds.count)
  }

  /// Returns the cursor of a second reading in the same order.
  ///
  /// Only positions lead out of an instant that fills a page. An object that neither of two
  /// readings has seen does not exist.
  ///
  /// The first reading may have seen an object that was deleted since it began; the next run
  /// requests the changes since then.
  package func exhaustive(_ cursor: QuickBooksCursor) -> QuickBooksCursor {
    var start = QuickBooksCursor(
      realmID: cursor.realmID, homeCurrency: cursor.homeCurrency,
      changesKnownUntil: cursor.changesKnownUntil, kinds: List.kinds)
    start.isSecondReading = true
    return start
  }

  /// Returns the cursor at the start of everything.
  ///
  /// The server states its own time and the currency in which the company keeps its books.
  private func company(_ realmID: String, _ ask: Ask) async throws -> QuickBooksCursor {
    let request = try request(realmID, "query", ["query": "select * from Preferences"])
    let response = try await ask(request)
    let company = try QuickBooksCompany(response.body)
    return QuickBooksCursor(
      realmID: realmID, homeCurrency: company.homeCurrency,
      changesKnownUntil: company.time.adding(seconds: -QuickBooksCursor.overlap),
      kinds: List.kinds)
  }

  private func request(
    _ realmID: String, _ path: String, _ items: KeyValuePairs<String, String>,
    body: [UInt8]? = nil
  ) throws -> Request {
    let url = baseURL.appending(path: "v3/company/\(realmID)/\(path)").appending(
      queryItems: items.map { URLQueryItem(name: $0.key, value: $0.value) }
        + [QuickBooksProvider.version])
    guard let body else { return try Request(url: url, fields: [.accept: "application/json"]) }
    var request = try Request(
      method: .post, url: url,
      fields: [.accept: "application/json", .contentType: "application/json"], body: body)
    // This POST only reads.
    request.isSafeToRetry = true
    return request
  }
}

/// The differences between some lists of QuickBooks, which are read as one, and others.
package protocol QuickBooksList: Sendable {
  associatedtype Record: ChangedRecord

  /// The kinds whose lists are read, in order; at least one.
  static var kinds: [QuickBooksKind] { get }

  /// Reads one row of the list of a kind.
  static func read(
    _ reader: inout JSONReader, _ kind: QuickBooksKind, homeCurrency: String?
  ) throws -> Record
}

extension QuickBooksKind {
  /// Returns a query for what is selected of all objects of the kind, or of those that meet a
  /// condition.
  func query(_ selected: String, where other: String? = nil) -> String {
    let conditions = [condition, other].compactMap(\.self)
    return "select \(selected) from \(rawValue)"
      + (conditions.isEmpty ? "" : " where " + conditions.joined(separator: " and "))
  }
}
