import HTTPTypes
import Models
import Networking
import Sync

/// Responses to a request for changes, and state that later readings need.
extension RESTFeed {
  /// Returns the empty page for the response that nothing has changed (RFC 9110 section 15.4.5).
  ///
  /// - Throws: ``SyncError/serverFailed(status:message:)`` if the request did not ask for changes:
  /// an empty
  ///   list would delete everything.
  func unchanged(at cursor: RESTCursor) throws -> Page<[Record], RESTCursor> {
    guard cursor.since != nil, cursor.isFirst else { throw SyncError.serverFailed(status: 304) }
    return Page(resume: cursor.order == .byPages ? cursor.restarted : cursor.moved(to: nil))
  }

  /// Returns the instants at which a record may have changed twice and been fetched in between;
  /// `nil` if there are none.
  ///
  /// Such a record is listed again because it changed close to the end of the last reading.
  func unsettled(at cursor: RESTCursor) -> ClosedRange<Timestamp>? {
    guard let floor = cursor.floor, let form = resource.changes.watermark?.form else { return nil }
    let end = floor.adding(seconds: overlap + 2 * form.unit)
    let start = cursor.settled?.adding(seconds: -form.unit) ?? floor
    return start <= end ? start...end : nil
  }

  /// Returns a page of the list of records with the state that later readings need.
  func remembering(
    _ page: Page<[Record], RESTCursor>, at cursor: RESTCursor, _ response: Response
  ) -> Page<[Record], RESTCursor> {
    var page = page
    if resource.detail != nil {
      let began = cursor.began ?? response.date
      page.next?.began = began
      page.next?.settled = cursor.settled
      page.resume.began = page.next == nil ? nil : began
      page.resume.settled = page.next == nil ? began ?? cursor.settled : cursor.settled
    }
    if resource.deletedRecords != nil {
      let since = cursor.deletedSince ?? response.date ?? page.newest
      page.next?.deletedSince = since
      page.resume.deletedSince = since
    }
    return page
  }
}
