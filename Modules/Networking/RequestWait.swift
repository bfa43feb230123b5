/// A wait of a request before it is sent, or sent again.
package struct RequestWait: Sendable, Equatable {
  /// The reasons for a wait.
  package enum Reason: Sendable {
    /// The server asked for it.
    case askedByServer
    /// The limit that the provider publishes allows no request yet.
    case publishedLimit
    /// The last attempt failed.
    case failedAttempt
  }

  /// The reason.
  package let reason: Reason
  /// The length of the wait.
  package let duration: Duration
}
