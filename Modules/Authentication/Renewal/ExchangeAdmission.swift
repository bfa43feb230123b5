import Networking
import Synchronization
import SystemSupport

/// The list of exchanges in progress; it admits new ones until the authenticator is drained.
final class ExchangeAdmission: Sendable {
  private struct State {
    var isClosed = false
    var nextID = 0
    var exchanges: [Int: Exchange] = [:]
  }

  /// An exchange that has begun.
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

  /// Removes an exchange that is over.
  func end(_ exchange: Exchange) {
    state.withLock { _ = $0.exchanges.removeValue(forKey: exchange.id) }
    exchange.end.resolve(.success(()))
  }

  /// Refuses exchanges from now on.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The exchanges in progress.
  var underWay: [Exchange] { state.withLock { Array($0.exchanges.values) } }
}

/// The refusal of new exchanges while the process ends.
struct AuthenticatorClosing: Error, CustomStringConvertible {
  var description: String { "the program is shutting down" }
}
