import Foundation
import Models
import Networking
import Sync

extension Session {
  /// Sends the requests of a feed as a run does.
  func ask(for feed: some ResourceFeed) -> Ask {
    { try await self.send($0).checked(at: Timestamp(Date()), for: feed) }
  }
}
