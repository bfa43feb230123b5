public import Models

/// What a caller asks of one run.
public struct SyncOptions: Sendable {
  /// Whether everything is read again instead of what has changed.
  ///
  /// What is not in the list any more is deleted then.
  public var isFull = false
  /// Whether, after what has changed, everything is compared with the server and put right.
  public var verifies = false
  /// Reads what has changed since then, whatever was read before.
  public var since: Timestamp?
  /// Whether nothing is stored, and only told what would be.
  public var isTrial = false
  /// Whether a sign-in that cannot be proved reads the organisation whose records are stored: the user's
  /// answer, where the server does not tell; see ``SyncError/organisationUnproven(account:holding:)``.
  public var isSameOrganisation = false
  /// How many records are read at the most, rounded up to a page.
  public var limit: Int?
  /// How long the run may take.
  public var maximumDuration: Duration?
  /// How long the server, or its published limit, may make the run wait in one go.
  public var maximumWait = Duration.seconds(60)
  /// The largest percentage of what is stored that one run may delete because a complete list no longer
  /// holds it; up to five records may go unless it is 0.
  ///
  /// `nil` takes what the sync was made with: the user's setting.
  public var maximumDeletedPercent: Int?
  /// The percentage where nobody sets another.
  public static let defaultMaximumDeletedPercent = 20

  /// Creates the options of a plain run.
  public init() {}
}
