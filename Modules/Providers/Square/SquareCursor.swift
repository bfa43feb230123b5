import Sync

/// A cursor in the lists of a merchant's invoices, of which each location has one.
package struct SquareCursor: Codable, Sendable, Equatable {
  /// The merchant, `merchant_id` in `GET /v2/locations`.
  let merchantID: String
  /// The one location that was asked for, where one was.
  let wanted: String?
  /// The locations whose invoices are read, one after the other.
  let locations: [String]
  /// Which of them is being read.
  private(set) var index = 0
  /// Where its next page begins; `nil` at its first.
  private(set) var pageToken: String?
  /// Whether a list had more than one page so far, so that a row can have moved between two.
  private(set) var spansPages = false
  /// Whether all of it is being read for the second time.
  var isSecondReading = false

  init(merchantID: String, wanted: String?, locations: [String]) {
    self.merchantID = merchantID
    self.wanted = wanted
    self.locations = locations
  }

  /// The location that is being read.
  var location: String? { locations.indices.contains(index) ? locations[index] : nil }

  /// The cursor behind a page, which says where the next one of the same location begins.
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
