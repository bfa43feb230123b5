import Foundation
import Models
public import Networking

extension ResourceFeed {
  /// Sends a request of the feed's own, as where a list begins.
  ///
  /// - Returns: the answer where its status is 200 and ``failure(in:)`` sees nothing wrong.
  /// - Throws: ``SyncError`` for what the answer means otherwise; the errors of the session.
  public func answer(to request: Request, over session: Session) async throws -> Response {
    try await session.send(request).checked(at: Timestamp(Date()), for: self)
  }
}
