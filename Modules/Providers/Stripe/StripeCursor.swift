import Models
import Sync

/// A cursor in the lists of a Stripe account.
package struct StripeCursor: Codable, Sendable, Equatable {
  /// What is read.
  enum Step: String, Codable {
    /// All invoices, the newest first.
    case invoices
    /// What has happened, the newest first.
    case events
  }

  /// The account, `acct_…`.
  let accountID: String
  /// The account as it was named in the configuration, to act for; see Stripe on Connect.
  let onBehalfOf: String?
  /// Whether the key is a live one; absent where that was not asked, or could not be told.
  var isLive: Bool?
  var step: Step
  /// Of invoices: those that were made at this instant or earlier.
  var until: Timestamp?
  /// The row before the page.
  var after: String?
  /// Of events: those at this instant or later, which all that happened before is known to be
  /// stored.
  var since: Timestamp
  /// When the first page of the events was asked for, by the server's clock.
  var askedAt: Timestamp?

  init(accountID: String, onBehalfOf: String?, step: Step, since: Timestamp) {
    self.accountID = accountID
    self.onBehalfOf = onBehalfOf
    self.step = step
    self.since = since
  }

  /// How far back is read again at the begin of a run: an event may be listed later than it
  /// happened.
  static let overlap: Int64 = 300

  /// The events since, as a pass of its own.
  func events(since instant: Timestamp? = nil) -> StripeCursor {
    var cursor = StripeCursor(
      accountID: accountID, onBehalfOf: onBehalfOf, step: .events, since: instant ?? since)
    cursor.isLive = isLive
    return cursor
  }

  func turned(after id: String) -> StripeCursor {
    var cursor = self
    cursor.after = id
    return cursor
  }
}
