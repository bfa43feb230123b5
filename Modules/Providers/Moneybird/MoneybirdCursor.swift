import Models
import Sync

/// A cursor in Moneybird's list of sales invoices, which is a single response.
package struct MoneybirdCursor: FeedCursor {
  /// The administration: `id` in `GET /api/v2/administrations.json`.
  let administrationID: String
  /// Instant from which on changes are listed; `nil` lists everything.
  var since: Timestamp?
}
