/// The properties of a feed that are known without asking the server.
public struct FeedTraits: Sendable {
  /// The provider's name in the configuration, such as `xero`.
  public let provider: String
  /// The way in which the server lists changes.
  public let changes: ChangeModel
  /// The contents of the pages.
  public var contents = ListContents.records
  /// True if the source of a cursor from ``ResourceFeed/begin(_:ask:)`` after a sign-in identifies
  /// one organisation.
  ///
  /// That is the case if the server was asked, or if each request names the organisation. Otherwise
  /// the user is asked at each sign-in to an account that holds records.
  public let identifiesOrganisation: Bool
  /// The number of pages, or of batches of records, that are requested concurrently, within the
  /// limits that the provider publishes.
  public var maxConcurrentPages = 1
  /// True if requests for changes carry a condition, such as `If-Modified-Since`.
  ///
  /// A 304 response is then a page without rows (RFC 9110 section 15.4.5); otherwise it is a
  /// failure.
  public var usesConditionalRequests = false

  /// Creates the traits of a list of records whose pages are requested one after the other, without
  /// conditions.
  public init(provider: String, changes: ChangeModel, identifiesOrganisation: Bool) {
    self.provider = provider
    self.changes = changes
    self.identifiesOrganisation = identifiesOrganisation
  }
}

/// The way in which a server lists changes.
public enum ChangeModel: Sendable {
  /// It lists what has changed since an instant or a cursor.
  case watermark
  /// It lists everything, every time.
  case sweep
}

/// The contents of a list's pages.
public enum ListContents: Sendable, Equatable {
  /// The records themselves.
  case records
  /// Identifiers and versions, as ``Page/versions``. The engine fetches the records whose version
  /// is not stored, at most `batch` of them in one call of ``ResourceFeed/records(for:at:ask:)``.
  case versions(batch: Int)
}
