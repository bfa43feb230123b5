import Foundation
import HTTPTypes
import Models
package import Networking
import Providers

/// The answer of Xero to a request for one of its lists.
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

  /// Returns the page of a list that a request asks for.
  package func page<List: PlayedXeroList>(
    _ request: Request, of list: ChangingList, as _: List.Type = XeroInvoices.self
  ) -> String {
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
    let found = rows.dropFirst((page - 1) * size).prefix(size)
      .map { text(of: $0, in: List.self) }
    let pages = (rows.count + size - 1) / size
    let pagination =
      hasPagination
      ? #""pagination":{"page":\#(page),"pageCount":\#(pages),"itemCount":\#(rows.count)},"# : ""
    return #"{\#(pagination)"\#(List.rows)":[\#(found.joined(separator: ","))]}"#
  }

  private func text<List: PlayedXeroList>(
    of row: ChangingList.Row, in _: List.Type
  ) -> String {
    let isBroken = broken.contains(row.id)
    let id = isBroken && !namesBroken ? "" : #""\#(List.identifier)":"\#(row.id)","#
    return """
      {\(id)"Status":"\(row.isDeleted ? "DELETED" : "AUTHORISED")",\
      \(List.members(of: row, total: isBroken ? "true" : "\(row.total)")),\
      "UpdatedDateUTC":"/Date(\(row.changedAt)+0000)/"}
      """
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
