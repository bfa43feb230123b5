import Foundation
import HTTPTypes
package import Models
package import Networking

/// The answer of Xero to a request for its list of invoices.
package struct XeroReply: Sendable {
  /// True if the list includes the second that `If-Modified-Since` names; Xero does not document
  /// it.
  package var includesInstant = true
  /// True if a page states the number of pages and of rows.
  package var hasPagination = true
  /// Rows that no client can read, by identifier.
  package var broken: Set<String> = []
  /// True if the identifier of a broken row can be read.
  package var namesBroken = true

  package init() {}

  /// The organisations of a login.
  package static let organisations =
    #"[{"tenantId":"t1","tenantType":"ORGANISATION","tenantName":"One"}]"#

  /// Returns the page that a request asks for.
  package func page(_ request: Request, of list: ChangingList) -> String {
    var (page, size) = (1, 100)
    for item in (request.url.query() ?? "").split(separator: "&") {
      let words = item.split(separator: "=")
      guard words.count == 2 else { continue }
      if words[0] == "page" { page = Int(words[1]) ?? page }
      if words[0] == "pageSize" { size = Int(words[1]) ?? size }
    }
    let since = request.fields[.ifModifiedSince].flatMap(Self.milliseconds) ?? 0
    let rows = list.rows.filter {
      includesInstant ? $0.changedAt >= since : $0.changedAt > since
    }.sorted { ($0.changedAt, $0.position) < ($1.changedAt, $1.position) }
    let found = rows.dropFirst((page - 1) * size).prefix(size).map(text)
    let pages = (rows.count + size - 1) / size
    let pagination =
      hasPagination
      ? #""pagination":{"page":\#(page),"pageCount":\#(pages),"itemCount":\#(rows.count)},"# : ""
    return #"{\#(pagination)"Invoices":[\#(found.joined(separator: ","))]}"#
  }

  private func text(_ row: ChangingList.Row) -> String {
    let isBroken = broken.contains(row.id)
    let id = isBroken && !namesBroken ? "" : #""InvoiceID":"\#(row.id)","#
    let lines = row.lines.enumerated().map { position, amount in
      #"{"LineItemID":"\#(row.id)-\#(position)","LineAmount":\#(amount)}"#
    }
    return """
      {\(id)"Type":"ACCREC","Status":"\(row.isDeleted ? "DELETED" : "AUTHORISED")",\
      "CurrencyCode":"EUR","Total":\(isBroken ? "true" : "\(row.total)"),\
      "LineItems":[\(lines.joined(separator: ","))],\
      "UpdatedDateUTC":"/Date(\(row.changedAt)+0000)/"}
      """
  }

  /// Returns the invoice that a sync has to make of a row that is not deleted.
  package static func invoice(_ row: ChangingList.Row) throws -> Invoice {
    guard let currency = Currency(code: "EUR") else { throw CocoaError(.formatting) }
    return Invoice(
      id: row.id, type: .invoice, status: .open, rawStatus: "AUTHORISED", currency: currency,
      updatedAt: Timestamp(millisecondsSinceEpoch: row.changedAt), total: ExactDecimal(row.total),
      lines: row.lines.enumerated().map { position, amount in
        InvoiceLine(id: "\(row.id)-\(position)", lineAmount: ExactDecimal(amount))
      })
  }

  /// The header `Date`, which the server's clock writes.
  package static func date(of list: ChangingList) -> String {
    HTTPDate.text(of: Date(timeIntervalSince1970: Double(list.now / 1_000))) ?? ""
  }

  /// Reads `2023-11-14T22:13:20`, which is UTC.
  private static func milliseconds(_ text: String) -> Int64? {
    Timestamp(text + "Z").map { $0.microsecondsSinceEpoch / 1_000 }
  }
}
