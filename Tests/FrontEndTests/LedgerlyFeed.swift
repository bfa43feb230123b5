import Foundation
import JSONReading
import Models
import Networking
import Providers
import Storage
import Sync

struct LedgerlyFeed: ResourceFeed {
  struct Cursor: FeedCursor {
    let business: String
    /// Every change has a number, and the list is in their order.
    var after = 0
  }

  /// The server is asked which business the sign-in reads.
  let traits = FeedTraits(
    provider: "ledgerly", changes: .watermark, identifiesOrganisation: true)
  let baseURL: URL

  func begin(_ start: FeedStart<Cursor>, ask: @escaping Ask) async throws -> Cursor {
    switch start {
    case .changes(let cursor), .continuing(let cursor): return cursor
    case .everything(let known?), .since(_, let known?): return Cursor(business: known.business)
    case .everything, .since, .signIn:
      let request = try Request(url: baseURL.appending(path: "business"))
      return Cursor(business: try await ask(request).json(Business.self).id)
    }
  }

  func source(of cursor: Cursor) -> String { "ledgerly:" + cursor.business }

  func request(at cursor: Cursor) throws -> Request {
    let list = baseURL.appending(path: "invoices")
    return try Request(
      url: list.appending(queryItems: [URLQueryItem(name: "after", value: "\(cursor.after)")]))
  }

  func page(_ response: Response, at cursor: Cursor) throws -> Page<[Invoice], Cursor> {
    var page = Page<[Invoice], Cursor>(resume: cursor)
    var (hasMore, hasRows) = (false, false)
    try JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "last": page.resume.after = try reader.readInt()
      case "more": hasMore = try reader.readBool()
      case "invoices":
        hasRows = true
        // A row that cannot be read is reported, and the others are stored.
        try reader.readRows(identifier: "id", into: &page.failures) { reader in
          let row = try LedgerlyRow(&reader)
          if row.isDeleted {
            page.removals.append(Removal(id: row.invoice.id, reason: "deleted"))
          } else {
            page.records.append(row.invoice)
          }
        }
      default: try reader.skipValue()
      }
    }
    // No list is not an empty list: what a complete one does not hold is deleted.
    guard hasRows else { throw SyncError.unreadable(part: "invoices", reason: "it is missing") }
    let now = response.serverTime
    page.newest = page.records.lazy.compactMap(\.updatedAt).filter { $0 <= now }.max()
    if hasMore { page.next = page.resume }
    return page
  }

  /// Rows only move to the end, so that none is missed.
  func count(at cursor: Cursor, ask: @escaping Ask) async throws -> ListCount { .notNeeded }

  private struct Business: Decodable { let id: String }
}
