import Sync

/// A cursor in the lists of a merchant's invoices; each location has one list.
package struct SquareCursor: FeedCursor {
  /// The merchant: `merchant_id` in `GET /v2/locations`.
  let merchantID: String
  /// The one location to read; `nil` means all.
  let wanted: String?
  /// The locations whose invoices are read, in order.
  let locations: [String]
  /// The time zones of these locations; `nil` in cursors of an earlier version.
  let timeZones: [String: String]?
  /// Index of the location that is being read.
  private(set) var index = 0
  /// Token of the location's next page; `nil` for the first page.
  private(set) var pageToken: String?
  /// True if a list had several pages so far, so that a row may have moved between two.
  private(set) var spansPages = false
  /// True if everything is being read for the second time.
  var isSecondReading = false

  init(
    merchantID: String, wanted: String?, locations: [String], timeZones: [String: String]? = nil
  ) {
    self.merchantID = merchantID
    self.wanted = wanted
    self.locations = locations
    self.timeZones = timeZones
  }

  /// The location that is being read; `nil` after the last one.
  var location: String? { locations.indices.contains(index) ? locations[index] : nil }

  /// The time zone of the location that is being read.
  var timeZone: String? { location.flatMap { timeZones?[$0] } }

  /// Returns the cursor after a page, given the token of the same location's next page.
  func next(pageToken: String?) -> SquareCursor? {
    var cursor = self
    cursor.pageToken = pageToken
    if pageToken != nil {
      cursor.spansPages = true
    } else {
      cursor.index += 1
    }
    return cursor.location == nil ? nil : cursor
  }
}
