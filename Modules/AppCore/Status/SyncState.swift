public import Models
public import Storage

/// The state of an account's sync of one resource.
public struct SyncState: Sendable {
  /// The states of a run.
  public enum Run: String, Sendable {
    /// A process is at work.
    case running
    /// Everything that the provider lists is stored.
    case complete
    /// A part is stored; the run ended in order.
    case partial
    /// An error ended the run.
    case failed
    /// The user, or the system, asked the run to stop.
    case interrupted
    /// The process was killed, or the machine went down.
    case died
  }

  /// A run with its state now.
  public struct RecordedRun: Sendable {
    /// The run as the database holds it.
    public let record: RunRecord
    /// The state of the run.
    public let state: Run
  }

  /// The resource.
  public let resource: Resource
  /// The number of stored records that the provider still lists.
  public let stored: Int
  /// The records that the provider lists and that cannot be read, at most 100.
  public let unreadable: [UnreadableRecord]
  /// The number of records that the provider lists and that cannot be read.
  public let unreadableCount: Int
  /// The latest runs, the newest first.
  public let runs: [RecordedRun]
}
