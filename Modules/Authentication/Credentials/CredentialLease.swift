import Foundation
import HTTPTypes
import Networking
import Synchronization
import SystemSupport

/// The valid token of one account, readable from anywhere without entering the actor.
///
/// What many callers would contend for is neither the lock, which is held for some instructions, nor
/// the token, but the count of references to it. So there are several copies of the header, each with
/// a storage and a lock of its own, and a thread keeps to one.
final class CredentialLease: Sendable {
  /// One copy of the header.
  ///
  /// Its parts stand side by side, not in an optional, so that looking at them takes no reference.
  private struct Copy {
    var field = HTTPField(name: .authorization, value: "")
    var generation = CredentialGeneration(rawValue: 0)
    /// Uptime in nanoseconds from which on it is not sent; nothing is before a credential is installed.
    var endsAt: Int64 = 0
    /// Uptime in nanoseconds at which somebody should renew it ahead of need.
    var renewAt = Int64.max
    /// How often a request got its header here, since it was last asked.
    var uses = 0
  }

  /// What is known of the credential as a whole.
  private struct State {
    var generation: CredentialGeneration?
    var endsAt = Int64.max
    /// Whether somebody was told to renew it and has not come back.
    var isRenewing = false
  }

  /// What a request found.
  enum Answer {
    /// The header is written; where `isDue`, this caller is the one to start a renewal.
    case authorized(CredentialGeneration, isDue: Bool)
    /// There is no valid token.
    case none
  }

  /// How the token is shown.
  let scheme: TokenScheme
  private let copies = InlineArray<16, Mutex<Copy>> { _ in Mutex(Copy()) }
  private let state = Mutex(State())
  private let uptime: @Sendable () -> Int64

  init(time: TimeSource, scheme: TokenScheme) {
    self.scheme = scheme
    uptime = time.uptimeNanoseconds
  }

  /// Writes the header that shows the token, where there is a valid one.
  func authorize(_ request: inout HTTPRequest) -> Answer {
    let now = uptime()
    // Thread identifiers are addresses: their low bits are alike, so they are mixed first.
    let index = Int((UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    let (generation, isDue) = copies[index].withLock { copy in
      guard now < copy.endsAt else { return (CredentialGeneration?.none, false) }
      request.headerFields.replaceOrAppend(copy.field)
      copy.uses &+= 1
      return (copy.generation, now >= copy.renewAt)
    }
    guard let generation else { return .none }
    return .authorized(generation, isDue: isDue && takeRenewal())
  }

  /// Of all callers that find a renewal due, one is to start it.
  private func takeRenewal() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isRenewing = true }
      return !state.isRenewing
    }
    if isFirst { change { $0.renewAt = .max } }
    return isFirst
  }

  /// The generation that is held, valid or not.
  var generation: CredentialGeneration? { state.withLock { $0.generation } }

  /// The generation that is held and whose time is up by this process's own clock.
  var endedGeneration: CredentialGeneration? {
    let now = uptime()
    return state.withLock { now >= $0.endsAt ? $0.generation : nil }
  }

  /// Whether the next request that comes late enough starts a renewal ahead of need.
  var isArmed: Bool { state.withLock { !$0.isRenewing } }

  /// Takes a credential.
  ///
  /// Its times are kept in uptime, so that a wall clock that is set does nothing to them.
  ///
  /// - Parameters:
  ///   - remaining: how long it may be sent; `nil` without a known end.
  ///   - renewal: how long until somebody should renew it; `nil` leaves that to its end.
  func install(_ credential: Credential, remaining: Duration?, renewal: Duration?) {
    let now = uptime()
    let endsAt = remaining.map { now + $0.nanoseconds } ?? .max
    let field = credential.field(scheme)
    let value = Array(field.value.utf8)
    change { copy in
      // A text that is made anew has a storage of its own.
      copy.field = HTTPField(name: field.name, value: String(decoding: value, as: UTF8.self))
      copy.generation = credential.generation
      copy.endsAt = endsAt
      copy.renewAt = renewal.map { now + $0.nanoseconds } ?? .max
    }
    state.withLock { $0 = State(generation: credential.generation, endsAt: endsAt) }
  }

  /// Lets the next caller after `delay` start a renewal ahead of need, after one has failed.
  func rearm(after delay: Duration) {
    let at = uptime() + delay.nanoseconds
    change { $0.renewAt = at }
    state.withLock { $0.isRenewing = false }
  }

  /// Sends nobody this token any more before somebody has looked for a newer one.
  func supersede() {
    change { $0.endsAt = 0 }
  }

  func clear() {
    change { $0 = Copy(uses: $0.uses) }
    state.withLock { $0 = State() }
  }

  private func change(_ body: (inout Copy) -> Void) {
    for index in copies.indices { copies[index].withLock { body(&$0) } }
  }

  /// How often a request got its header here since the last call.
  func takeUses() -> Int {
    var sum = 0
    change { copy in
      sum += copy.uses
      copy.uses = 0
    }
    return sum
  }
}

extension HTTPFields {
  /// Sets a field that comes once, without the lists that the subscript makes for it.
  fileprivate mutating func replaceOrAppend(_ field: HTTPField) {
    if let index = firstIndex(where: { $0.name == field.name }) {
      self[index] = field
    } else {
      append(field)
    }
  }
}
