import HTTPTypes
import Models
import Networking
import Sync

/// What a server answers to who asks for changes, other than a page of them.
extension RESTFeed {
  /// The page of a server that says that nothing has changed (RFC 9110 section 15.4.5).
  ///
  /// - Throws: ``SyncError/serverFailed(status:)`` where it was not asked that: an empty list would
  ///   have everything deleted.
  func unchanged(at cursor: RESTCursor) throws -> Page<[Record], RESTCursor> {
    guard cursor.since != nil, cursor.isFirst else { throw SyncError.serverFailed(status: 304) }
    return Page(resume: cursor.order == .byPages ? cursor.restarted : cursor.moved(to: nil))
  }

  /// When what is listed again, for it was near the end of the last reading, may have changed twice
  /// within the same instant, and been asked for in between; `nil` where that cannot be.
  func unsettled(at cursor: RESTCursor) -> ClosedRange<Timestamp>? {
    guard let floor = cursor.floor, let form = resource.changes.watermark?.form else { return nil }
    let end = floor.adding(seconds: overlap + 2 * form.unit)
    let start = cursor.settled?.adding(seconds: -form.unit) ?? floor
    return start <= end ? start...end : nil
  }

  /// A page of the list of records, with what later readings have to know of this one.
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
