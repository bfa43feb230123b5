import Models
import Sync

/// A cursor in the lists of a Stripe account.
package struct StripeCursor: FeedCursor {
  /// The list that is read.
  enum Step: String, Codable {
    /// The whole list, newest first.
    case list = "invoices"
    /// The events, newest first.
    case events
  }

  /// The account, `acct_…`; `nil` if the key may not read it.
  let accountID: String?
  /// The account that the configuration names, on whose behalf requests are sent (Stripe Connect).
  let onBehalfOf: String?
  /// True for a live key; `nil` if the key was not checked or the server did not show its kind.
  var isLive: Bool?
  /// False if the key may not read events, so that each sync reads the whole list.
  var hasEvents: Bool?
  /// The time zone that the account states, empty if it states none; `nil` if it was not asked, as
  /// in cursors of an earlier version, whose rows have days in UTC.
  var timeZone: String?
  /// False if the key may not read ``StripeList/optionalExpansions``; `nil` if it was not asked.
  var mayExpand: Bool?
  var step: Step
  /// For the whole list: the latest time of creation to read.
  var until: Timestamp?
  /// Identifier of the row before the page.
  var after: String?
  /// For events: the earliest time to read; the effects of all earlier events are stored.
  var since: Timestamp
  /// Server time at which the first page of the events was requested.
  var askedAt: Timestamp?

  init(accountID: String?, onBehalfOf: String?, step: Step, since: Timestamp) {
    self.accountID = accountID
    self.onBehalfOf = onBehalfOf
    self.step = step
    self.since = since
  }

  /// Seconds before the start of a run that are read again: an event may be listed late.
  static let overlap: Int64 = 300

  /// Returns the cursor of a pass through the events since an instant, or since ``since``.
  func events(since instant: Timestamp? = nil) -> StripeCursor {
    var cursor = StripeCursor(
      accountID: accountID, onBehalfOf: onBehalfOf, step: .events, since: instant ?? since)
    cursor.isLive = isLive
    cursor.timeZone = timeZone
    cursor.mayExpand = mayExpand
    return cursor
  }

  /// The start of the events: they are read from the newest back, and a cursor at an older event
  /// would miss newer ones.
  package var retryStart: StripeCursor {
    switch step {
    case .list: self
    case .events: events()
    }
  }

  func advanced(after id: String) -> StripeCursor {
    var cursor = self
    cursor.after = id
    return cursor
  }
}
