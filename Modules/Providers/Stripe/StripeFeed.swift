package import Foundation
import HTTPTypes
package import JSONReading
import Models
package import Networking
package import Storage
package import Sync

/// A list of a Stripe account, such as its invoices or its customers.
///
/// The list cannot be filtered by change and has the newest record first. A new record appears
/// before the first page, so no row moves between consecutive pages. Stripe's events report the
/// changes, and Stripe keeps them for 30 days. The feed uses only the identifiers in events and
/// fetches each record again, because an event shows an old state of the record in an old version
/// of the API. The order of the events therefore does not matter.
///
/// A restricted key needs the permission to read the list alone. If it may not read events, each
/// sync reads the whole list. If it may not read the account, Stripe's refusal usually names the
/// account; otherwise it stays unknown.
///
/// A pass through the whole list stores the server's time before it begins and ends with the events
/// since then. A cursor older than the events that Stripe keeps has expired.
package struct StripeFeed<List: StripeList>: ResourceFeed {
  package typealias Record = List.Record
  package typealias Cursor = StripeCursor

  package let traits: FeedTraits
  private let requests: StripeRequests
  private let accountID: String?

  /// - Parameters:
  ///   - accountID: the connected account to read with a platform's key.
  ///   - timeZone: the time zone in which instants become days; `nil` takes the account's.
  ///   - pageSize: rows per page; Stripe allows up to 100.
  package init(
    _: List.Type, baseURL: URL, accountID: String? = nil, timeZone: String? = nil,
    pageSize: Int = 100
  ) {
    var traits = FeedTraits(
      provider: "stripe", changes: .watermark, identifiesOrganisation: true
    ).at(baseURL)
    traits.timeZone = timeZone
    self.traits = traits
    requests = StripeRequests(baseURL: baseURL, pageSize: min(max(pageSize, 1), 100))
    self.accountID = accountID
  }

  /// Returns the account and the kind of key: test keys and live keys of an account read different
  /// data.
  package func source(of cursor: StripeCursor) -> String {
    guard let account = cursor.accountID else { return "stripe" }
    return "stripe:" + account + (cursor.isLive.map { $0 ? ":live" : ":test" } ?? "")
  }

  /// Returns false if the server did not show the account or the kind of the key.
  package func identifiesOrganisation(at cursor: StripeCursor) -> Bool {
    cursor.accountID != nil && cursor.isLive != nil
  }

  package func begin(
    _ start: FeedStart<StripeCursor>, ask: @escaping Ask
  ) async throws -> StripeCursor {
    let known = start.known.flatMap { $0.onBehalfOf == accountID ? $0 : nil }
    switch start {
    // The rows that an earlier version stored have days in UTC, so they are read again.
    case .continuing(let cursor) where known?.timeZone != nil: return cursor
    // Usually the start of the events; otherwise the page at which a run was interrupted or met a
    // row that it could not read.
    case .changes(let cursor) where known?.timeZone != nil:
      guard cursor.hasEvents == false else { return cursor }
      // The key, or its permissions, may be others by now.
      guard try await mayReadEvents(at: cursor, ask) else { throw CursorExpired() }
      return cursor.events()
    case .since(let instant, _):
      let start = try await account(ask)
      let changes = start.events(since: instant)
      return try await mayReadEvents(at: changes, ask) ? changes : start
    case .signIn:
      // First, since no key is of use without this permission.
      let mode = try await StripeMode(requests: requests, onBehalfOf: accountID)
        .isLive(of: List.self, ask)
      var cursor = try await account(ask)
      cursor.isLive = mode
      return cursor
    case .everything, .changes, .continuing: return try await account(ask)
    }
  }

  package func dayZone(at cursor: StripeCursor) -> DayZone {
    DayZone(traits.timeZone ?? cursor.timeZone)
  }

  private func zone(at cursor: StripeCursor) -> TimeZone { dayZone(at: cursor).timeZone }

  package func request(at cursor: StripeCursor) throws -> Request {
    switch cursor.step {
    case .list: try requests.page(of: List.self, at: cursor)
    case .events: try requests.events(of: List.self, at: cursor)
    }
  }

  package func page(
    _ response: Response, at cursor: StripeCursor
  ) throws -> Page<[Record], StripeCursor> {
    switch cursor.step {
    case .list: try StripePage<List>(response.body, in: zone(at: cursor)).page(at: cursor)
    case .events: try StripeEvents<List>(response.body).page(at: cursor, asked: response.serverTime)
    }
  }

  package func failure(in response: Response) throws -> SyncError? {
    // A key that may not read events, or a part of the records, reads the whole list without them.
    let query = response.url.query(percentEncoded: false) ?? ""
    if response.head.status.code == 403,
      response.url.path(percentEncoded: true).hasSuffix("/v1/events")
        || List.optionalExpansions.contains(where: query.contains)
    {
      throw CursorExpired()
    }
    guard let fault = StripeFault(response) else { return nil }
    // The row before the page no longer exists: it was a deleted draft, or an event of long ago.
    if fault.isLostCursor { throw CursorExpired() }
    // A 404 without this code does not come from Stripe but from a server in between.
    return response.head.status.code == 404 && !fault.isMissing ? .serverFailed(status: 404) : nil
  }

  package func complete(
    _ page: Page<[Record], StripeCursor>, at cursor: StripeCursor,
    ask: @escaping Ask
  ) async throws -> Page<[Record], StripeCursor> {
    var page = page
    if cursor.step == .list, let changes = page.next, changes.step == .events,
      try await !mayReadEvents(at: changes, ask)
    {
      page.next = nil
      page.resume.hasEvents = false
    }
    guard !page.unfinished.isEmpty else { return page }
    return try await StripeCompletion<List>(
      requests: requests, cursor: cursor, zone: zone(at: cursor), ask: ask
    ).complete(page)
  }

  /// Returns ``ListCount/notNeeded``: no row moves between consecutive pages.
  package func count(at cursor: StripeCursor, ask: @escaping Ask) async throws -> ListCount {
    .notNeeded
  }

  private func mayReadEvents(at cursor: StripeCursor, _ ask: Ask) async throws -> Bool {
    try await may(requests.events(of: List.self, at: cursor, limit: 1), ask)
  }

  /// Returns whether the key may send a request, without which the list is read in another way.
  private func may(_ request: Request, _ ask: Ask) async throws -> Bool {
    do { _ = try await ask(request) } catch is CursorExpired { return false }
    return true
  }

  /// Returns the start of the whole list.
  private func account(_ ask: Ask) async throws -> StripeCursor {
    var cursor = try await accountStart(ask)
    if !List.optionalExpansions.isEmpty {
      cursor.mayExpand = try await may(requests.page(of: List.self, at: cursor, limit: 1), ask)
    }
    return cursor
  }

  private func accountStart(_ ask: Ask) async throws -> StripeCursor {
    let response: Response
    do { response = try await ask(try requests.account(accountID)) } catch SyncError.accessDenied(
      status: 403, let message)
    {
      let time = try await ask(try requests.any(of: List.self, accountID)).serverTime
      // The refusal reads "… for this endpoint on account 'acct_1'. Having the permission …".
      let named = message?.text.firstMatch(of: #/account '(acct_[A-Za-z0-9]+)'/#)
      return start(of: accountID ?? named.map { String($0.output.1) }, in: nil, at: time)
    }
    var id: String?
    var timeZone: String?
    try JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "id": id = try reader.readString()
      case "settings": timeZone = try reader.readOptional { try Self.timeZone(&$0) }
      default: try reader.skipValue()
      }
    }
    guard let id else { throw SyncError.unreadable(part: "id", reason: "missing") }
    return start(of: id, in: timeZone, at: response.serverTime)
  }

  private func start(of account: String?, in timeZone: String?, at time: Timestamp) -> StripeCursor
  {
    var cursor = StripeCursor(
      accountID: account, onBehalfOf: accountID, step: .list,
      since: time.adding(seconds: -StripeCursor.overlap))
    cursor.timeZone = timeZone ?? ""
    return cursor
  }

  /// Reads the time zone in `settings.dashboard`; `nil` if there is none.
  private static func timeZone(_ reader: inout JSONReader) throws -> String? {
    var timeZone: String?
    try reader.readMember("dashboard") { reader in
      timeZone = try reader.readOptional { reader in
        var timeZone: String?
        try reader.readMember("timezone") { reader in
          timeZone = try reader.readOptionalString()
        }
        return timeZone
      }
    }
    return timeZone
  }
}

/// The mode of the key that requests are sent with: live or test, each with its own data.
private struct StripeMode {
  let requests: StripeRequests
  let onBehalfOf: String?

  /// Returns true for a live key.
  ///
  /// The result is `nil` if there is no record to show the mode, and a restricted key may not read
  /// the balance, which every account has.
  ///
  /// - Throws: ``SyncError/accessDenied(status:)`` if the key may not read the list.
  func isLive(of list: (some StripeList).Type, _ ask: Ask) async throws -> Bool? {
    if let isLive = try Self.read(try await ask(requests.any(of: list, onBehalfOf)).body) {
      return isLive
    }
    do { return try Self.read(try await ask(requests.balance(onBehalfOf)).body) } catch SyncError
      .accessDenied
    {
      return nil
    }
  }

  /// Returns the mode that an object states, or the first object of a list.
  private static func read(_ body: [UInt8]) throws -> Bool? {
    var isLive: Bool?
    try JSONReader.readPage(body) { reader, key in
      switch key {
      case "livemode": isLive = try reader.readBool()
      case "data":
        try reader.readArray { reader in
          try reader.readMember("livemode") { reader in
            isLive = try reader.readBool()
          }
        }
      default: try reader.skipValue()
      }
    }
    return isLive
  }
}

/// The differences between one list of Stripe's API and another.
package protocol StripeList: Sendable {
  associatedtype Record: SyncedRecord

  /// The last part of the path, such as `invoices`.
  static var path: String { get }
  /// The types of the events that report a change, or one with a wildcard for all of them.
  static var events: [String] { get }
  /// The type of the event that reports a deletion.
  static var deletion: String { get }
  /// The members of a record that Stripe sends in full only if they are named.
  static var expansions: [String] { get }
  /// Further such members, which need a permission that not every key for the list has.
  static var optionalExpansions: [String] { get }

  /// Reads one row.
  ///
  /// - Parameter zone: the time zone in which instants become days.
  static func read(_ reader: inout JSONReader, in zone: TimeZone) throws -> StripeRow<Record>
  /// Reads the identifier of the record that an event is about from the object in it; `nil` if it
  /// is about none.
  static func readReference(_ reader: inout JSONReader) throws -> String?
  /// Returns the record that a ``StripeRow`` holds in part, completed by further requests.
  static func whole(
    _ record: Record, _ requests: StripeRequests, at cursor: StripeCursor, in zone: TimeZone,
    ask: Ask
  ) async throws -> Record
}

/// A row of one of Stripe's lists.
package enum StripeRow<Record> {
  /// A record; one that is cut has parts that only further requests return.
  case record(Record, isCut: Bool)
  /// The rest of a deleted record.
  case deleted(id: String)
}

extension StripeList {
  package static var expansions: [String] { [] }
  package static var optionalExpansions: [String] { [] }

  /// Reads the identifier of the object itself.
  package static func readReference(_ reader: inout JSONReader) throws -> String? {
    try reader.readStripeReference()
  }

  /// Returns the record itself: most lists hold whole ones.
  package static func whole(
    _ record: Record, _ requests: StripeRequests, at cursor: StripeCursor, in zone: TimeZone,
    ask: Ask
  ) async throws -> Record { record }

  static func expansions(at cursor: StripeCursor) -> [String] {
    expansions + (cursor.mayExpand == false ? [] : optionalExpansions)
  }
}
