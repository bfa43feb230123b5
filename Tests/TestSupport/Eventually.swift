/// Asks again until it is so, for what has no gate to wait at: another process, a server's count.
///
/// - Throws: ``NeverCame`` after `limit`, so that a test fails rather than hangs;
///   `CancellationError` where the test's own time is up.
package func eventually(
  _ what: String, within limit: Duration = Patience.limit, _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  var pause = Duration.milliseconds(2)
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw NeverCame(what: what) }
    try await Task.sleep(for: pause)
    // Hundreds that ask all the time would keep what they wait for from coming.
    pause = min(pause * 2, .milliseconds(50))
  }
}

/// The expected condition did not come true.
package struct NeverCame: Error, CustomStringConvertible {
  let what: String
  package var description: String { "waited in vain: \(what)" }
}
