package import ErrorCodes
public import Models
import Networking
public import Storage

/// The report of one run of a sync.
public struct SyncReport: Sendable {
  /// The ways in which a run ends.
  public enum Result: String, Sendable, Codable {
    /// Everything that the server lists is stored, except records that an earlier run reported as
    /// unreadable; see ``SyncReport/failureCount``.
    case complete
    /// A part is stored; there is more, or a record could not be read for the first time.
    case partial
    /// Nothing was stored; the report says what would have changed.
    case dryRun = "dry-run"
  }

  /// The reasons for which a plain run reads everything again: stored values may be wrong.
  public enum Rereading: String, Sendable, Codable {
    /// The description of the list has changed, or the way it is read (``FeedTraits/reader``).
    case description
    /// The time zone of the account has changed, in which instants become days.
    case timeZone = "time-zone"
  }

  /// The reasons why a run ends before everything is stored.
  public enum Ending: String, Sendable, Codable, CaseIterable {
    /// A record could not be read, and no earlier run has reported it.
    case unreadable
    /// The server asked to retry later, because of a rate limit.
    case rateLimit = "rate-limit"
    /// The server was unavailable, and asked to retry later.
    case serverBusy = "server-busy"
    /// The run took ``SyncOptions/maximumDuration``.
    case duration
    /// The run read ``SyncOptions/limit`` records.
    case limit
    /// The run finished a pass of an earlier run, and its limits left no room to read the list
    /// again.
    ///
    /// The list does not report changes, so records that the earlier run read may have changed
    /// since.
    case continued
  }

  /// Deletions that exceed the allowed part of the stored records.
  public struct ExcessDeletions: Sendable, Equatable {
    /// The number of records that would be deleted.
    public let deleted: Int
    /// The number of records that are stored.
    public let of: Int
  }

  /// The account's name.
  public let account: String
  /// The resource that was synced.
  public let resource: Resource
  /// The provider's name.
  public let provider: String
  /// The way in which the run ended.
  public internal(set) var result: Result = .complete
  /// The reason why the run is partial.
  public internal(set) var ending: Ending?
  /// The number of records for each kind of change.
  public internal(set) var counts = ChangeCounts()
  /// The changes that a comparison with the server found and corrected.
  public internal(set) var verification: ChangeCounts?
  /// The changes of each record, with the fields that would differ; of a dry run only.
  ///
  /// There are at most ``changesLimit`` changes, with ``fieldChangesLimit`` fields together.
  public internal(set) var changes: [RecordChange] = []
  /// The deletions that a run would refuse as too many; of a dry run only, which reports them.
  public internal(set) var excessDeletions: ExcessDeletions?
  /// The number of fields in all changes, including those that ``changes`` leaves out.
  private var fieldChanges = 0
  /// The number of pages that were stored.
  public internal(set) var pages = 0
  /// The number of requests to the provider, retries included.
  public internal(set) var requests = 0
  /// The number of requests that were repeated.
  public internal(set) var retries = 0
  /// The time spent waiting before retries.
  public internal(set) var waited: Duration = .zero
  /// The newest change that was known before.
  public internal(set) var watermarkBefore: Timestamp?
  /// The newest change that is known now.
  public internal(set) var watermarkAfter: Timestamp?
  /// The time at which to retry, if the run ended before everything was read.
  public internal(set) var retryAt: Timestamp?
  /// The first of the records that cannot be read, at most ``failuresLimit``, beginning with those
  /// that no earlier run has reported.
  ///
  /// A run remembers such a record. Later runs read it again when it changes at the provider, once
  /// a day, and after appcore or the description of the list has changed.
  public private(set) var failures: [RowFailure] = []
  private var unreadableIDs: Set<String> = []
  /// The number of records that cannot be read, those included that an earlier run reported.
  public private(set) var failureCount = 0
  /// The number of records without a readable identifier, which nothing can remember.
  private(set) var unidentified = 0
  /// The number of unreadable records that no earlier run has reported.
  var unreported = 0
  /// The time zone in which instants became days.
  public internal(set) var dayZone = DayZone.notNeeded
  /// The scope that the login lacks, so that records lack what it covers; `nil` if none is missing.
  public internal(set) var missingScope: String?
  /// The reason why everything was read again; `nil` if there was none.
  public internal(set) var rereading: Rereading?
  /// The time that the run took.
  public internal(set) var duration: Duration = .zero

  /// The largest number of changes that a dry run reports.
  public static let changesLimit = 10_000
  /// The largest number of fields that a dry run reports with their values, of all changes
  /// together.
  public static let fieldChangesLimit = 50_000
  /// The largest number of unreadable records that a report lists.
  public static let failuresLimit = 100

  init(account: String, resource: Resource, provider: String) {
    self.account = account
    self.resource = resource
    self.provider = provider
  }

  var records: Int { counts.inserted + counts.updated + counts.unchanged + counts.deleted }

  mutating func add(_ page: PageChanges) {
    counts += page.counts
    unreported += page.newlyUnreadable
    for change in page.changes.prefix(Self.changesLimit - changes.count) {
      fieldChanges += change.fields.count
      changes.append(fieldChanges <= Self.fieldChangesLimit ? change : change.withoutFields)
    }
  }

  mutating func add(_ outcome: SweepOutcome) {
    counts.deleted += outcome.deleted
    changes += outcome.changes.prefix(Self.changesLimit - changes.count)
    if outcome.isExcessive {
      excessDeletions = ExcessDeletions(deleted: outcome.deleted, of: outcome.of)
    }
  }

  /// Adds records that could not be read; one that was read twice counts once.
  mutating func add(_ rows: [RowFailure]) {
    let rows = rows.filter { $0.id.map { unreadableIDs.insert($0).inserted } ?? true }
    failureCount += rows.count
    unidentified += rows.count { $0.id == nil }
    failures += rows.prefix(Self.failuresLimit - failures.count)
  }

  /// Drops the records that could not be read, because they are about to be read again.
  mutating func forgetFailures() {
    failures = []
    failureCount = 0
    unidentified = 0
    unreported = 0
    unreadableIDs = []
  }

  /// The number of records that cannot be read and that no earlier run has reported.
  public var newFailureCount: Int { unidentified + unreported }

  /// True if there is one that no earlier run has reported.
  var hasNewFailures: Bool { newFailureCount > 0 }

  /// Replaces the records that could not be read by all that are remembered, of which the run has
  /// read only some.
  mutating func recall(_ records: [UnreadableRecord], of count: Int) {
    failures = failures.filter { $0.id == nil }
    failures += records.prefix(Self.failuresLimit - failures.count).map {
      RowFailure(id: $0.id, path: $0.path, reason: $0.reason)
    }
    failureCount = unidentified + count
  }

  /// Clears the reason for the end, because the run continues.
  mutating func forgetEnding() {
    ending = nil
    if result == .partial { result = .complete }
  }

  mutating func end(_ ending: Ending, retryAt: Timestamp? = nil) {
    self.ending = ending
    self.retryAt = retryAt
    if result == .complete { result = .partial }
  }
}

/// The cause of a failed run, as it is stored for the user.
///
/// Only errors with a code are stored in words: the text of any other may hold anything.
package struct RunCause: Sendable, Equatable {
  /// The code of the error, such as `access-denied`.
  package let code: ErrorCode
  /// A sentence without secrets.
  package let text: String
  package let retryAt: Timestamp?

  package init(_ error: any Error) {
    // The list has no other cursor to begin with.
    let error: any Error = error is CursorExpired ? ResourceSync.listNotFound : error
    let coded = error as? any CodedError
    code = coded?.code ?? .unclassified
    text =
      coded.map(\.description).map { $0 + Self.words(of: error) } ?? "\(type(of: error))"
    retryAt = coded?.retryAt.map(Timestamp.init)
  }

  private static func words(of error: any Error) -> String {
    (error as? any ProviderMessageCarrying)?.providerMessage.map { "; the provider says: \($0)" }
      ?? ""
  }
}

extension SyncReport.Ending {
  package var code: ErrorCode {
    switch self {
    case .unreadable: .unreadableData
    case .rateLimit: .rateLimited
    case .serverBusy: .serverBusy
    case .duration, .limit, .continued: .budgetSpent
    }
  }

  /// The text that is stored with the run, which tells runs apart that spent their budget.
  var storedCode: String { self == .rateLimit ? code.rawValue : rawValue }
}

extension RunRecord {
  /// The reason why the run is partial; `nil` for other runs, and for one of a later version.
  package var ending: SyncReport.Ending? {
    SyncReport.Ending.allCases.first { $0.storedCode == errorCode }
  }
}
