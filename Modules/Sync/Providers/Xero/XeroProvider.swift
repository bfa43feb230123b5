package import Foundation
import HTTPTypes
import Models
package import Networking

/// Xero's accounting API, invoices and bills.
///
/// The list is read in the order of change. After each page the reading goes on from the last
/// instant seen, not from the next page number: when a row that was read changes, every later row
/// moves up by one and the next page would begin one row too late. Page numbers are used only
/// inside an instant that fills more than a page.
package struct XeroProvider: InvoiceProvider {
  /// Where a run is.
  package struct Cursor: Codable, Sendable, Equatable {
    /// The organisation, `tenantId` in `GET /connections`.
    var tenantID: String
    /// Only what changed at or after this is read; `nil` reads everything.
    var since: Timestamp?
    /// The page, from 1.
    var page = 1
  }

  /// Where the API is unless the configuration says otherwise.
  package static let defaultBaseURL = "https://api.xero.com"

  package let name = "xero"
  private let baseURL: URL
  private let tenantID: String?
  private let pageSize: Int

  /// - Parameters:
  ///   - tenantID: the organisation to read, for a login that reaches several.
  ///   - pageSize: rows a page; Xero allows up to 1000.
  package init(baseURL: URL, tenantID: String? = nil, pageSize: Int = 100) {
    self.baseURL = baseURL
    self.tenantID = tenantID
    self.pageSize = min(max(pageSize, 1), 1_000)
  }

  package func source(of cursor: Cursor) -> String { "xero:" + cursor.tenantID }

  package func restart(_ cursor: Cursor) -> Cursor { Cursor(tenantID: cursor.tenantID) }

  package func begin(at earlier: Cursor?, over session: Session) async throws -> Cursor {
    if let earlier, tenantID == nil || tenantID == earlier.tenantID { return earlier }
    let request = try Request(
      url: baseURL.appending(path: "connections"), fields: [.accept: "application/json"])
    let response = try await session.send(request)
    switch response.head.status.code {
    case 200: break
    case 401: throw SyncError.credentialsRejected
    case 403: throw SyncError.accessDenied(status: 403)
    default: throw SyncError.serverFailed(status: response.head.status.code)
    }
    let tenants = try XeroConnection.organisations(in: response.body)
    if let tenantID {
      guard tenants.contains(where: { $0.id == tenantID }) else {
        throw SyncError.organisationUnclear(available: tenants.map(\.description))
      }
      return Cursor(tenantID: tenantID)
    }
    guard let only = tenants.first, tenants.count == 1 else {
      throw SyncError.organisationUnclear(available: tenants.map(\.description))
    }
    return Cursor(tenantID: only.id)
  }

  package func request(at cursor: Cursor) throws -> Request {
    let url = baseURL.appending(path: "api.xro/2.0/Invoices").appending(queryItems: [
      URLQueryItem(name: "page", value: String(cursor.page)),
      URLQueryItem(name: "pageSize", value: String(pageSize)),
      URLQueryItem(name: "order", value: "UpdatedDateUTC"),
    ])
    var fields: HTTPFields = [.accept: "application/json"]
    if let tenant = HTTPField.Name("Xero-tenant-id") { fields[tenant] = cursor.tenantID }
    if let since = cursor.since {
      // Xero takes UTC without a zone, in whole seconds.
      fields[.ifModifiedSince] = String(since.truncatedToSecond.description.dropLast())
    }
    return try Request(url: url, fields: fields)
  }

  package func page(_ body: [UInt8], at cursor: Cursor) throws -> InvoicePage<Cursor> {
    let page = try XeroInvoicePage(body)
    let newest = page.invoices.lazy.map(\.updatedAt).max()
    return InvoicePage(
      invoices: page.invoices, failures: page.failures,
      next: next(after: cursor, newest: newest, page: page),
      resume: Cursor(tenantID: cursor.tenantID, since: resumption(from: cursor, newest: newest)))
  }

  private func next(after cursor: Cursor, newest: Timestamp?, page: XeroInvoicePage) -> Cursor? {
    guard page.rowCount > 0 else { return nil }
    if let pageCount = page.pageCount, cursor.page >= pageCount { return nil }
    let since = resumption(from: cursor, newest: newest)
    // Without progress in time the instant fills the page; only the page number leads out of it.
    guard since != cursor.since else {
      return Cursor(tenantID: cursor.tenantID, since: since, page: cursor.page + 1)
    }
    return Cursor(tenantID: cursor.tenantID, since: since)
  }

  /// One second before the newest row: the header has whole seconds, and whether Xero takes it as
  /// "at or after" or "after" is not documented.
  private func resumption(from cursor: Cursor, newest: Timestamp?) -> Timestamp? {
    let candidate = newest?.truncatedToSecond.adding(seconds: -1)
    return [cursor.since, candidate].compactMap(\.self).max()
  }
}
