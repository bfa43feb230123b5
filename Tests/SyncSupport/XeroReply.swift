import Foundation
import HTTPTypes
package import Models
package import Networking

/// What Xero answers to a request for its list of invoices.
package struct XeroReply: Sendable {
  /// Whether the second that `If-Modified-Since` names belongs to what is listed; it is not documented.
  package var includesInstant = true
  /// Whether a page says how many pages and rows there are.
  package var hasPagination = true
  /// Rows that no client can read, by identifier.
  package var broken: Set<String> = []
  /// Whether the identifier of a broken row can be read.
  package var namesBroken = true

  package init() {}

  /// The organisations of a login.
  package static let organisations =
    #"[{"tenantId":"t1","tenantType":"ORGANISATION","tenantName":"One"}]"#

  /// The page that a request asks for.
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

  /// What a sync has to make of a row that is not deleted.
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
    // A `DateFormatter` costs more than all the rest of an answer.
    let seconds = list.now / 1_000
    let instant = Timestamp(microsecondsSinceEpoch: seconds * 1_000_000).description
    let parts = instant.split { !$0.isNumber }
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard parts.count >= 6, let month = Int(parts[1]) else { return "" }
    let day = "\(weekdays[Int(seconds / 86_400 % 7)]), \(parts[2]) \(months[month - 1]) \(parts[0])"
    return day + " \(parts[3]):\(parts[4]):\(parts[5]) GMT"
  }

  /// Reads `2023-11-14T22:13:20`, which is UTC.
  private static func milliseconds(_ text: String) -> Int64? {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 6 else { return nil }
    // Days since 1970 of the civil calendar, with March as the first month.
    let (month, shift) = numbers[1] > 2 ? (numbers[1] - 3, 0) : (numbers[1] + 9, 1)
    let year = numbers[0] - shift
    let days =
      year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + numbers[2] - 719_469
    return Int64(((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]) * 1_000
  }
}
