package import Logging
import SystemSupport

extension Session {
  /// Creates a session that shares an account's limits with the account's other sessions.
  ///
  /// - Parameter sharedLimits: the shared limits. Each session's configuration states the rates;
  ///   sessions with the same rates are counted together.
  package convenience init(
    name: String, configuration: SessionConfiguration, authorizer: any RequestAuthorizer,
    observer: (@Sendable (HTTPExchange) -> Void)?, logger: Logger, sharedLimits: SharedLimits
  ) {
    self.init(
      name: name, configuration: configuration, authorizer: authorizer, observer: observer,
      logger: logger, sharedLimits: sharedLimits, time: .system)
  }

  /// The limit that ``waiting(atMost:_:)`` sets for the requests of a task.
  @TaskLocal static var maximumWait: Duration?

  /// Limits each wait of the requests that a piece of work sends, in any session.
  ///
  /// A request's own ``Request/maximumWait`` takes precedence. This is for work that creates its
  /// requests itself and does not know its caller.
  package static func waiting<Value>(
    atMost limit: Duration, _ work: () async throws -> Value
  ) async rethrows -> Value {
    try await $maximumWait.withValue(limit) { try await work() }
  }
}
