import HTTPTypes
import Models
import Networking

/// What a server answers to who asks for changes, other than a page of them.
extension RESTFeed {
  /// The page of a server that says that nothing has changed (RFC 9110 section 15.4.5).
  ///
  /// - Throws: ``SyncError/serverFailed(status:)`` where it was not asked that: an empty list would have
  ///   everything deleted.
  func unchanged(at place: RESTPlace) throws -> FeedPage<Record, RESTPlace> {
    guard place.since != nil, place.isFirst else { throw SyncError.serverFailed(status: 304) }
    return FeedPage(resume: place.order == .byPages ? place.restarted : place.moved(to: nil))
  }
}
