import Networking
package import SystemSupport

/// What a drain waits for.
package enum DrainedWork: Sendable, Equatable {
  /// A renewal whose exchange has begun.
  case renewal(account: String)
  /// A login that is in memory only, or is just being stored.
  case unsavedLogin(account: String)
}

extension Authenticator {
  /// Refuses exchanges from now on; a renewal whose exchange has begun goes on.
  package nonisolated func refuseExchanges() {
    admission.close()
  }

  /// Waits for exchanges under way and tries once more to store what could not be stored.
  ///
  /// A process calls it before it ends: an exchange that is cut off loses the login. From then on no
  /// exchange begins; a renewal that has not come to its exchange ends with
  /// ``AuthenticationError/temporarilyUnavailable(account:retryAt:underlying:)``.
  ///
  /// - Parameter timeout: how long to wait at the most; `nil` is as long as an exchange can take.
  /// - Throws: ``AuthenticationError/notSaved(account:underlying:)`` where credentials exist that
  ///   only this process has.
  public func drain(timeout: Duration? = nil) async throws {
    try await drain(timeout: timeout, hurried: SharedOutcome()) { _ in }
  }

  /// Drains as ``drain(timeout:)`` does.
  ///
  /// - Parameters:
  ///   - hurried: from its success on, nothing is waited for but exchanges under way.
  ///   - onWaiting: called when the drain begins to wait for something.
  package func drain(
    timeout: Duration? = nil, hurried: SharedOutcome<Void>,
    onWaiting: @escaping @Sendable (DrainedWork) -> Void
  ) async throws {
    refuseExchanges()
    // A process that was told to end calls this from work that is cancelled, and it is then that it
    // matters: so it is done in a task of its own.
    try await Task {
      try await drainWithoutCancellation(
        // The exchange, and reading and storing in a keyring that is slow.
        timeout: timeout ?? session.configuration.timeout.request + .seconds(20), hurried, onWaiting
      )
    }.value
  }

  private func drainWithoutCancellation(
    timeout: Duration, _ hurried: SharedOutcome<Void>, _ onWaiting: @Sendable (DrainedWork) -> Void
  ) async throws {
    let exchanges = admission.underWay
    abandonFlights(except: Set(exchanges.map(\.account)))
    for account in Set(exchanges.map(\.account)).sorted() { onWaiting(.renewal(account: account)) }
    let flights = entries.values.compactMap { entry in
      exchanges.contains { $0.account == entry.account.name } ? entry.flight : nil
    }
    if !exchanges.isEmpty {
      _ = try await time.bounded(by: timeout) {
        for exchange in exchanges { try? await exchange.end.value() }
        for flight in flights { _ = try? await flight.value() }
      }
    }
    for name in entries.keys.sorted() {
      metrics.used(entries[name]?.lease.takeUses() ?? 0, account: name)
      try await drainUnsaved(name, hurried, onWaiting)
    }
  }

  /// Ends the renewals whose exchange has not begun, and sign-ins that wait for somebody.
  private func abandonFlights(except accounts: Set<String>) {
    for (name, entry) in entries {
      let error = AuthenticationError.temporarilyUnavailable(
        account: name, retryAt: nil, underlying: AuthenticatorClosing())
      if entry.storingSignIn == nil { entry.signIn?.end(error) }
      // One that uses the lock of an unsaved pair is no more than a look at the store.
      guard let flight = entry.flight, let renewal = entry.renewal, !accounts.contains(name),
        entry.unsaved == nil
      else { continue }
      entries[name]?.flight = nil
      entries[name]?.renewal = nil
      renewal.cancel()
      flight.resolve(.failure(error))
    }
  }

  /// Waits for a sign-in that is being stored, and stores a pair that could not be stored before.
  private func drainUnsaved(
    _ name: String, _ hurried: SharedOutcome<Void>, _ onWaiting: @Sendable (DrainedWork) -> Void
  ) async throws {
    if let signIn = entries[name]?.storingSignIn, signIn.join() {
      onWaiting(.unsavedLogin(account: name))
      await hurried.unlessResolved { _ = try? await signIn.value() }
    }
    guard let unsaved = entries[name]?.unsaved else { return }
    onWaiting(.unsavedLogin(account: name))
    await hurried.unlessResolved { await self.save(name) }
    if entries[name]?.unsaved != nil {
      throw AuthenticationError.notSaved(account: name, underlying: unsaved.reason)
    }
  }
}
