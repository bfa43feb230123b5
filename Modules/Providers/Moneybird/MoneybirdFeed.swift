package import Foundation
import HTTPTypes
package import JSONReading
import Models
package import Networking
import Storage
package import Sync

/// A list of a Moneybird administration, such as its sales invoices or its contacts.
///
/// `GET …/synchronization.json` lists the identifier and version of all records in one response,
/// so that none can be missed. `POST` to the same path returns up to 100 of them. A record that
/// is no longer listed was deleted: Moneybird keeps no trace of it.
package struct MoneybirdFeed<List: MoneybirdList>: ResourceFeed {
  package typealias Record = List.Record
  package typealias Cursor = MoneybirdCursor

  package let traits: FeedTraits
  private let baseURL: URL
  private let administrationID: String?
  private let names = BookNameLists()

  /// - Parameter administrationID: the administration to read, if a login reaches several.
  package init(_: List.Type, baseURL: URL, administrationID: String? = nil) {
    self.baseURL = baseURL
    self.administrationID = administrationID
    var traits = FeedTraits(provider: "moneybird", changes: .sweep, identifiesOrganisation: true)
    // The list itself is one page, so these are batches of records. The published limit of 150
    // requests in five minutes counts requests, however many of them are concurrent. If the limit
    // ends a run, the next run repeats at most three batches that have already arrived.
    traits.maxConcurrentPages = 4
    self.traits = traits.at(baseURL)
  }

  package func source(of cursor: MoneybirdCursor) -> String {
    "moneybird:" + cursor.administrationID
  }

  package func begin(
    _ start: FeedStart<MoneybirdCursor>, ask: @escaping Ask
  ) async throws -> MoneybirdCursor {
    await names.forget()
    let administration = try await Organisation.read(
      by: start, configured: administrationID, known: start.known?.administrationID
    ) { try await MoneybirdAdministrations.all(at: baseURL, ask: ask) }
    guard case .since(let instant, _) = start else {
      return MoneybirdCursor(administrationID: administration)
    }
    return MoneybirdCursor(administrationID: administration, since: instant)
  }

  package func request(at cursor: MoneybirdCursor) throws -> Request {
    // `updated_after` excludes the instant itself.
    let since = List.isFilteredByChange ? cursor.since : nil
    let change = since.map { "updated_after:\($0.truncatedToSecond.adding(seconds: -1))" }
    let filter = List.filters + [change].compactMap(\.self)
    let list = url(cursor).appending(
      queryItems: List.query
        + (filter.isEmpty
          ? [] : [URLQueryItem(name: "filter", value: filter.joined(separator: ","))]))
    return try Request(url: list, fields: [.accept: "application/json"])
  }

  package var contents: ListContents<Record, MoneybirdCursor> {
    // The documentation says "A maximum of 100", even if more are requested.
    .versions(batch: 100) { ids, cursor, ask in
      var page = try page(try await ask(request(for: ids, at: cursor)), at: cursor)
      var known = BookNames()
      try await Record.name(&page.records, by: &known) { list in
        try await names.names(of: list) {
          try await MoneybirdNames.fetch(
            list, at: baseURL, of: cursor.administrationID, ask: ask)
        } ?? [:]
      }
      return page
    }
  }

  func request(for ids: [String], at cursor: MoneybirdCursor) throws -> Request {
    let ids = ids.map { String($0.dropFirst(List.prefix.count)) }
    var request = try Request(
      url: url(cursor), fields: [.accept: "application/json"], json: ["ids": ids])
    // It is a `POST` only because the list of identifiers is long; it changes nothing.
    request.isSafeToRetry = true
    return request
  }

  package func page(
    _ response: Response, at cursor: MoneybirdCursor
  ) throws -> Page<[Record], MoneybirdCursor> {
    let rows = try MoneybirdPage<List>(response.body, sentAt: response.date)
    var page = Page<[Record], MoneybirdCursor>(
      resume: MoneybirdCursor(administrationID: cursor.administrationID))
    page.records = rows.records
    page.versions = rows.versions
    page.failures = rows.failures
    page.newest = rows.records.newest(upTo: response.serverTime)
    return page
  }

  package func failure(in response: Response) throws -> SyncError? {
    // In addition to `Retry-After`, Moneybird sends the second at which it accepts requests again.
    guard response.head.status.code == 429, let name = HTTPField.Name("RateLimit-Reset"),
      let seconds = response.head.headerFields[name].flatMap({ Int64($0) }),
      (1_000_000_000...100_000_000_000).contains(seconds)
    else { return nil }
    return .rateLimited(retryAt: Timestamp(microsecondsSinceEpoch: seconds * 1_000_000))
  }

  /// Returns ``ListCount/notNeeded``: one response shows the whole list at a single moment.
  package func count(at cursor: MoneybirdCursor, ask: @escaping Ask) async throws -> ListCount {
    .notNeeded
  }

  private func url(_ cursor: MoneybirdCursor) -> URL {
    baseURL.appending(
      path: "api/v2/\(cursor.administrationID)/\(List.path)/synchronization.json")
  }
}

/// A cursor in Moneybird's lists, each of which is a single response.
package struct MoneybirdCursor: FeedCursor {
  /// The administration: `id` in `GET /api/v2/administrations.json`.
  let administrationID: String
  /// Instant from which on changes are listed; `nil` lists everything.
  var since: Timestamp?
}

/// The differences between one list of Moneybird's API and another.
package protocol MoneybirdList: Sendable {
  associatedtype Record: ChangedRecord

  /// The part of the path that names the list, such as `sales_invoices`.
  static var path: String { get }
  /// The terms of the filter without which records are left out.
  static var filters: [String] { get }
  /// The query items without which records are left out.
  static var query: [URLQueryItem] { get }

  /// The beginning of the identifiers that are stored, by which the records of the list are told
  /// from those of another.
  static var prefix: String { get }
  /// True if the list can be filtered by the instant of change.
  static var isFilteredByChange: Bool { get }

  /// Reads one row.
  static func read(_ reader: inout JSONReader) throws -> MoneybirdRow<Record>
}

extension MoneybirdList {
  package static var filters: [String] { [] }
  package static var query: [URLQueryItem] { [] }
  package static var prefix: String { "" }
  package static var isFilteredByChange: Bool { true }
}
