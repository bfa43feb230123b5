public import Networking
public import Storage

/// Sends a request of a feed with the run's session.
///
/// - Throws: ``SyncError`` or ``CursorExpired`` if the response is no page, and the session's
///   errors.
public typealias Ask = @Sendable (Request) async throws -> Response

/// A list at a provider, such as its invoices: the requests for its pages, and the parsing of the
/// responses.
///
/// The engine decides the order of work: prefetching, storing, counting, waiting, stopping,
/// deleting. A feed only translates; it keeps no state of its own, because all state is in the
/// cursor. The engine may retry a request, so each one has to be `Request.isSafeToRetry`.
public protocol ResourceFeed<Record>: Sendable {
  /// A record of the list.
  associatedtype Record: SyncedRecord
  /// A position in the list.
  associatedtype Cursor: FeedCursor

  /// The properties of the feed that are known without asking the server.
  var traits: FeedTraits { get }

  /// The contents of the pages.
  var contents: ListContents<Record, Cursor> { get }

  /// Finds the cursor to begin at.
  ///
  /// It may ask the server for data that every later request needs, such as the organisation.
  ///
  /// - Throws: ``CursorExpired`` for ``FeedStart/changes(after:)`` if the server lists no changes
  ///   since that cursor; the engine then reads the list from its start.
  func begin(_ start: FeedStart<Cursor>, ask: @escaping Ask) async throws -> Cursor

  /// Returns the organisation whose records are read at a cursor, as text that never changes, such
  /// as `xero:<tenant>`.
  ///
  /// A feed may append details after a `:`, for example at ``FeedStart/signIn(known:)``:
  /// `stripe:acct_1:live` is a more exact form of `stripe:acct_1`.
  func source(of cursor: Cursor) -> String

  /// Returns whether the source of a cursor from ``FeedStart/signIn(known:)`` identifies one
  /// organisation.
  ///
  /// A feed answers no if the server, which usually says so, did not.
  func identifiesOrganisation(at cursor: Cursor) -> Bool

  /// Returns the time zone in which instants of the records at a cursor become days.
  func dayZone(at cursor: Cursor) -> DayZone

  /// Returns the request for the page at a cursor.
  func request(at cursor: Cursor) throws -> Request

  /// Parses the page that was requested at a cursor.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the page as a whole cannot be
  ///   read; ``CursorExpired`` if the server no longer knows the cursor.
  func page(_ response: Response, at cursor: Cursor) throws -> Page<[Record], Cursor>

  /// Returns the error in a response whose body says more than its status, or something else; `nil`
  /// if the status decides.
  ///
  /// - Throws: ``CursorExpired`` if the server no longer knows the cursor.
  func failure(in response: Response) throws -> SyncError?

  /// Returns the last page of the list if the server refused the request for a page only because
  /// the list ends before it; `nil` if the error stands.
  ///
  /// Some servers answer the number of a page after the last one with an error. A feed has to make
  /// sure that it is the end: what a list lacks counts as deleted.
  func end(
    after error: SyncError, at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor>?

  /// Returns the error of a request for a page in the words of the feed, which knows where the
  /// address comes from.
  func explained(_ error: SyncError, at cursor: Cursor) -> SyncError

  /// Fetches what a page lacks: the records that it only names or holds in part
  /// (``Page/unfinished``), and ``Page/total``, if the feed can ask for it.
  ///
  /// The engine calls it after each page, so a feed asks for the number at the first page only. It
  /// runs concurrently with the storing of earlier pages, like the request for the page itself. An
  /// error ends the run, as in any request. The feed consumes the page, so that a change copies no
  /// record.
  func complete(
    _ page: consuming Page<[Record], Cursor>, at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor>

  /// Counts the records of the whole list, after a pass through it has ended at a cursor.
  ///
  /// If rows can move between pages, the feed must not return ``ListCount/notNeeded``: the engine
  /// would delete records that still exist.
  func count(at cursor: Cursor, ask: @escaping Ask) async throws -> ListCount

  /// Predicts the cursor of the page after the one at a cursor; `nil` if it is known only once that
  /// page is read.
  ///
  /// The page itself then confirms or refutes the prediction.
  func predictedCursor(after cursor: Cursor) -> Cursor?

  /// Returns the start of a reading of the whole list that cannot miss a record, for use if the
  /// count at a cursor does not match.
  ///
  /// A later run begins no later than it would without this reading.
  func exhaustive(_ cursor: Cursor) -> Cursor
}

extension ResourceFeed {
  /// The records themselves.
  public var contents: ListContents<Record, Cursor> { .records }

  /// Returns ``FeedTraits/identifiesOrganisation``.
  public func identifiesOrganisation(at cursor: Cursor) -> Bool { traits.identifiesOrganisation }

  /// Returns ``DayZone/notNeeded``: most providers send days.
  public func dayZone(at cursor: Cursor) -> DayZone { .notNeeded }

  /// Returns `nil`, so that the status decides.
  public func failure(in response: Response) throws -> SyncError? { nil }

  /// Returns `nil`, so that the error stands.
  public func end(
    after error: SyncError, at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor>? { nil }

  /// Returns the error itself.
  public func explained(_ error: SyncError, at cursor: Cursor) -> SyncError { error }

  /// Returns the page unchanged.
  public func complete(
    _ page: consuming Page<[Record], Cursor>, at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor> { page }

  /// Predicts no cursor.
  public func predictedCursor(after cursor: Cursor) -> Cursor? { nil }

  /// Returns the cursor itself.
  public func exhaustive(_ cursor: Cursor) -> Cursor { cursor }
}
