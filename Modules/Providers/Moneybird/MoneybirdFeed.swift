package import Foundation
import HTTPTypes
package import Models
package import Networking
import Storage
package import Sync

/// The sales invoices of a Moneybird administration.
///
/// `GET …/synchronization.json` lists the identifier and version of all invoices in one response,
/// so that none can be missed. `POST` to the same path returns up to 100 of them. An invoice that
/// is no longer listed was deleted: Moneybird keeps no trace of it.
package struct MoneybirdFeed: ResourceFeed {
  package typealias Record = Invoice
  package typealias Cursor = MoneybirdCursor

  package let traits: FeedTraits
  private let baseURL: URL
  private let administrationID: String?

  /// - Parameter administrationID: the administration to read, if a login reaches several.
  package init(baseURL: URL, administrationID: String? = nil) {
    self.baseURL = baseURL
    self.administrationID = administrationID
    var traits = FeedTraits(provider: "moneybird", changes: .sweep, identifiesOrganisation: true)
    // The list itself is one page, so these are batches of invoices. The published limit of 150
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
    let administration = try await Organisation.read(
      by: start, configured: administrationID, known: start.known?.administrationID
    ) { try await MoneybirdAdministrations.all(at: baseURL, ask: ask) }
    guard case .since(let instant, _) = start else {
      return MoneybirdCursor(administrationID: administration)
    }
    return MoneybirdCursor(administrationID: administration, since: instant)
  }

  package func request(at cursor: MoneybirdCursor) throws -> Request {
    let list = url(cursor).appending(
      queryItems: [URLQueryItem(name: "filter", value: Self.filter(since: cursor.since))])
    return try Request(url: list, fields: [.accept: "application/json"])
  }

  package var contents: ListContents<Invoice, MoneybirdCursor> {
    // The documentation says "A maximum of 100", even if more are requested.
    .versions(batch: 100) { ids, cursor, ask in
      try page(try await ask(request(for: ids, at: cursor)), at: cursor)
    }
  }

  func request(for ids: [String], at cursor: MoneybirdCursor) throws -> Request {
    var request = try Request(
      url: url(cursor), fields: [.accept: "application/json"], json: ["ids": ids])
    // It is a `POST` only because the list of identifiers is long; it changes nothing.
    request.isSafeToRetry = true
    return request
  }

  package func page(
    _ response: Response, at cursor: MoneybirdCursor
  ) throws -> Page<[Invoice], MoneybirdCursor> {
    let rows = try MoneybirdPage(response.body, sentAt: response.date)
    var page = Page<[Invoice], MoneybirdCursor>(
      resume: MoneybirdCursor(administrationID: cursor.administrationID))
    page.records = rows.invoices
    page.versions = rows.versions
    page.failures = rows.failures
    let now = response.serverTime
    page.newest = rows.invoices.lazy.compactMap(\.updatedAt).filter { $0 <= now }.max()
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
      path: "api/v2/\(cursor.administrationID)/sales_invoices/synchronization.json")
  }

  /// Returns the filter for all invoices, whatever their dates.
  ///
  /// Without a filter, Moneybird lists only this year. Any filter replaces that default. A period
  /// that ends far in the future includes today; without today, drafts without a date are missing.
  private static func filter(since: Timestamp?) -> String {
    var filter = "state:all,period:19000101..99991231"
    if let since {
      // `updated_after` excludes the instant itself.
      filter += ",updated_after:\(since.truncatedToSecond.adding(seconds: -1))"
    }
    return filter
  }
}

/// A cursor in Moneybird's list of sales invoices, which is a single response.
package struct MoneybirdCursor: FeedCursor {
  /// The administration: `id` in `GET /api/v2/administrations.json`.
  let administrationID: String
  /// Instant from which on changes are listed; `nil` lists everything.
  var since: Timestamp?
}
