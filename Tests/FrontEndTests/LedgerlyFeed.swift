import Foundation
import Models
import Networking
import Storage
import Sync

struct LedgerlyFeed: ResourceFeed {
  struct Place: Codable, Sendable, Equatable {
    let business: String
    /// Every change has a number, and the list is in their order.
    var after = 0
  }

  let provider = "ledgerly"
  let changes = ChangeModel.watermark
  let baseURL: URL

  func begin(_ start: FeedStart<Place>, over session: Session) async throws -> Place {
    switch start {
    case .changes(let place), .continuing(let place): return place
    case .everything(let known?), .since(_, let known?): return Place(business: known.business)
    case .everything, .since, .signIn:
      let request = try Request(url: baseURL.appending(path: "business"))
      return Place(business: try await answer(to: request, over: session).json(Business.self).id)
    }
  }

  func source(of place: Place) -> String { "ledgerly:" + place.business }

  /// The server was asked which business the sign-in reads.
  let tellsOrganisation = true

  func request(at place: Place) throws -> Request {
    let list = baseURL.appending(path: "invoices")
    return try Request(
      url: list.appending(queryItems: [URLQueryItem(name: "after", value: "\(place.after)")]))
  }

  func page(_ response: Response, at place: Place) throws -> FeedPage<Invoice, Place> {
    var page = FeedPage<Invoice, Place>(resume: place)
    var (hasMore, hasRows) = (false, false)
    try JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "last": page.resume.after = try reader.readInt()
      case "more": hasMore = try reader.readBool()
      case "invoices":
        hasRows = true
        // A row that cannot be read is told, and the others are stored.
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
    guard hasRows else { throw SyncError.unreadable(place: "invoices", reason: "it is missing") }
    let now = response.serverTime
    page.newest = page.records.lazy.compactMap(\.updatedAt).filter { $0 <= now }.max()
    if hasMore { page.next = page.resume }
    return page
  }

  /// Rows move to the end alone, so that none is missed.
  func countRequest(at place: Place) throws -> Request? { nil }

  private struct Business: Decodable { let id: String }
}
