package import Foundation
import HTTPTypes
import JSONReading
package import Models
package import Networking
import Storage
package import Sync

/// The customers of a Square merchant, whatever their locations.
///
/// `POST /v2/customers/search` lists customers by the time of their last change, and counts those
/// that were created before an instant. A later count of the same ones is smaller if any of them
/// was deleted or merged into another, which Square reports in no other way: the whole list is then
/// read again. Unless something was deleted, a run thus reads the changes only. Square may list a
/// customer a minute after its creation: one that was not counted and one deletion can balance,
/// which only a full run finds.
///
/// The list is in the order of creation, so edits move no row between pages, but a deletion may.
/// The customers from before the run are counted at its end too, and a list of several pages in
/// which one was deleted meanwhile is read twice.
package struct SquareCustomersFeed: ResourceFeed {
  package typealias Record = Contact
  package typealias Cursor = SquareCustomersCursor

  package let traits: FeedTraits
  private let requests: SquareRequests
  private let locationID: String?
  private let pageSize: Int

  /// - Parameters:
  ///   - locationID: the location that the account reads, which names its merchant.
  ///   - pageSize: rows per page; Square allows up to 100.
  package init(baseURL: URL, locationID: String? = nil, pageSize: Int = 100) {
    traits = FeedTraits(
      provider: "square", changes: .watermark, identifiesOrganisation: true
    ).at(baseURL)
    requests = SquareRequests(baseURL: baseURL)
    self.locationID = locationID
    self.pageSize = min(max(pageSize, 1), 100)
  }

  package func source(of cursor: SquareCustomersCursor) -> String {
    SquareRequests.source(merchantID: cursor.merchantID, locationID: cursor.wanted)
  }

  package func begin(
    _ start: FeedStart<SquareCustomersCursor>, ask: @escaping Ask
  ) async throws -> SquareCustomersCursor {
    switch start {
    case .continuing(let cursor) where cursor.wanted == locationID: return cursor
    case .changes(let cursor) where cursor.wanted == locationID:
      guard let known = cursor.known else { throw CursorExpired() }
      let (count, time) = try await self.count(before: known.until, ask)
      guard count == known.count else { throw CursorExpired() }
      return try await SquareCustomersCursor(
        merchantID: cursor.merchantID, wanted: locationID, since: cursor.since,
        counted: counted(at: time, ask), known: known)
    case .signIn, .everything, .changes, .continuing, .since:
      let (merchant, _, time) = try await requests.locations(locationID, ask: ask)
      var since: Timestamp?
      if case .since(let instant, _) = start { since = instant }
      return try await SquareCustomersCursor(
        merchantID: merchant, wanted: locationID, since: since, counted: counted(at: time, ask))
    }
  }

  package func request(at cursor: SquareCustomersCursor) throws -> Request {
    try requests.reading(
      "v2/customers/search",
      json: SquareCustomerSearch(
        updatedFrom: cursor.since, createdBefore: cursor.counted.until, limit: pageSize,
        cursor: cursor.pageToken))
  }

  package func page(
    _ response: Response, at cursor: SquareCustomersCursor
  ) throws -> Page<[Contact], SquareCustomersCursor> {
    let rows = try SquareCustomersPage(response.body)
    let next = rows.pageToken.map(cursor.next)
    // A later run cannot resume inside the changes: it asks for them again.
    var page = Page<[Contact], SquareCustomersCursor>(
      resume: next == nil ? cursor.changes : cursor.since == nil ? next ?? cursor : cursor.start)
    page.records = rows.contacts
    page.failures = rows.failures
    page.total = cursor.since == nil ? cursor.counted.count : nil
    page.newest = rows.contacts.newest(upTo: response.serverTime)
    page.next = next
    return page
  }

  package func failure(in response: Response) throws -> SyncError? {
    try SquareErrors.requireCursor(in: response)
    return nil
  }

  package func count(
    at cursor: SquareCustomersCursor, ask: @escaping Ask
  ) async throws -> ListCount {
    guard cursor.pageToken != nil, !cursor.isSecondReading else { return .notNeeded }
    let count = try await count(before: cursor.counted.until, ask).count
    return count != nil && count == cursor.counted.count ? .notNeeded : .unknown
  }

  package func exhaustive(_ cursor: SquareCustomersCursor) -> SquareCustomersCursor {
    var start = cursor.start
    start.since = nil
    start.isSecondReading = true
    return start
  }

  /// Counts the customers from before now.
  private func counted(
    at time: Timestamp, _ ask: Ask
  ) async throws -> SquareCustomersCursor.Count {
    // Whoever is created after this count must not be in it: it would hide a deletion.
    let until = time.truncatedToSecond
    return .init(until: until, count: try await count(before: until, ask).count)
  }

  private func count(
    before instant: Timestamp, _ ask: Ask
  ) async throws -> (count: Int?, time: Timestamp) {
    let search = SquareCustomerSearch(createdBefore: instant, limit: 1)
    let response = try await ask(requests.reading("v2/customers/search", json: search))
    return (try SquareCustomersPage(response.body).count, response.serverTime)
  }
}

/// A cursor in the list of a merchant's customers, or in that of the changed ones.
package struct SquareCustomersCursor: FeedCursor {
  /// The number of customers that were created before an instant; `nil` if Square states none.
  struct Count: Codable, Equatable {
    let until: Timestamp
    let count: Int?
  }

  let merchantID: String
  /// The location that the account reads; `nil` means all.
  let wanted: String?
  /// The instant from which changes are read; `nil` reads the whole list.
  var since: Timestamp?
  /// The customers from before the run, which are those that it reads.
  let counted: Count
  /// The count of an earlier run, of which nothing may be missing.
  private(set) var known: Count?
  /// Token of the next page; `nil` for the first page.
  private(set) var pageToken: String?
  var isSecondReading = false

  init(
    merchantID: String, wanted: String?, since: Timestamp?, counted: Count, known: Count? = nil
  ) {
    self.merchantID = merchantID
    self.known = known
    self.wanted = wanted
    self.since = since
    self.counted = counted
  }

  /// Seconds before the start of a run that are read again: Square lists some changes a minute
  /// late, or more.
  private static let overlap: Int64 = 300

  /// The cursor from which a later run reads changes.
  var changes: SquareCustomersCursor {
    var cursor = start
    cursor.since = counted.until.adding(seconds: -Self.overlap)
    cursor.known = counted.count == nil ? nil : counted
    cursor.isSecondReading = false
    return cursor
  }

  /// The cursor of the first page.
  var start: SquareCustomersCursor {
    var cursor = self
    cursor.pageToken = nil
    return cursor
  }

  func next(pageToken: String) -> SquareCustomersCursor {
    var cursor = self
    cursor.pageToken = pageToken
    return cursor
  }

  /// Returns whether both read the changes since the same instant.
  package func startsAtSameRecord(as other: SquareCustomersCursor) -> Bool {
    since != nil && since == other.since || self == other
  }
}

/// The body of a search for customers, in the order of creation.
private struct SquareCustomerSearch: Encodable {
  private struct Query: Encodable {
    let filter: Filter
    let sort = ["field": "CREATED_AT", "order": "ASC"]
  }

  private struct Filter: Encodable {
    let createdAt: [String: String]
    let updatedAt: [String: String]?

    enum CodingKeys: String, CodingKey {
      case createdAt = "created_at"
      case updatedAt = "updated_at"
    }
  }

  private let query: Query
  private let limit: Int
  private let cursor: String?
  private let count = true

  init(
    updatedFrom since: Timestamp? = nil, createdBefore until: Timestamp, limit: Int,
    cursor: String? = nil
  ) {
    query = Query(
      filter: Filter(
        createdAt: ["end_at": "\(until)"], updatedAt: since.map { ["start_at": "\($0)"] }))
    self.limit = limit
    self.cursor = cursor
  }
}

/// A page of customers.
struct SquareCustomersPage {
  private(set) var contacts: [Contact] = []
  private(set) var failures: [RowFailure] = []
  private(set) var pageToken: String?
  /// The number of customers that match the search.
  private(set) var count: Int?

  /// Reads a page; a row that cannot be read becomes a failure and the others are kept.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page as a whole is malformed.
  init(_ body: [UInt8]) throws {
    var errors: [SquareErrors.Entry] = []
    var broken: [RowFailure] = []
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "customers":
        try reader.readRows(identifier: "id", into: &broken) {
          contacts.append(try Self.contact(&$0))
        }
      case "cursor": pageToken = try reader.readSquareCursor()
      case "count": count = try reader.readOptionalInt()
      case "errors": try reader.readEveryElement { errors.append(try SquareErrors.entry(&$0)) }
      default: try reader.skipValue()
      }
    }
    try SquareErrors.requireNone(errors)
    failures = broken
  }

  private static func contact(_ reader: inout JSONReader) throws -> Contact {
    var contact = Contact(id: "", status: .active, rawStatus: "")
    (contact.isCustomer, contact.isSupplier) = (true, false)
    var name = PartyName()
    let offset = reader.position
    try reader.readObject { reader, key in
      switch key {
      case "id": contact.id = try reader.readOptionalIdentifier() ?? ""
      case "company_name": name.company = try reader.readOptionalString()
      case "given_name": name.given = try reader.readOptionalString()
      case "family_name": name.family = try reader.readOptionalString()
      case "email_address": contact.email = try reader.readOptionalString()
      case "phone_number": contact.phone = try reader.readOptionalString()
      case "tax_ids": contact.taxNumber = try reader.readOptionalText(of: "eu_vat")
      case "updated_at": contact.updatedAt = try reader.readOptionalTimestamp()
      case "version": contact.version = try reader.readOptionalInt().map(Int64.init)
      default: try reader.skipValue()
      }
    }
    contact.name = name.text
    return try contact.requiring([(["id"], !contact.id.isEmpty)], at: offset)
  }
}
