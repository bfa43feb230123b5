public import Models
import Networking
import SystemSupport

/// An event in the progress of a run, for a display.
public enum SyncProgress: Sendable, Equatable {
  /// Another process syncs the same list; the run begins when that one has ended.
  case waitingForProcess(LockWait)
  /// The run has begun, and nothing has arrived yet.
  case connecting(provider: String)
  /// Requests wait; those that are already under way continue.
  case waiting(Wait)
  /// Records are stored.
  case stored(Position)
  /// Everything that was read is stored; the search index is brought up to date.
  case indexing
  /// The run has ended, and its report says how; a run that throws has no such event.
  case finished(SyncReport.Result)

  /// A wait between requests.
  public struct Wait: Sendable, Equatable {
    /// The reasons for a wait.
    public enum Reason: String, Sendable {
      /// The server asked for it.
      case rateLimit = "rate-limit"
      /// The limit that the provider publishes allows no request yet.
      case publishedLimit = "published-limit"
      /// The server failed or could not be reached.
      case retry
    }

    /// The reason.
    public let reason: Reason
    /// The length of the wait.
    public let duration: Duration
    /// The end of the wait.
    public let end: Timestamp

    package init(reason: Reason, duration: Duration, from now: Timestamp) {
      self.reason = reason
      self.duration = duration
      end = Timestamp(
        microsecondsSinceEpoch: now.microsecondsSinceEpoch + duration.nanoseconds / 1_000)
    }

    init(_ wait: RequestWait, from now: Timestamp) {
      let reason: Reason =
        switch wait.reason {
        case .askedByServer: .rateLimit
        case .publishedLimit: .publishedLimit
        case .failedAttempt: .retry
        }
      self.init(reason: reason, duration: wait.duration, from: now)
    }
  }

  /// The position of a run in the list that it reads: the whole list at first, later the changes.
  ///
  /// Records count whether or not they change a stored one, so the numbers are not those of rows.
  public struct Position: Sendable, Equatable {
    /// The number of pages that this run has stored.
    public let pages: Int
    /// The number of records that this run has read.
    public let records: Int
    /// The number of records of the list that are read, by this run and those that it continues.
    public let position: Int
    /// The number of records of the list, if the provider says it.
    public let total: Int?
    /// The number of records per second, lately; `nil` at the beginning.
    public let recordsPerSecond: Double?
    /// The time until the list is read, if the total and the pace are known.
    public let timeRemaining: Duration?

    package init(
      pages: Int, records: Int, position: Int, total: Int? = nil,
      recordsPerSecond: Double? = nil, timeRemaining: Duration? = nil
    ) {
      self.pages = pages
      self.records = records
      self.position = position
      self.total = total
      self.recordsPerSecond = recordsPerSecond
      self.timeRemaining = timeRemaining
    }
  }
}

/// A process that holds the lock of a sync, and the wait for it.
public struct LockWait: Sendable, Equatable {
  /// The process; `nil` if the system does not list it.
  public let processID: Int32?
  /// The time since when it holds the lock, if it is known.
  public let since: Timestamp?
  /// The longest wait for it.
  public let limit: Duration

  package init(processID: Int32?, since: Timestamp?, limit: Duration) {
    self.processID = processID
    self.since = since
    self.limit = limit
  }

  init(for path: String, atMost limit: Duration) {
    self.init(
      processID: FileLock.holder(of: path),
      since: FileLock.notedTime(of: path).map { Timestamp($0) },
      limit: limit)
  }
}

/// The position of a run in its list, and its pace, for a display.
struct ListPosition {
  private static let window = Duration.seconds(15)
  /// The largest number of records that a server is believed to have: sums of it always fit.
  private static let most = 1 << 40

  private var samples: [(at: Duration, records: Int)]
  /// The number of records that the run had read when the pass began.
  private var before = 0
  /// The number of records that earlier runs have read of the same pass.
  private var earlier = 0
  private var total: Int?

  /// - Parameter start: the uptime at which the run began.
  init(startedAt start: Duration = .zero) {
    samples = [(start, 0)]
  }

  mutating func begin(after records: Int, earlier: Int) {
    before = records
    self.earlier = earlier
    total = nil
  }

  /// Takes the number of records in the list, if a page states it.
  ///
  /// The last pages of a pass may list changes alone, and state their number; the largest number is
  /// that of the list.
  ///
  /// - Parameter isOfRest: true if the number leaves out what earlier runs have read.
  mutating func lists(_ count: Int?, isOfRest: Bool = false) {
    let count = count.map { (isOfRest ? earlier : 0) + min(max($0, 0), Self.most) }
    total = [total, count].compactMap(\.self).max()
  }

  mutating func expects(_ count: Int, after records: Int) {
    total = records - before + earlier + count
  }

  /// Returns the position after a number of pages and records.
  mutating func stored(pages: Int, records: Int, at now: Duration) -> SyncProgress.Position {
    samples.append((now, records))
    while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
    let pace = pace
    let position = records - before + earlier
    let total = total.map { max($0, position) }
    let remaining = total.flatMap { total in
      pace.map { Duration.seconds((Double(total - position) / $0).rounded()) }
    }
    return SyncProgress.Position(
      pages: pages, records: records, position: position, total: total,
      recordsPerSecond: pace, timeRemaining: remaining)
  }

  /// The number of records per second; `nil` if it is too early to say.
  private var pace: Double? {
    guard let first = samples.first, let last = samples.last, last.records > first.records,
      last.at - first.at >= .milliseconds(500)
    else { return nil }
    return Double(last.records - first.records) / ((last.at - first.at) / .seconds(1))
  }
}
