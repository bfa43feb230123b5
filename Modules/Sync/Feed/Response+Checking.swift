import Foundation
import HTTPTypes
public import Models
public import Networking
import SystemSupport

extension Response {
  /// Returns the response if it is a page; otherwise throws what it means for a sync.
  ///
  /// The feed's reading of the body takes precedence over the status.
  ///
  /// - Parameter now: the time from which the server's waits are counted.
  /// - Throws: ``SyncError``, ``CursorExpired``.
  package func checked(at now: Timestamp, for feed: some ResourceFeed) throws -> Response {
    switch try feed.failure(in: self) {
    case nil where head.status.code == 304 && feed.traits.usesConditionalRequests: return self
    case nil: return try checked(at: now)
    case .rateLimited(retryAt: nil)?: throw SyncError.rateLimited(retryAt: retryAt(now))
    case let failure?: throw failure.saying(providerMessage)
    }
  }

  /// Returns the response if its status is 200, or 204 for an empty list; otherwise throws what the
  /// status means for a sync.
  private func checked(at now: Timestamp) throws -> Response {
    let status = head.status.code
    switch (status, RetryAfter.seconds(in: head, now: now.date)) {
    case (200, _), (204, _):
      // Captive portals and some proxies answer with a page of their own.
      guard body.first(where: { !$0.isASCIISpace }) != UInt8(ascii: "<") else {
        throw SyncError.unreadable(part: "the body", reason: SyncError.webPage)
      }
      return self
    case (401, _): throw SyncError.credentialsRejected(message: providerMessage)
    case (403, _), (404, _): throw SyncError.accessDenied(status: status, message: providerMessage)
    case (410, _): throw CursorExpired()
    case (429, _): throw SyncError.rateLimited(retryAt: retryAt(now))
    case (503, .some): throw SyncError.serverBusy(retryAt: retryAt(now))
    default: throw SyncError.serverFailed(status: status, message: providerMessage)
    }
  }

  /// Returns the time at which to retry: the server's, or else in a minute, since most limits are
  /// counted by the minute.
  private func retryAt(_ now: Timestamp) -> Timestamp {
    let seconds = RetryAfter.seconds(in: head, now: now.date) ?? 60
    return now.adding(seconds: Int64(clamping: seconds, rounding: .up))
  }
}

extension Response {
  /// The server's clock when it answered, in whole seconds; `nil` if the response does not state
  /// it.
  package var date: Timestamp? {
    head.headerFields[.date].flatMap(HTTPDate.parse).map { Timestamp($0) }
  }

  /// The time of the response: by the server's clock, in whole seconds, or else by this machine's.
  ///
  /// A row dated later than this does not show how far a list was read; see ``Page/newest``.
  public var serverTime: Timestamp { date ?? Timestamp(Date()) }
}

extension UInt8 {
  fileprivate var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
