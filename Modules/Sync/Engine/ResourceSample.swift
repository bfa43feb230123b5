public import Models
package import Networking
package import Storage
package import SystemSupport

/// One page of a resource, looked at and not stored.
public struct ResourceSample: Sendable {
  /// What was looked at.
  public let resource: Resource
  /// How many rows the page has.
  public internal(set) var rows = 0
  /// How many records there are in all, where the server says so on the page.
  public internal(set) var count: Int?
  /// How many records a page of the list of deletions names, of those of the last day; `nil` where no such
  /// list is described.
  public internal(set) var deletions: Int?
  /// Whether there is another page.
  public internal(set) var hasMore = false
  /// The rows that could not be read.
  public internal(set) var failures: [RowFailure] = []
  /// How the fields of the first row were read.
  public internal(set) var fields: [FieldReading] = []

  init(resource: Resource) {
    self.resource = resource
  }

  /// Reads one page of a feed; nothing is stored.
  ///
  /// - Throws: ``SyncError``, and the errors of the session and the authenticator.
  package init(
    reading feed: some ResourceFeed, of resource: Resource, over session: Session,
    clock: TimeSource = .system
  ) async throws {
    do {
      self = try await SampleReader(feed: feed, session: session, clock: clock).sample(of: resource)
    } catch is CursorExpired {
      throw ResourceSync.gone
    }
  }
}

/// What was made of one field of a row.
public struct FieldReading: Sendable, Equatable {
  /// The field, in our terms.
  public let field: String
  /// Where in the row it comes from; `nil` where a provider's code says so, or it is a constant.
  public let path: String?
  /// What stands there, as far as that is known; `nil` where there is nothing.
  public let found: String?
  /// What was made of it; `nil` where that is nothing.
  public let value: String?
  /// What is wrong with it.
  public let problem: String?

  package init(
    field: String, path: String? = nil, found: String? = nil, value: String? = nil,
    problem: String? = nil
  ) {
    self.field = field
    self.path = path
    self.found = found
    self.value = value
    self.problem = problem
  }
}

/// A feed that can tell how it reads each field.
package protocol FieldExplaining: Sendable {
  /// How the fields of the first row of an answer are read; empty where it has none.
  func readings(of body: [UInt8]) throws -> [FieldReading]

  /// The request for what was deleted since an instant; `nil` where the server has no list of it.
  func deletionsRequest(since instant: Timestamp) throws -> Request?

  /// Reads what was deleted.
  func deletions(_ response: Response) throws -> (removals: [Removal], failures: [RowFailure])
}
