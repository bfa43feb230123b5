/// Asks again until it is so, for what has no gate to wait at: another process, a server's count.
///
/// - Throws: ``NeverCame`` after `limit`, so that a test fails rather than hangs.
package func eventually(
  _ what: String, within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw NeverCame(what: what) }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// What was waited for did not come.
package struct NeverCame: Error, CustomStringConvertible {
  let what: String
  package var description: String { "waited in vain: \(what)" }
}
