public import Models
public import Storage

/// What one run of a sync did.
public struct SyncReport: Sendable {
  /// How a run ended.
  public enum Result: String, Sendable, Codable {
    /// Everything that the server had to tell is stored.
    case complete
    /// What was read is stored; there is more, or a record could not be read.
    case partial
    /// Nothing was stored; this is what would have been.
    case trial = "dry-run"
  }

  /// Why a run ended before everything was stored.
  public enum Ending: String, Sendable, Codable {
    /// A record could not be read.
    case unreadable
    /// The server asked to come back later.
    case rateLimit = "rate-limit"
    /// It took as long as it was allowed to.
    case duration
    /// It read as many records as it was allowed to.
    case limit
    /// It read to its end what an earlier run had begun, of a list that does not tell of changes, and
    /// could not, with what it was allowed to, read all of it once more: what has changed since among
    /// what the earlier run read is not known.
    case continued
  }

  /// The account's name.
  public let account: String
  /// What was synced.
  public let resource: Resource
  /// The provider's name.
  public let provider: String
  /// How it ended.
  public internal(set) var result: Result = .complete
  /// Why it is partial.
  public internal(set) var ending: Ending?
  /// What was changed.
  public internal(set) var counts = ChangeCounts()
  /// What a comparison of everything found, and put right.
  public internal(set) var verification: ChangeCounts?
  /// The changes one by one, with the fields that would be others; of a trial only, and at most
  /// ``changesLimit``, with ``fieldChangesLimit`` fields.
  public internal(set) var changes: [RecordChange] = []
  /// How many fields of all records were told.
  private var fieldChanges = 0
  /// Pages that were stored.
  public internal(set) var pages = 0
  /// Requests to the provider, retries included.
  public internal(set) var requests = 0
  /// Requests that were repeated.
  public internal(set) var retries = 0
  /// Time spent waiting before repeats.
  public internal(set) var waited: Duration = .zero
  /// The newest change that was known before.
  public internal(set) var watermarkBefore: Timestamp?
  /// The newest change that is known now.
  public internal(set) var watermarkAfter: Timestamp?
  /// When to come back, where the run ended before everything was read.
  public internal(set) var retryAt: Timestamp?
  /// The first of the records that could not be read, at most ``failuresLimit``.
  public private(set) var failures: [RowFailure] = []
  /// How many records could not be read.
  public private(set) var failureCount = 0
  /// How long the run took.
  public internal(set) var duration: Duration = .zero

  /// How many changes a trial tells one by one.
  public static let changesLimit = 10_000
  /// How many fields of all changes together are told with what they were and are.
  public static let fieldChangesLimit = 50_000
  /// How many records that could not be read are told one by one.
  public static let failuresLimit = 100

  init(account: String, resource: Resource, provider: String) {
    self.account = account
    self.resource = resource
    self.provider = provider
  }

  /// How many records were looked at.
  var records: Int { counts.inserted + counts.updated + counts.unchanged + counts.deleted }

  mutating func add(_ outcome: PageOutcome) {
    counts += outcome.counts
    for change in outcome.changes.prefix(Self.changesLimit - changes.count) {
      fieldChanges += change.fields.count
      changes.append(fieldChanges <= Self.fieldChangesLimit ? change : change.withoutFields)
    }
  }

  mutating func add(_ outcome: SweepOutcome) {
    counts.deleted += outcome.deleted
    changes += outcome.ids.prefix(Self.changesLimit - changes.count)
      .map { RecordChange(id: $0, kind: .deleted) }
  }

  mutating func add(_ rows: [RowFailure]) {
    failureCount += rows.count
    failures += rows.prefix(Self.failuresLimit - failures.count)
  }

  /// What could not be read is met again.
  mutating func forgetFailures() {
    failures = []
    failureCount = 0
  }

  /// The run goes on after all.
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

/// How far a run has got, for a progress display.
public struct SyncProgress: Sendable {
  /// Pages that are stored.
  public let pages: Int
  /// Records that were read in this run.
  public let records: Int
}
