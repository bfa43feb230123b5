import Networking

extension Authenticator {
  /// Waits for renewals under way and tries once more to store what could not be stored.
  ///
  /// A process calls it before it ends: an exchange that is cut off loses the login.
  ///
  /// - Parameter timeout: how long to wait at the most.
  /// - Throws: ``AuthenticationError/notSaved(account:underlying:)`` where credentials exist that
  ///   only this process has.
  public func drain(timeout: Duration = .seconds(20)) async throws {
    // A process that was told to end calls this from work that is cancelled, and it is then that it
    // matters: so it is done in a task of its own.
    try await Task { try await self.drainWithoutCancellation(timeout: timeout) }.value
  }

  private func drainWithoutCancellation(timeout: Duration) async throws {
    let flights = entries.values.compactMap(\.flight)
    if !flights.isEmpty {
      _ = try await time.bounded(by: timeout) {
        for flight in flights { _ = try? await flight.value() }
      }
    }
    for name in entries.keys.sorted() {
      metrics.used(entries[name]?.lease.takeUses() ?? 0, account: name)
      guard let unsaved = entries[name]?.unsaved else { continue }
      await save(name)
      if entries[name]?.unsaved != nil {
        throw AuthenticationError.notSaved(account: name, underlying: unsaved.reason)
      }
    }
  }
}
