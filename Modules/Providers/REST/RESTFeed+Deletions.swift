import Models
import Networking
import Storage
import Sync

/// The reading of deleted records, if the server lists them.
///
/// Deletions are read before changes: a record that was deleted and created again is among the
/// changes. A pass through the whole list does not need the deletions and only stores when it
/// began.
extension RESTFeed {
  /// Returns the cursor of a reading of changes that begins with the records deleted since an
  /// instant.
  ///
  /// - Parameter instant: `nil` means the start of the changes, as in cursors that were stored
  ///   before the description had deletions.
  func deletedFirst(_ cursor: RESTCursor, since instant: Timestamp?) -> RESTCursor {
    guard resource.deletedRecords != nil, let instant = instant ?? cursor.since else {
      return cursor
    }
    var cursor = cursor
    cursor.deletedSince = instant
    cursor.deletions = RESTDeletedCursor()
    return cursor
  }

  /// Returns the list of deleted records and a cursor in it; `nil` for a cursor in the list of
  /// records.
  func deletedList(at cursor: RESTCursor) -> (requests: RESTRequests, cursor: RESTCursor)? {
    guard let position = cursor.deletions, let since = cursor.deletedSince,
      let list = resource.deletedRecords
    else { return nil }
    // The overlap covers deletions that the server shows late, as it does for changes.
    return (requests.of(list), position.cursor(since: since.adding(seconds: -overlap)))
  }

  func deletedPage(
    _ response: Response, at cursor: RESTCursor, _ requests: RESTRequests, _ listed: RESTCursor
  ) throws -> Page<[Record], RESTCursor> {
    let list = requests.resource
    let raw = try RESTPage(response, of: list, isFirst: listed.isFirst)
    var page = try RESTRowReader<Record>(list).deleted(raw, resume: cursor)
    var position = cursor.deletions ?? RESTDeletedCursor()
    if listed.isFirst { position.horizon = response.date }
    position.newest = [position.newest, page.newest].compactMap(\.self).max()
    page.newest = nil
    let following = try RESTPageStep(resource: list, requests: requests).next(
      after: listed, raw, response)
    var next = cursor
    if let following {
      position.go(to: following)
      next.deletions = position
    } else {
      next.deletions = nil
      next.deletedSince = [cursor.deletedSince, position.end].compactMap(\.self).max()
      // Only the last page advances `deletedSince`: until then, a new run for changes reads the
      // whole list of deletions again.
      page.resume = next
    }
    page.next = next
    return page
  }
}

/// A cursor in the list of deleted records.
struct RESTDeletedCursor: RESTPosition, Codable, Sendable, Equatable {
  var number = 0
  var mark: String?
  var passed: String?
  var compared: String?
  var emptyPages: Int?
  var horizon: Timestamp?
  var newest: Timestamp?

  /// Value of ``RESTCursor/deletedSince`` after the whole list was read.
  ///
  /// The list may lack records that were deleted after the reading began.
  var end: Timestamp? { horizon ?? newest }

  func cursor(since: Timestamp) -> RESTCursor {
    var cursor = RESTCursor(order: .byPages, since: since)
    cursor.go(to: self)
    return cursor
  }
}
