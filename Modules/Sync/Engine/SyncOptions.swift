public import Models

/// The user's settings for syncs, which hold for each run whose options say nothing else.
public struct SyncSettings: Sendable, Equatable {
  /// The largest percentage of the stored records that one run may delete because a complete list
  /// no longer holds them.
  ///
  /// Up to five deletions are always allowed unless the percentage is 0.
  public var maximumDeletedPercent = 20

  /// Creates the settings that apply if the user sets none.
  public init() {}
}

/// The options of one run.
public struct SyncOptions: Sendable {
  /// True to read everything again instead of only the changes.
  ///
  /// The run then deletes records that the list no longer holds.
  public var isFull = false
  /// True to compare everything with the server after reading the changes, and to correct
  /// differences.
  public var verifies = false
  /// The instant since which changes are read, regardless of what was read before.
  ///
  /// It cannot be combined with ``isFull`` or ``verifies``, which read everything.
  public var since: Timestamp?
  /// True to store nothing, and to report what would change.
  public var isDryRun = false
  /// True if the user confirms that the sign-in reads the organisation whose records are stored.
  ///
  /// The confirmation is needed if the server cannot prove it; see
  /// ``SyncError/organisationUnproven(account:holding:)``.
  public var isSameOrganisation = false
  /// The number of records after which the run stops, rounded up to a page.
  public var limit: Int?
  /// The longest time that the run may take.
  public var maximumDuration: Duration?
  /// The longest single wait that the server, or its published limit, may impose; a longer one ends
  /// the run.
  ///
  /// So do waits of three times this length in a row that the server asks for, without another
  /// answer between them, and of sixty times this length in the whole run.
  public var maximumWait = Duration.seconds(60)
  /// The longest wait for another process that syncs the same list; a minute if it is `nil`.
  ///
  /// With zero, the run ends immediately with ``SyncError/alreadyRunning(account:)``.
  public var maximumLockWait: Duration?
  /// The percentage that replaces ``SyncSettings/maximumDeletedPercent`` for this run.
  public var maximumDeletedPercent: Int?
  /// The settings with which the sync was created.
  var settings = SyncSettings()

  /// Creates the options of a plain run.
  public init() {}

  /// Requires options that one run can follow.
  ///
  /// - Throws: ``SyncError/contradictoryOptions(reason:)``.
  func check() throws {
    guard since == nil || !isFull && !verifies else {
      throw SyncError.contradictoryOptions(
        reason: "a sync since an instant cannot read or verify everything")
    }
  }
}
