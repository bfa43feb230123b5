package import Foundation
import HTTPTypes
package import Models
package import Networking
import Storage
package import Sync

/// The sales invoices of an administration of Moneybird's.
///
/// `GET …/synchronization.json` lists identifier and version of all in one reply, so that none can
/// be missed; `POST` to the same path hands out up to a hundred of them. What is not listed any
/// more was deleted: Moneybird keeps no trace of it.
package struct MoneybirdFeed: ResourceFeed {
  package typealias Record = Invoice
  package typealias Cursor = MoneybirdCursor

  package let traits: FeedTraits
  private let baseURL: URL
  private let administrationID: String?

  /// - Parameter administrationID: the administration to read, for a login that reaches several.
  package init(baseURL: URL, administrationID: String? = nil) {
    self.baseURL = baseURL
    self.administrationID = administrationID
    var traits = FeedTraits(provider: "moneybird", changes: .sweep, identifiesOrganisation: true)
    // "A maximum of 100", even where more are asked for.
    traits.contents = .versions(batch: 100)
    // The list itself is one page, so these are batches of invoices. The published limit, 150
    // requests in five minutes, counts requests and not how many are under way: four concurrent
    // ones spend no more of it. Where it ends a run, the next one repeats at most three that have
    // arrived already.
    traits.maxConcurrentPages = 4
    self.traits = traits
  }

  package func source(of cursor: MoneybirdCursor) -> String {
    "moneybird:" + cursor.administrationID
  }

  package func begin(
    _ start: FeedStart<MoneybirdCursor>, ask: @escaping Ask
  ) async throws -> MoneybirdCursor {
    let administration: String
    let known = start.known?.administrationID
    if case .signIn = start {
      administration = try await MoneybirdAdministration.chosen(
        administrationID, known: known, at: baseURL, ask: ask)
    } else if let known, [nil, known].contains(administrationID) {
      administration = known
    } else {
      administration = try await MoneybirdAdministration.chosen(
        administrationID, at: baseURL, ask: ask)
    }
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

  package func records(
    for ids: [String], at cursor: MoneybirdCursor, ask: @escaping Ask
  ) async throws -> Page<[Invoice], MoneybirdCursor> {
    try page(try await ask(request(for: ids, at: cursor)), at: cursor)
  }

  func request(for ids: [String], at cursor: MoneybirdCursor) throws -> Request {
    var request = try Request(
      url: url(cursor), fields: [.accept: "application/json"], json: ["ids": ids])
    // It is a `POST` because of its length alone; nothing is changed by it.
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
    // Beside `Retry-After` Moneybird says at which second requests are let in again.
    guard response.head.status.code == 429, let name = HTTPField.Name("RateLimit-Reset"),
      let seconds = response.head.headerFields[name].flatMap({ Int64($0) }),
      (1_000_000_000...100_000_000_000).contains(seconds)
    else { return nil }
    return .rateLimited(retryAt: Timestamp(microsecondsSinceEpoch: seconds * 1_000_000))
  }

  /// One reply holds the whole list, as it was at one moment.
  package func count(at cursor: MoneybirdCursor, ask: @escaping Ask) async throws -> ListCount {
    .notNeeded
  }

  private func url(_ cursor: MoneybirdCursor) -> URL {
    baseURL.appending(
      path: "api/v2/\(cursor.administrationID)/sales_invoices/synchronization.json")
  }

  /// Everything, whatever its day.
  ///
  /// Without a filter, only this year is listed. A filter of one's own takes the place of that, and
  /// a period that goes on to far ahead also holds today, without which drafts that have no day yet
  /// are left out.
  private static func filter(since: Timestamp?) -> String {
    var filter = "state:all,period:19000101..99991231"
    if let since {
      // What changed at the very instant is not listed.
      filter += ",updated_after:\(since.truncatedToSecond.adding(seconds: -1))"
    }
    return filter
  }
}
