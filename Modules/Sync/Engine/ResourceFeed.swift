public import Models
public import Networking
public import Storage

/// What one list at a provider looks like, such as its invoices: how to ask for a page of it and how
/// to read that.
///
/// The engine owns the order of things: fetching ahead, storing, counting, waiting, stopping, deleting.
/// A feed only translates, and keeps no state of its own; all of it is in the place. Its requests are
/// sent again where that helps, so that each has to be ``Networking/Request/isSafeToRetry``.
public protocol ResourceFeed<Record>: Sendable {
  /// What the list holds.
  associatedtype Record: SyncedRecord
  /// A cursor in the list.
  associatedtype Cursor: Codable & Sendable & Equatable

  /// The provider's name, as ``Provider/name``.
  var provider: String { get }

  /// How the server tells of changes.
  var changes: ChangeModel { get }

  /// How many pages may be asked for at once, within what the provider publishes.
  var maxConcurrentPages: Int { get }

  /// Finds the cursor to begin at.
  ///
  /// It may ask the server for what every later request needs, such as the organisation; see
  /// ``answer(to:over:)``.
  func begin(_ start: FeedStart<Cursor>, over session: Session) async throws -> Cursor

  /// Whose records these are, as text that stays the same for ever, such as `xero:<tenant>`.
  ///
  /// More may be added behind a `:`, as at ``FeedStart/signIn(known:)``: `stripe:acct_1:live` says more of the
  /// same than `stripe:acct_1`.
  func source(of cursor: Cursor) -> String

  /// Whether the source of a cursor that ``begin(_:over:)`` finds after a sign-in tells the organisation from
  /// every other: the server was asked, or each request names the organisation.
  ///
  /// Where it does not, the user is asked at each sign-in to an account that holds records.
  var tellsOrganisation: Bool { get }

  /// The request for the page at a cursor.
  func request(at cursor: Cursor) throws -> Request

  /// Reads the page that was asked for at a cursor.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole cannot be read;
  ///   ``CursorExpired`` where the server does not know the cursor any more.
  func page(_ response: Response, at cursor: Cursor) throws -> FeedPage<Record, Cursor>

  /// What an answer means, where its body says more than its status, or something else; `nil` leaves
  /// it to the status.
  ///
  /// - Throws: ``CursorExpired`` where the server does not know the cursor any more.
  func failure(in response: Response) throws -> SyncError?

  /// Whether requests for changes carry a condition, such as `If-Modified-Since`, so that 304 is an answer
  /// to be read as a page, one without rows (RFC 9110 section 15.4.5); else it is a failure.
  var asksConditionally: Bool { get }

  /// The page with the records that it only names, or holds a part of; see ``FeedPage/unfinished``.
  ///
  /// It is asked for beside the storing of earlier pages, like the page itself.
  ///
  /// - Parameter ask: sends a request, and throws what its answer means where that is no page.
  func completing(
    _ page: FeedPage<Record, Cursor>, at cursor: Cursor,
    _ ask: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> FeedPage<Record, Cursor>

  /// The cursor of the page after the one at a cursor, where that is known before it is read; the page
  /// itself then says whether it was.
  func predictedCursor(after cursor: Cursor) -> Cursor?

  /// Where a later run begins to meet a row again that could not be read at a cursor, and all that has
  /// come since; the cursor itself, unless what is newer stands before it.
  func retrying(_ cursor: Cursor) -> Cursor

  /// When a pass through the whole list has ended at a cursor: how the server is asked how many
  /// records there are; `nil` where the pass cannot have missed one, whatever has changed meanwhile.
  ///
  /// A feed whose rows can move between pages and that says `nil` here has rows deleted that are there.
  func countRequest(at cursor: Cursor) throws -> Request?

  /// Reads how many there are; `nil` where the server does not say, so that the list is read once more.
  func count(_ response: Response) throws -> Int?

  /// How the whole list is read once more from its start so that no record can be missed, for when the
  /// count does not agree at a cursor; a later run begins no later than without it.
  func exhaustive(_ cursor: Cursor) -> Cursor

  /// Whether a run that begins at a cursor of ``begin(_:over:)`` meets the same first records as one that
  /// begins at another: then a run that ends after a number of records would never come further.
  func begins(at cursor: Cursor, like other: Cursor) -> Bool

  /// For lists of versions: the request for some of the records, at most ``batch`` of them.
  func request(for ids: [String], at cursor: Cursor) throws -> Request

  /// Brings records by their identifiers, at most ``batch`` of them; with one request,
  /// ``request(for:at:)``, unless the feed has another way.
  ///
  /// One that the server does not hand out is left out: the engine sees to it that it is not forgotten.
  ///
  /// - Parameter ask: as with ``completing(_:at:_:)``.
  func records(
    for ids: [String], at cursor: Cursor,
    _ ask: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> FeedPage<Record, Cursor>

  /// Reads the records that were asked for by their identifiers; as a page where nothing else is said.
  func records(_ response: Response, at cursor: Cursor) throws -> FeedPage<Record, Cursor>

  /// How many records can be asked for by their identifiers at once.
  var batch: Int { get }
}

extension ResourceFeed {
  /// One page after the other.
  public var maxConcurrentPages: Int { 1 }
  /// Leaves it to the status.
  public func failure(in response: Response) throws -> SyncError? { nil }
  /// They carry none.
  public var asksConditionally: Bool { false }
  /// The page as it is.
  public func completing(
    _ page: FeedPage<Record, Cursor>, at cursor: Cursor,
    _ ask: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> FeedPage<Record, Cursor> { page }
  /// Knows none.
  public func predictedCursor(after cursor: Cursor) -> Cursor? { nil }
  /// The cursor itself.
  public func retrying(_ cursor: Cursor) -> Cursor { cursor }
  /// The server does not say.
  public func count(_ response: Response) throws -> Int? { nil }
  /// The cursor itself.
  public func exhaustive(_ cursor: Cursor) -> Cursor { cursor }
  /// Where the cursors are the same.
  public func begins(at cursor: Cursor, like other: Cursor) -> Bool { cursor == other }
  /// A hundred.
  public var batch: Int { 100 }
  /// With one request for all.
  public func records(
    for ids: [String], at cursor: Cursor,
    _ ask: @escaping @Sendable (Request) async throws -> Response
  ) async throws -> FeedPage<Record, Cursor> {
    try records(try await ask(request(for: ids, at: cursor)), at: cursor)
  }
  /// Reads them as a page.
  public func records(_ response: Response, at cursor: Cursor) throws -> FeedPage<Record, Cursor> {
    try page(response, at: cursor)
  }
  /// Refuses: the list holds no versions.
  public func request(for ids: [String], at cursor: Cursor) throws -> Request {
    throw SyncError.unreadable(place: "the list", reason: "it holds no versions")
  }
}

/// How a server tells of changes.
public enum ChangeModel: Sendable {
  /// It lists what has changed since an instant or a cursor.
  case watermark
  /// It lists everything, every time.
  case sweep
  /// It lists identifier and version of everything, and hands out records by identifier.
  case versions
}

/// Where a run begins.
public enum FeedStart<Cursor: Sendable>: Sendable {
  /// At the very start of the list, after a sign-in: whose records it reads is asked of the server, whatever
  /// an earlier run knew; that only says which one of several organisations is meant.
  case signIn(known: Cursor?)
  /// At the very start of the list; of the same organisation as an earlier run's, where there was one.
  case everything(known: Cursor?)
  /// At what has changed since an earlier run got to the end of the list.
  case changes(after: Cursor)
  /// Where an earlier run was interrupted.
  case continuing(Cursor)
  /// At an instant that a person names.
  case since(Timestamp, known: Cursor?)

  /// What an earlier run knew.
  public var known: Cursor? {
    switch self {
    case .signIn(let known), .everything(let known), .since(_, let known): known
    case .changes(let cursor), .continuing(let cursor): cursor
    }
  }
}
