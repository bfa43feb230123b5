public import Models

/// The options of one run.
public struct SyncOptions: Sendable {
  /// Whether everything is read again instead of what has changed; records that the list no longer
  /// holds are deleted then.
  public var isFull = false
  /// Whether, after what has changed, everything is compared with the server and corrected.
  public var verifies = false
  /// The instant since which changes are read, whatever was read before.
  public var since: Timestamp?
  /// Whether nothing is stored, and the report says what would change.
  public var isDryRun = false
  /// Whether a sign-in that cannot be proved reads the organisation whose records are stored: the
  /// user's answer, where the server cannot say; see
  /// ``SyncError/organisationUnproven(account:holding:)``.
  public var isSameOrganisation = false
  /// The number of records after which the run stops, rounded up to a page.
  public var limit: Int?
  /// The longest that the run may take.
  public var maximumDuration: Duration?
  /// The longest single wait that the server, or its published limit, may impose; a longer one ends
  /// the run.
  public var maximumWait = Duration.seconds(60)
  /// The largest percentage of the stored records that one run may delete because a complete list
  /// no longer holds them; up to five are always allowed unless it is 0.
  ///
  /// `nil` takes the percentage that the sync was created with: the user's setting.
  public var maximumDeletedPercent: Int?
  /// The percentage that applies where the user sets none.
  public static let defaultMaximumDeletedPercent = 20

  /// Creates the options of a plain run.
  public init() {}
}
