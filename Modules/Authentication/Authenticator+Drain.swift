import Networking
import Synchronization
package import SystemSupport

/// Work that a drain waits for.
package enum DrainedWork: Sendable, Equatable {
  /// A renewal whose exchange has begun.
  case renewal(account: String)
  /// A login that is only in memory, or is being stored.
  case unsavedLogin(account: String)
}

extension Authenticator {
  /// Refuses exchanges from now on; a renewal whose exchange has begun continues.
  package nonisolated func refuseExchanges() {
    context.admission.close()
  }

  /// Lets another authenticator of this process use the store, unless an exchange is in progress.
  ///
  /// Call it after a drain: this authenticator may still be referred to by tasks that are ending.
  package nonisolated func releaseStore() {
    if context.admission.isClosed, context.admission.underWay.isEmpty { context.claim.release() }
  }

  /// Waits for exchanges in progress, and tries once more to store logins that could not be stored.
  ///
  /// Call it before the process ends: an interrupted exchange loses the login. From then on, no
  /// exchange begins; a renewal that has not reached its exchange ends with
  /// ``AuthenticationError/temporarilyUnavailable(account:retryAt:underlying:)``.
  ///
  /// - Parameter timeout: the longest wait; `nil` means as long as an exchange can take.
  /// - Throws: ``AuthenticationError/notSaved(accounts:underlying:)`` if only this process has the
  ///   credentials of some accounts; ``AuthenticationError/keptSealed(accounts:underlying:)`` if
  ///   the next process stores them.
  public func drain(timeout: Duration? = nil) async throws {
    try await drain(
      timeout: timeout, savingLimit: timeout ?? context.session.configuration.exchangeLimit,
      hurried: SharedOutcome()
    ) { _ in }
  }

  /// Drains as ``drain(timeout:)`` does.
  ///
  /// - Parameters:
  ///   - savingLimit: the longest time to store a login that the process would take with it; `nil`
  ///     means until it is hurried.
  ///   - hurried: once it succeeds, the drain waits only for exchanges in progress.
  ///   - onWaiting: called when the drain begins to wait for something.
  package func drain(
    timeout: Duration? = nil, savingLimit: Duration? = nil, hurried: SharedOutcome<Void>,
    onWaiting: @escaping @Sendable (DrainedWork) -> Void
  ) async throws {
    refuseExchanges()
    // A process that is asked to end calls this from a cancelled task, so the work has its own
    // task.
    try await Task {
      try await drainWithoutCancellation(
        // The exchange, and a slow keyring's reading and storing.
        timeout: timeout ?? context.session.configuration.exchangeLimit + .seconds(20),
        savingLimit, hurried, onWaiting)
    }.value
  }

  private func drainWithoutCancellation(
    timeout: Duration, _ savingLimit: Duration?, _ hurried: SharedOutcome<Void>,
    _ onWaiting: @Sendable (DrainedWork) -> Void
  ) async throws {
    let exchanges = context.admission.underWay
    let exchanging = Set(exchanges.map(\.account))
    let sorted = logins.values.sorted { $0.name < $1.name }
    var flights: [SharedOutcome<Credential>] = []
    for login in sorted {
      let isExchanging = exchanging.contains(login.name)
      if let flight = await login.stopBeforeExchange(isExchanging: isExchanging) {
        flights.append(flight)
      }
    }
    for account in exchanging.sorted() { onWaiting(.renewal(account: account)) }
    if !exchanges.isEmpty {
      _ = try await context.time.bounded(by: timeout) { [flights] in
        for exchange in exchanges { try? await exchange.end.value() }
        for flight in flights { _ = try? await flight.value() }
      }
    }
    var unsaved: [(account: String, failure: RenewalOutcome.Unsaved)] = []
    for login in sorted {
      guard let failure = await login.drainUnsaved(hurried, limit: savingLimit, onWaiting)
      else { continue }
      unsaved.append((login.name, failure))
    }
    let lost = unsaved.filter { !$0.failure.seal.isWritten }
    if let first = lost.first {
      throw AuthenticationError.notSaved(
        accounts: lost.map(\.account), underlying: first.failure.reason)
    }
    if let first = unsaved.first {
      throw AuthenticationError.keptSealed(
        accounts: unsaved.map(\.account), underlying: first.failure.reason)
    }
  }
}

/// The list of exchanges in progress; it admits new ones until the authenticator is drained.
final class ExchangeAdmission: Sendable {
  private struct State {
    var isClosed = false
    var nextID = 0
    var exchanges: [Int: Exchange] = [:]
  }

  struct Exchange: Sendable {
    fileprivate let id: Int
    let account: String
    /// Resolved when the exchange is over and its result is stored.
    let end = SharedOutcome<Void>()
  }

  private let state = Mutex(State())

  /// Registers an exchange.
  ///
  /// - Throws: ``AuthenticatorClosing`` after ``close()``.
  func begin(_ account: String) throws -> Exchange {
    try state.withLock { state in
      guard !state.isClosed else { throw AuthenticatorClosing() }
      state.nextID += 1
      let exchange = Exchange(id: state.nextID, account: account)
      state.exchanges[exchange.id] = exchange
      return exchange
    }
  }

  func end(_ exchange: Exchange) {
    state.withLock { _ = $0.exchanges.removeValue(forKey: exchange.id) }
    exchange.end.resolve(.success(()))
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  var underWay: [Exchange] { state.withLock { Array($0.exchanges.values) } }
}

/// The refusal of new exchanges while the process ends.
struct AuthenticatorClosing: Error, CustomStringConvertible {
  var description: String { "the program is shutting down" }
}
