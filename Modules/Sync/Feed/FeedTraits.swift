public import Foundation
public import Models
import Networking
public import Storage

/// The properties of a feed that are known without asking the server.
public struct FeedTraits: Sendable {
  /// The provider's name in the configuration, such as `xero`.
  public let provider: String
  /// The way in which the server lists changes.
  public let changes: ChangeModel
  /// True if the source of a cursor from ``ResourceFeed/begin(_:ask:)`` after a sign-in identifies
  /// one organisation.
  ///
  /// That is the case if the server was asked, or if each request names the organisation. Otherwise
  /// the user is asked at each sign-in to an account that holds records.
  public let identifiesOrganisation: Bool
  /// The address of each list of the provider, if the configuration states it: a text that changes
  /// if requests may reach other records.
  ///
  /// If the address of a list has changed, the next run proves the organisation again, as after a
  /// new sign-in, and reads the whole list.
  public var addresses: [Resource: String] = [:]
  /// The beginning of an organisation's name that earlier versions stored, and the one that has
  /// replaced it; `nil` if it has never changed.
  package var formerSource: (beginning: String, replacement: String)?
  /// The key of the configuration with the address of a single record, if it has one.
  package var recordAddressKey: String?
  /// The time zone in which instants become days, if the configuration names one.
  ///
  /// If it has changed, the next run reads the whole list, because the stored days are those of
  /// another zone.
  public var timeZone: String?
  /// The version of what reads the rows besides appcore, such as a fingerprint of their
  /// description; a front end's own provider changes it if what it stored may be wrong.
  ///
  /// If it has changed, the next run reads the whole list, whatever was read before.
  public var reader = ""
  /// The number of pages, or of batches of records, that are requested concurrently, within the
  /// limits that the provider publishes.
  public var maxConcurrentPages = 1
  /// True if requests for changes carry a condition, such as `If-Modified-Since`.
  ///
  /// A 304 response is then a page without rows (RFC 9110 section 15.4.5); otherwise it is a
  /// failure.
  public var usesConditionalRequests = false

  /// Creates the traits of a list whose pages are requested one after the other, without
  /// conditions.
  public init(provider: String, changes: ChangeModel, identifiesOrganisation: Bool) {
    self.provider = provider
    self.changes = changes
    self.identifiesOrganisation = identifiesOrganisation
  }

  /// Returns the traits of lists that are all at one server, whatever their paths.
  package func at(_ baseURL: URL) -> FeedTraits {
    var traits = self
    let origin = Origin(baseURL).map { "\($0)" } ?? ""
    traits.addresses = Dictionary(
      uniqueKeysWithValues: Resource.named.map { ($0, origin) })
    return traits
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
public enum ListContents<Record: SyncedRecord, Cursor: Sendable>: Sendable {
  /// A function that fetches records of a list of versions by their identifiers.
  ///
  /// If the server does not return a record, the page omits it. The engine then reads the list once
  /// more, and finally reports the record as a failure.
  public typealias Fetch =
    @Sendable (_ ids: [String], _ cursor: Cursor, _ ask: @escaping Ask) async throws
    -> Page<[Record], Cursor>

  /// The records themselves.
  case records
  /// Identifiers and versions, as ``Page/versions``. The engine fetches the records whose version
  /// is not stored, at most `batch` of them in one call.
  case versions(batch: Int, fetch: Fetch)
}

extension ResourceFeed {
  /// The way to fetch the records of a list of versions.
  ///
  /// - Throws: ``SyncError/unreadable(part:reason:message:)`` if the feed states that its pages
  ///   hold records. If the versions were ignored, every stored record would count as unlisted, and
  ///   be deleted.
  package var versions: (batch: Int, fetch: ListContents<Record, Cursor>.Fetch) {
    get throws {
      guard case .versions(let batch, let fetch) = contents else {
        throw SyncError.unreadable(
          part: "the list", reason: "it holds versions in place of records")
      }
      return (max(1, batch), fetch)
    }
  }
}

/// The time zone in which a provider's instants become calendar days.
///
/// Days are those of the seller: an invoice that is issued in Los Angeles on the evening of 31
/// January belongs to January, although it is already February in UTC.
public enum DayZone: Sendable, Equatable {
  /// None: the provider sends days.
  case notNeeded
  /// A time zone of the IANA database, such as `America/Los_Angeles`.
  case known(TimeZone)
  /// UTC, because the provider names no time zone, or one that this system does not know.
  case unknown

  /// Creates the zone of a name; an unknown one without a name.
  public init(_ name: String?) {
    self = name.flatMap(TimeZone.init(identifier:)).map(DayZone.known) ?? .unknown
  }

  /// The time zone; UTC if none is known.
  public var timeZone: TimeZone {
    if case .known(let zone) = self { zone } else { .gmt }
  }
}
