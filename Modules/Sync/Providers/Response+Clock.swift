import Foundation
import HTTPTypes
import Models
import Networking

extension Response {
  /// The server's clock when it answered, in whole seconds; `nil` where it does not say.
  var date: Timestamp? { head.headerFields[.date].flatMap(HTTPDate.parse).map { Timestamp($0) } }

  /// When it was answered: the server's own word, else this machine's.
  var serverTime: Timestamp { date ?? Timestamp(Date()) }
}
