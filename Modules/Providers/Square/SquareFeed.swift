package import Foundation
import HTTPTypes
package import Models
package import Networking
import Storage
package import Sync

/// The invoices of a Square merchant, one location after the other.
///
/// Square has no filter for changes, so every run reads all invoices; the version of an invoice
/// shows which state is newer. An invoice does not hold lines, taxes and payments; its order does.
/// After each page, the feed fetches the orders of its invoices, 100 per request.
///
/// The list has a cursor, and its order is not documented. An invoice that moves to the front while
/// pages are read can be missed, and Square has no count that would reveal it. A list of several
/// pages is therefore read twice, and only an invoice that neither reading has seen counts as
/// deleted.
package struct SquareFeed: ResourceFeed {
  package typealias Record = Invoice
  package typealias Cursor = SquareCursor

  package let traits: FeedTraits
  private let requests: SquareRequests
  private let locationID: String?
  private let pageSize: Int

  private static let orderBatch = 100

  /// - Parameters:
  ///   - locationID: the one location to read; `nil` reads all.
  ///   - timeZone: the time zone in which instants become days; `nil` takes that of the invoice for
  ///     its own days, and that of the location for the days of payments.
  ///   - pageSize: rows per page; Square allows up to 200.
  package init(
    baseURL: URL, locationID: String? = nil, timeZone: String? = nil, pageSize: Int = 200
  ) {
    var traits = FeedTraits(
      provider: "square", changes: .sweep, identifiesOrganisation: true
    ).at(baseURL)
    traits.timeZone = timeZone
    self.traits = traits
    requests = SquareRequests(baseURL: baseURL)
    self.locationID = locationID
    self.pageSize = min(max(pageSize, 1), 200)
  }

  package func source(of cursor: SquareCursor) -> String {
    SquareRequests.source(merchantID: cursor.merchantID, locationID: cursor.wanted)
  }

  package func begin(
    _ start: FeedStart<SquareCursor>, ask: @escaping Ask
  ) async throws -> SquareCursor {
    if case .continuing(let cursor) = start, cursor.wanted == locationID, cursor.timeZones != nil {
      return cursor
    }
    // Ask even if the locations are known: one may have been opened since.
    let (merchant, locations, _) = try await requests.locations(locationID, ask: ask)
    return SquareCursor(
      merchantID: merchant, wanted: locationID, locations: locations.map(\.id),
      timeZones: Dictionary(
        locations.compactMap { place in place.timeZone.map { (place.id, $0) } },
        uniquingKeysWith: { first, _ in first }))
  }

  package func dayZone(at cursor: SquareCursor) -> DayZone {
    DayZone(traits.timeZone ?? cursor.timeZone)
  }

  package func request(at cursor: SquareCursor) throws -> Request {
    try request(cursor, limit: pageSize, pageToken: cursor.pageToken)
  }

  package func page(
    _ response: Response, at cursor: SquareCursor
  ) throws -> Page<[Invoice], SquareCursor> {
    let rows = try SquarePage(
      response.body, in: dayZone(at: cursor).timeZone, isFixed: traits.timeZone != nil)
    let next = cursor.next(pageToken: rows.pageToken)
    var page = Page<[Invoice], SquareCursor>(resume: next ?? cursor)
    page.records = rows.invoices
    page.failures = rows.failures
    page.unfinished = rows.orderIDs
    page.newest = page.records.newest(upTo: response.serverTime)
    page.next = next
    return page
  }

  package func complete(
    _ page: Page<[Invoice], SquareCursor>, at cursor: SquareCursor,
    ask: @escaping Ask
  ) async throws -> Page<[Invoice], SquareCursor> {
    guard !page.unfinished.isEmpty else { return page }
    var orders = SquareOrders()
    var ids = page.unfinished.filter { !$0.isEmpty }[...]
    while !ids.isEmpty {
      let request = try requests.reading(
        "v2/orders/batch-retrieve", json: ["order_ids": Array(ids.prefix(Self.orderBatch))])
      try orders.add(try await ask(request).body)
      ids = ids.dropFirst(Self.orderBatch)
    }
    var completed = page
    completed.unfinished = []
    completed.records = []
    let zone = dayZone(at: cursor).timeZone
    for (invoice, orderID) in zip(page.records, page.unfinished) {
      switch orders[orderID] {
      case .order(let order) where !invoice.lacksTotal || order.total != nil:
        completed.records.append(order.completing(invoice, in: zone))
      case nil where !invoice.lacksTotal: completed.records.append(invoice)
      case .order, nil:
        completed.failures.append(
          RowFailure(
            id: invoice.id, path: "payment_requests",
            reason: "neither the invoice nor its order states an amount"))
      // Without its lines, the invoice would look as if they had been removed.
      case .unreadable(let failure):
        completed.failures.append(
          RowFailure(id: invoice.id, path: "order." + failure.path, reason: failure.reason))
      }
    }
    return completed
  }

  package func failure(in response: Response) throws -> SyncError? {
    try SquareErrors.requireCursor(in: response)
    return nil
  }

  /// Returns ``ListCount/unknown`` for a list of several pages, which is then read twice: Square
  /// states no count.
  package func count(at cursor: SquareCursor, ask: @escaping Ask) async throws -> ListCount {
    cursor.spansPages && !cursor.isSecondReading ? .unknown : .notNeeded
  }

  package func exhaustive(_ cursor: SquareCursor) -> SquareCursor {
    var start = SquareCursor(
      merchantID: cursor.merchantID, wanted: cursor.wanted, locations: cursor.locations,
      timeZones: cursor.timeZones)
    start.isSecondReading = true
    return start
  }

  private func request(_ cursor: SquareCursor, limit: Int, pageToken: String?) throws -> Request {
    try requests.list(
      "v2/invoices",
      query: [
        URLQueryItem(name: "location_id", value: cursor.location),
        URLQueryItem(name: "limit", value: String(limit)),
      ] + (pageToken.map { [URLQueryItem(name: "cursor", value: $0)] } ?? []))
  }
}

/// A cursor in the lists of a merchant's invoices; each location has one list.
package struct SquareCursor: FeedCursor {
  /// The merchant: `merchant_id` in `GET /v2/locations`.
  let merchantID: String
  /// The one location to read; `nil` means all.
  let wanted: String?
  /// The locations whose invoices are read, in order.
  let locations: [String]
  /// The time zones of these locations; `nil` in cursors of an earlier version.
  let timeZones: [String: String]?
  private(set) var index = 0
  /// Token of the location's next page; `nil` for the first page.
  private(set) var pageToken: String?
  /// True if a list had several pages so far, so that a row may have moved between two.
  private(set) var spansPages = false
  var isSecondReading = false

  init(
    merchantID: String, wanted: String?, locations: [String], timeZones: [String: String]? = nil
  ) {
    self.merchantID = merchantID
    self.wanted = wanted
    self.locations = locations
    self.timeZones = timeZones
  }

  /// The location that is being read; `nil` after the last one.
  var location: String? { locations.indices.contains(index) ? locations[index] : nil }

  var timeZone: String? { location.flatMap { timeZones?[$0] } }

  /// Returns the cursor after a page, given the token of the same location's next page.
  func next(pageToken: String?) -> SquareCursor? {
    var cursor = self
    cursor.pageToken = pageToken
    if pageToken != nil {
      cursor.spansPages = true
    } else {
      cursor.index += 1
    }
    return cursor.location == nil ? nil : cursor
  }
}
