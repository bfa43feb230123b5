public import Networking
public import Storage

/// Sends a request of a feed with the run's session.
///
/// - Throws: ``SyncError`` or ``CursorExpired`` where the answer is no page, and the session's
///   errors.
public typealias Ask = @Sendable (Request) async throws -> Response

/// A list at a provider, such as its invoices: the requests for its pages, and how to read the
/// answers.
///
/// The engine owns the order of things: prefetching, storing, counting, waiting, stopping,
/// deleting. A feed only translates and keeps no state of its own; all of it is in the cursor. Its
/// requests are sent again where that helps, so that each has to be
/// `Request.isSafeToRetry`.
public protocol ResourceFeed<Record>: Sendable {
  /// A record of the list.
  associatedtype Record: SyncedRecord
  /// A position in the list.
  associatedtype Cursor: Codable & Sendable & Equatable

  /// What is known of the feed without asking the server.
  var traits: FeedTraits { get }

  /// Finds the cursor to begin at.
  ///
  /// It may ask the server for what every later request needs, such as the organisation.
  func begin(_ start: FeedStart<Cursor>, ask: @escaping Ask) async throws -> Cursor

  /// Returns the organisation whose records are read at a cursor, as text that stays the same for
  /// ever, such as `xero:<tenant>`.
  ///
  /// More may be added behind a `:`, as at ``FeedStart/signIn(known:)``: `stripe:acct_1:live` says
  /// more of the same than `stripe:acct_1`.
  func source(of cursor: Cursor) -> String

  /// Returns the request for the page at a cursor.
  func request(at cursor: Cursor) throws -> Request

  /// Reads the page that was requested at a cursor.
  ///
  /// - Throws: ``SyncError/unreadable(place:reason:)`` where the page as a whole cannot be read;
  ///   ``CursorExpired`` where the server does not know the cursor any more.
  func page(_ response: Response, at cursor: Cursor) throws -> Page<[Record], Cursor>

  /// Returns what an answer means where its body says more than its status, or something else;
  /// `nil` leaves it to the status.
  ///
  /// - Throws: ``CursorExpired`` where the server does not know the cursor any more.
  func failure(in response: Response) throws -> SyncError?

  /// Fetches the records that a page only names, or holds a part of; see ``Page/unfinished``.
  ///
  /// It runs concurrently with the storing of earlier pages, like the request for the page itself.
  func complete(
    _ page: Page<[Record], Cursor>, at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor>

  /// Fetches records of a list of versions by their identifiers, at most the batch that
  /// ``ListContents/versions(batch:)`` states.
  ///
  /// A record that the server does not return is left out; the engine makes sure that it is not
  /// forgotten.
  func records(
    for ids: [String], at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor>

  /// Counts the records of the whole list when a pass through it has ended at a cursor.
  ///
  /// A feed whose rows can move between pages and that returns ``ListCount/notNeeded`` has rows
  /// deleted that are there.
  func count(at cursor: Cursor, ask: @escaping Ask) async throws -> ListCount

  /// Returns the cursor of the page after the one at a cursor, where that is known before it is
  /// read; the page itself then says whether it was.
  func predictedCursor(after cursor: Cursor) -> Cursor?

  /// Returns the cursor at which a later run meets a row again that could not be read at a cursor,
  /// and all that has come since; the cursor itself, unless what is newer stands before it.
  func retryCursor(from cursor: Cursor) -> Cursor

  /// Returns the start of a reading of the whole list that can miss no record, for when the count
  /// does not agree at a cursor; a later run begins no later than without it.
  func exhaustive(_ cursor: Cursor) -> Cursor

  /// Returns whether a run that begins at a cursor of ``begin(_:ask:)`` meets the same first
  /// records as one that begins at another: then a run that ends after a number of records would
  /// never come further.
  func startsAtSameRecord(_ cursor: Cursor, as other: Cursor) -> Bool
}

extension ResourceFeed {
  /// Leaves every answer to its status.
  public func failure(in response: Response) throws -> SyncError? { nil }

  /// Returns the page as it is.
  public func complete(
    _ page: Page<[Record], Cursor>, at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor> { page }

  /// Fetches nothing: only lists of versions have records to fetch by their identifiers.
  public func records(
    for ids: [String], at cursor: Cursor, ask: @escaping Ask
  ) async throws -> Page<[Record], Cursor> { Page(resume: cursor) }

  /// Predicts nothing.
  public func predictedCursor(after cursor: Cursor) -> Cursor? { nil }

  /// Returns the cursor itself.
  public func retryCursor(from cursor: Cursor) -> Cursor { cursor }

  /// Returns the cursor itself.
  public func exhaustive(_ cursor: Cursor) -> Cursor { cursor }

  /// Returns whether the cursors are the same.
  public func startsAtSameRecord(_ cursor: Cursor, as other: Cursor) -> Bool { cursor == other }
}
