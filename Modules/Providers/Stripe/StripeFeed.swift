package import Foundation
import HTTPTypes
import JSONReading
package import Models
package import Networking
import Storage
package import Sync

/// The invoices of a Stripe account.
///
/// The list cannot be asked for what has changed, and holds the newest first: what is made
/// meanwhile stands before its start, and no row moves between the pages that follow one another.
/// Stripe's events report the changes. Stripe keeps them for 30 days. They are used for the
/// identifiers alone and each invoice is asked for again, since an event shows it as it was, in the
/// version of the API of its time; so it does not matter in which order they are read either.
///
/// A pass through the whole list notes the server's time before it begins and ends with the events
/// since then. A cursor that is older than the events are kept is expired.
package struct StripeFeed: ResourceFeed {
  package typealias Record = Invoice
  package typealias Cursor = StripeCursor

  package let traits = FeedTraits(
    provider: "stripe", changes: .watermark, identifiesOrganisation: true)
  private let requests: StripeRequests
  private let accountID: String?

  /// - Parameters:
  ///   - accountID: the connected account to read, for a platform's key.
  ///   - pageSize: rows a page; Stripe allows up to 100.
  package init(baseURL: URL, accountID: String? = nil, pageSize: Int = 100) {
    requests = StripeRequests(baseURL: baseURL, pageSize: min(max(pageSize, 1), 100))
    self.accountID = accountID
  }

  /// Test keys and live keys of one account read different books.
  package func source(of cursor: StripeCursor) -> String {
    "stripe:" + cursor.accountID + (cursor.isLive.map { $0 ? ":live" : ":test" } ?? "")
  }

  package func begin(
    _ start: FeedStart<StripeCursor>, ask: @escaping Ask
  ) async throws -> StripeCursor {
    let known = start.known.flatMap { $0.onBehalfOf == accountID ? $0 : nil }
    switch start {
    case .continuing(let cursor) where known != nil: return cursor
    // Mostly where events begin; else where a run was interrupted, or met what it could not read.
    case .changes(let cursor) where known != nil: return cursor
    case .since(let instant, _):
      return try await account(ask).events(since: instant)
    case .signIn:
      var cursor = try await account(ask)
      cursor.isLive = try await StripeMode(requests: requests, onBehalfOf: accountID).isLive(ask)
      return cursor
    case .everything, .changes, .continuing: return try await account(ask)
    }
  }

  package func request(at cursor: StripeCursor) throws -> Request {
    switch cursor.step {
    case .invoices: try requests.invoices(at: cursor)
    case .events: try requests.events(at: cursor)
    }
  }

  package func page(
    _ response: Response, at cursor: StripeCursor
  ) throws -> Page<[Invoice], StripeCursor> {
    switch cursor.step {
    case .invoices: try StripePage(response.body).page(at: cursor)
    case .events: try StripeEvents(response.body).page(at: cursor, asked: response.serverTime)
    }
  }

  package func failure(in response: Response) throws -> SyncError? {
    guard let fault = StripeFault(response) else { return nil }
    // The row before the page is gone: a draft that was deleted, or an event of long ago.
    if fault.isLostCursor { throw CursorExpired() }
    // Without the code it is no word of Stripe's that something is gone, but somebody's on the way.
    return response.head.status.code == 404 && !fault.isMissing ? .serverFailed(status: 404) : nil
  }

  /// Events are read from the newest back: behind an older one, those that came since would wait.
  package func retryCursor(from cursor: StripeCursor) -> StripeCursor {
    switch cursor.step {
    case .invoices: cursor
    case .events: cursor.events()
    }
  }

  package func complete(
    _ page: Page<[Invoice], StripeCursor>, at cursor: StripeCursor,
    ask: @escaping Ask
  ) async throws -> Page<[Invoice], StripeCursor> {
    try await StripeCompletion(requests: requests, cursor: cursor, ask: ask).complete(page)
  }

  /// No row moves between pages that follow one another.
  package func count(at cursor: StripeCursor, ask: @escaping Ask) async throws -> ListCount {
    .notNeeded
  }

  /// The start of everything.
  private func account(_ ask: Ask) async throws -> StripeCursor {
    let response = try await ask(try requests.account(accountID))
    var id: String?
    try JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "id": id = try reader.readString()
      default: try reader.skipValue()
      }
    }
    guard let id else { throw SyncError.unreadable(place: "id", reason: "it is missing") }
    return StripeCursor(
      accountID: id, onBehalfOf: accountID, step: .invoices,
      since: response.serverTime.adding(seconds: -StripeCursor.overlap))
  }
}
