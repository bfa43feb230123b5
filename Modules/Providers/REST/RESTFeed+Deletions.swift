import Models
import Networking
import Storage
import Sync

/// What was deleted, where the server lists that.
///
/// It is read before the changes: a record that was deleted and made again is among these. A pass
/// through the whole list needs none of it, and only notes when it began.
extension RESTFeed {
  /// A reading of changes that begins with what was deleted since an instant.
  ///
  /// - Parameter instant: `nil`, as in cursors of before deletions were described, means since the
  ///   changes.
  func deletedFirst(_ cursor: RESTCursor, since instant: Timestamp?) -> RESTCursor {
    guard resource.deletedRecords != nil, let instant = instant ?? cursor.since else {
      return cursor
    }
    var cursor = cursor
    cursor.deletedSince = instant
    cursor.deletions = RESTDeletedCursor()
    return cursor
  }

  /// The cursor in the list of deletions moves on with each run, and leads to no other records.
  package func startsAtSameRecord(_ cursor: RESTCursor, as other: RESTCursor) -> Bool {
    func records(_ cursor: RESTCursor) -> RESTCursor {
      var cursor = cursor
      cursor.deletedSince = nil
      cursor.deletions = nil
      return cursor
    }
    return records(cursor) == records(other)
  }

  /// The list of what was deleted, and a cursor in it; `nil` for a cursor in the list of records.
  func deletedList(at cursor: RESTCursor) -> (requests: RESTRequests, cursor: RESTCursor)? {
    guard let position = cursor.deletions, let since = cursor.deletedSince,
      let list = resource.deletedRecords
    else { return nil }
    // What a server shows late is looked for again, as among the changes.
    return (requests.of(list), position.cursor(since: since.adding(seconds: -overlap)))
  }

  func deletedPage(
    _ response: Response, at cursor: RESTCursor, _ requests: RESTRequests, _ listed: RESTCursor
  ) throws -> Page<[Record], RESTCursor> {
    let list = requests.resource
    let raw = try RESTPage(response.body, rows: list.rows)
    var page = RESTRowReader<Record>(list).deleted(raw, resume: cursor)
    var position = cursor.deletions ?? RESTDeletedCursor()
    if listed.isFirst { position.horizon = response.date }
    position.newest = [position.newest, page.newest].compactMap(\.self).max()
    page.newest = nil
    let following = try RESTTurn(resource: list, requests: requests).next(
      after: listed, raw, response)
    var next = cursor
    if let following {
      next.deletions = position.turned(to: following)
    } else {
      next.deletions = nil
      next.deletedSince = [cursor.deletedSince, position.end].compactMap(\.self).max()
      // Only now: who begins in the midst of it begins at its start.
      page.resume = next
    }
    page.next = next
    return page
  }
}
