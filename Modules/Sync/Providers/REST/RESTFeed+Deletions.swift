import Models
import Networking
import Storage

/// What was deleted, where the server lists that.
///
/// It is read before the changes: a record that was deleted and made again is among these. A pass through
/// the whole list needs none of it, and only notes when it began.
extension RESTFeed {
  /// A reading of changes that begins with what was deleted since an instant.
  ///
  /// - Parameter instant: `nil`, as in places of before deletions were described, means since the changes.
  func deletedFirst(_ place: RESTPlace, since instant: Timestamp?) -> RESTPlace {
    guard resource.deletedRecords != nil, let instant = instant ?? place.since else { return place }
    var place = place
    place.deletedSince = instant
    place.deletions = RESTDeletedPlace()
    return place
  }

  /// What is looked for among the deleted moves on with each run, and leads to no other records.
  package func begins(at place: RESTPlace, like other: RESTPlace) -> Bool {
    func records(_ place: RESTPlace) -> RESTPlace {
      var place = place
      place.deletedSince = nil
      place.deletions = nil
      return place
    }
    return records(place) == records(other)
  }

  /// The list of what was deleted, and a place in it; `nil` for a place in the list of records.
  func deletedList(at place: RESTPlace) -> (requests: RESTRequests, place: RESTPlace)? {
    guard let position = place.deletions, let since = place.deletedSince,
      let list = resource.deletedRecords
    else { return nil }
    // What a server shows late is looked for again, as among the changes.
    return (requests.of(list), position.place(since: since.adding(seconds: -overlap)))
  }

  func deletedPage(
    _ response: Response, at place: RESTPlace, _ requests: RESTRequests, _ listed: RESTPlace
  ) throws -> FeedPage<Record, RESTPlace> {
    let list = requests.resource
    let raw = try RESTPage(response.body, rows: list.rows)
    var page = RESTRowReader<Record>(list).deleted(raw, resume: place)
    var position = place.deletions ?? RESTDeletedPlace()
    if listed.isFirst { position.horizon = response.date }
    position.newest = [position.newest, page.newest].compactMap(\.self).max()
    page.newest = nil
    let following = try RESTTurn(resource: list, requests: requests).next(
      after: listed, raw, response)
    var next = place
    if let following {
      next.deletions = position.turned(to: following)
    } else {
      next.deletions = nil
      next.deletedSince = [place.deletedSince, position.end].compactMap(\.self).max()
      // Only now: who begins in the midst of it begins at its start.
      page.resume = next
    }
    page.next = next
    return page
  }
}
