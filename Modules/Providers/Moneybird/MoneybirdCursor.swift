import Models
import Sync

/// A cursor in Moneybird's list of sales invoices, which comes in one reply.
package struct MoneybirdCursor: Codable, Sendable, Equatable {
  /// The administration, `id` in `GET /api/v2/administrations.json`.
  let administrationID: String
  /// Only what changed after this is listed; `nil` lists everything.
  var since: Timestamp?
}
