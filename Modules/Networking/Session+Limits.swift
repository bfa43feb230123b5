package import Logging
import SystemSupport

extension Session {
  /// Creates a session that keeps to an account's limits together with the account's other
  /// sessions.
  ///
  /// - Parameter sharedLimits: what they share; how often is said by each session's configuration,
  ///   and those that say the same are counted as one.
  package convenience init(
    name: String, configuration: SessionConfiguration, authorizer: any RequestAuthorizer,
    observer: (@Sendable (HTTPExchange) -> Void)?, logger: Logger, sharedLimits: SharedLimits
  ) {
    self.init(
      name: name, configuration: configuration, authorizer: authorizer, observer: observer,
      logger: logger, sharedLimits: sharedLimits, time: .system)
  }

  /// The bound that ``waiting(atMost:_:)`` sets for the requests of a task.
  @TaskLocal static var maximumWait: Duration?

  /// Bounds each wait of the requests that a piece of work sends, of whatever session, and that
  /// have no ``Request/maximumWait`` of their own.
  ///
  /// For work that makes its requests itself, and knows nothing of who waits for it.
  package static func waiting<Value>(
    atMost limit: Duration, _ work: () async throws -> Value
  ) async rethrows -> Value {
    try await $maximumWait.withValue(limit) { try await work() }
  }
}
