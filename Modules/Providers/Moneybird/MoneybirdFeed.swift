package import Foundation
import HTTPTypes
package import Models
package import Networking
import Storage
package import Sync

/// The sales invoices of an administration of Moneybird's.
///
/// `GET …/synchronization.json` lists identifier and version of all in one reply, so that none can be
/// missed; `POST` to the same path hands out up to a hundred of them. What is not listed any more was
/// deleted: Moneybird keeps no trace of it.
package struct MoneybirdFeed: ResourceFeed {
  package typealias Record = Invoice
  package typealias Cursor = MoneybirdCursor

  package let provider = "moneybird"
  package let changes = ChangeModel.versions
  /// "A maximum of 100", even where more are asked for.
  package let batch = 100
  /// So many batches of invoices; the list itself is one page.
  ///
  /// The published limit, 150 requests in five minutes, counts requests and not how many are under way, and the
  /// session keeps to it: four at once spend no more of it. Where it ends a run, at most three that have come
  /// already are asked for again by the next one.
  package let maxConcurrentPages = 4
  private let baseURL: URL
  private let administrationID: String?

  /// - Parameter administrationID: the administration to read, for a login that reaches several.
  package init(baseURL: URL, administrationID: String? = nil) {
    self.baseURL = baseURL
    self.administrationID = administrationID
  }

  package let tellsOrganisation = true

  package func source(of cursor: MoneybirdCursor) -> String {
    "moneybird:" + cursor.administrationID
  }

  package func begin(
    _ start: FeedStart<MoneybirdCursor>, over session: Session
  ) async throws -> MoneybirdCursor {
    let administration: String
    let known = start.known?.administrationID
    if case .signIn = start {
      administration = try await MoneybirdAdministration.chosen(
        administrationID, known: known, at: baseURL, over: session)
    } else if let known, [nil, known].contains(administrationID) {
      administration = known
    } else {
      administration = try await MoneybirdAdministration.chosen(
        administrationID, at: baseURL, over: session)
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

  package func request(for ids: [String], at cursor: MoneybirdCursor) throws -> Request {
    var request = try Request(
      url: url(cursor), fields: [.accept: "application/json"], json: ["ids": ids])
    // It is a `POST` because of its length alone; nothing is changed by it.
    request.isSafeToRetry = true
    return request
  }

  package func page(
    _ response: Response, at cursor: MoneybirdCursor
  ) throws -> FeedPage<Invoice, MoneybirdCursor> {
    let rows = try MoneybirdPage(response.body, sentAt: response.date)
    var page = FeedPage<Invoice, MoneybirdCursor>(
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
  package func countRequest(at cursor: MoneybirdCursor) throws -> Request? { nil }

  private func url(_ cursor: MoneybirdCursor) -> URL {
    baseURL.appending(
      path: "api/v2/\(cursor.administrationID)/sales_invoices/synchronization.json")
  }

  /// Everything, whatever its day.
  ///
  /// Without a filter, only this year is listed. A filter of one's own takes the place of that, and a
  /// period that goes on to far ahead also holds today, without which drafts that have no day yet are
  /// left out.
  private static func filter(since: Timestamp?) -> String {
    var filter = "state:all,period:19000101..99991231"
    if let since {
      // What changed at the very instant is not listed.
      filter += ",updated_after:\(since.truncatedToSecond.adding(seconds: -1))"
    }
    return filter
  }
}
