import Foundation
import HTTPTypes
public import Models
public import Networking

extension Response {
  /// The server's clock when it answered, in whole seconds; `nil` where it does not say.
  package var date: Timestamp? {
    head.headerFields[.date].flatMap(HTTPDate.parse).map { Timestamp($0) }
  }

  /// When it was answered: the server's own word, in whole seconds, else this machine's.
  ///
  /// Rows that are dated ahead of it say nothing of how far a list was read; see ``FeedPage/newest``.
  public var serverTime: Timestamp { date ?? Timestamp(Date()) }
}
