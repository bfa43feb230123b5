import HTTPTypes
import Networking
import Synchronization

/// The valid token of one account, readable from anywhere without entering the actor.
///
/// The header is written while the token is borrowed inside the lock: copying it out would make
/// every caller contend on one reference count.
final class CredentialLease: Sendable {
  private struct Entry {
    let field: HTTPField
    let generation: CredentialGeneration
    /// Uptime from which on it is no longer sent; `nil` without a known end.
    let endsAt: Duration?
    /// Uptime at which somebody should renew it ahead of need; `nil` once somebody was told to.
    var renewAt: Duration?
    /// Whether another process has stored something newer.
    var isSuperseded = false
  }

  private struct State {
    var entry: Entry?
    /// How often a request got its header here, since it was last asked.
    var hits = 0
  }

  /// What a request found.
  enum Answer {
    /// The header is written; where `isDue`, this caller is the one to start a renewal.
    case authorized(CredentialGeneration, isDue: Bool)
    /// There is no valid token.
    case none
  }

  private let state = Mutex(State())
  private let uptime: @Sendable () -> Duration

  init(time: TimeSource) {
    uptime = time.uptime
  }

  /// Writes the `Authorization` header where there is a valid token.
  func authorize(_ request: inout HTTPRequest) -> Answer {
    let now = uptime()
    return state.withLock { state in
      guard let entry = state.entry, !entry.isSuperseded, entry.endsAt.map({ now < $0 }) ?? true
      else { return .none }
      request.headerFields[fields: .authorization] = [entry.field]
      state.hits += 1
      let isDue = entry.renewAt.map { now >= $0 } ?? false
      if isDue { state.entry?.renewAt = nil }
      return .authorized(entry.generation, isDue: isDue)
    }
  }

  /// The generation that is held, valid or not.
  var generation: CredentialGeneration? { state.withLock { $0.entry?.generation } }

  /// The generation that is held and whose time is up by this process's own clock.
  var endedGeneration: CredentialGeneration? {
    let now = uptime()
    return state.withLock { state in
      guard let entry = state.entry, let endsAt = entry.endsAt, now >= endsAt else { return nil }
      return entry.generation
    }
  }

  /// Whether the next request that comes late enough starts a renewal ahead of need.
  var isArmed: Bool { state.withLock { $0.entry?.renewAt != nil } }

  /// Takes a credential; its times are kept in uptime, so that a wall clock that is set does
  /// nothing to them.
  ///
  /// - Parameters:
  ///   - remaining: how long it may be sent; `nil` without a known end.
  ///   - renewal: how long until somebody should renew it; `nil` leaves that to its end.
  func install(
    _ credential: Credential, remaining: Duration?, renewal: Duration?
  ) {
    let now = uptime()
    let new = Entry(
      field: HTTPField(name: .authorization, value: credential.authorizationHeader),
      generation: credential.generation, endsAt: remaining.map { now + $0 },
      renewAt: renewal.map { now + $0 })
    state.withLock { $0.entry = new }
  }

  /// Lets the next caller after `delay` start a renewal ahead of need, after one has failed.
  func rearm(after delay: Duration) {
    let at = uptime() + delay
    state.withLock { $0.entry?.renewAt = at }
  }

  /// Sends nobody this token any more before somebody has looked for a newer one.
  func supersede() {
    state.withLock { $0.entry?.isSuperseded = true }
  }

  func clear() {
    state.withLock { $0.entry = nil }
  }

  /// How often a request got its header here since the last call.
  func takeHits() -> Int {
    state.withLock { state in
      defer { state.hits = 0 }
      return state.hits
    }
  }
}
