extension Session {
  /// What ``waiting(atMost:_:)`` says to the requests of a task.
  @TaskLocal static var maximumWait: Duration?

  /// Bounds each wait of the requests that a piece of work sends, of whatever session, and that have no
  /// ``Request/maximumWait`` of their own.
  ///
  /// For work that makes its requests itself, and knows nothing of who waits for it.
  package static func waiting<Value>(
    atMost limit: Duration, _ work: () async throws -> Value
  ) async rethrows -> Value {
    try await $maximumWait.withValue(limit) { try await work() }
  }
}
