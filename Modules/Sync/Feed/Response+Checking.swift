import Foundation
import HTTPTypes
public import Models
public import Networking

extension Response {
  /// Returns the response where it is a page, else throws what it means for a sync; the feed's
  /// reading of its body comes before its status.
  ///
  /// - Parameter now: the time that the server's waits are counted from.
  /// - Throws: ``SyncError``, ``CursorExpired``.
  package func checked(at now: Timestamp, for feed: some ResourceFeed) throws -> Response {
    switch try feed.failure(in: self) {
    case nil where head.status.code == 304 && feed.traits.usesConditionalRequests: return self
    case nil: return try checked(at: now)
    case .rateLimited(retryAt: nil)?: throw SyncError.rateLimited(retryAt: retryAt(now))
    case let failure?: throw failure
    }
  }

  /// Returns the response where its status is 200, else throws what the status means for a sync.
  private func checked(at now: Timestamp) throws -> Response {
    let status = head.status.code
    switch (status, RetryAfter.seconds(in: head, now: now.date)) {
    case (200, _): return self
    case (401, _): throw SyncError.credentialsRejected
    case (403, _), (404, _): throw SyncError.accessDenied(status: status)
    case (410, _): throw CursorExpired()
    case (429, _), (503, .some):
      throw SyncError.rateLimited(retryAt: retryAt(now))
    default: throw SyncError.serverFailed(status: status)
    }
  }

  /// The time to come back at; without a word from the server in a minute, by which most limits are
  /// counted.
  private func retryAt(_ now: Timestamp) -> Timestamp {
    let seconds = RetryAfter.seconds(in: head, now: now.date) ?? 60
    return now.adding(seconds: Int64(seconds.rounded(.up)))
  }
}

extension Response {
  /// The server's clock when it answered, in whole seconds; `nil` where it does not say.
  package var date: Timestamp? {
    head.headerFields[.date].flatMap(HTTPDate.parse).map { Timestamp($0) }
  }

  /// The time of the answer: by the server's clock, in whole seconds, else by this machine's.
  ///
  /// Rows that are dated ahead of it say nothing of how far a list was read; see ``Page/newest``.
  public var serverTime: Timestamp { date ?? Timestamp(Date()) }
}
