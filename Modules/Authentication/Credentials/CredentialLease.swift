import Foundation
import HTTPTypes
import Networking
import Synchronization
import SystemSupport

/// The valid token of one account, which any thread reads without entering the actor.
///
/// If all threads shared one token, they would contend for its reference count; its lock is held
/// too briefly to matter. So there are several copies of the header, each with its own storage and
/// lock, and each thread uses one of them.
final class CredentialLease: Sendable {
  /// One copy of the header.
  ///
  /// Its parts are not in an optional, so that reading one does not retain all.
  private struct Copy {
    var field = HTTPField(name: .authorization, value: "")
    var generation = CredentialGeneration(rawValue: 0)
    /// The uptime in nanoseconds from which the token is not sent; 0 before a credential is
    /// installed.
    var endsAt: Int64 = 0
    /// The uptime in nanoseconds from which the token is due for early renewal.
    var renewAt = Int64.max
    /// The number of requests that used this copy since the count was last reset.
    var useCount = 0
  }

  private struct State {
    var generation: CredentialGeneration?
    var endsAt = Int64.max
    /// True while the caller that was chosen to renew the token has not finished.
    var isRenewing = false
  }

  enum Answer {
    /// The header is written; if `isDue`, this caller has to start an early renewal.
    case authorized(CredentialGeneration, isDue: Bool)
    case none
  }

  let scheme: TokenScheme
  private let copies = InlineArray<16, Mutex<Copy>> { _ in Mutex(Copy()) }
  private let state = Mutex(State())
  private let uptime: @Sendable () -> Int64

  init(time: TimeSource, scheme: TokenScheme) {
    self.scheme = scheme
    uptime = time.uptimeNanoseconds
  }

  func authorize(_ request: inout HTTPRequest) -> Answer {
    let now = uptime()
    // Thread identifiers are addresses with similar low bits, so they are mixed first.
    let index = Int((UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    let (generation, isDue) = copies[index].withLock { copy in
      guard now < copy.endsAt else { return (CredentialGeneration?.none, false) }
      request.headerFields.replaceOrAppend(copy.field)
      copy.useCount &+= 1
      return (copy.generation, now >= copy.renewAt)
    }
    guard let generation else { return .none }
    return .authorized(generation, isDue: isDue && claimRenewal())
  }

  /// Returns true for the first of all callers that find a renewal due.
  private func claimRenewal() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isRenewing = true }
      return !state.isRenewing
    }
    if isFirst { change { $0.renewAt = .max } }
    return isFirst
  }

  var generation: CredentialGeneration? { state.withLock { $0.generation } }

  /// The installed generation, if it has expired by this process's clock.
  var expiredGeneration: CredentialGeneration? {
    let now = uptime()
    return state.withLock { now >= $0.endsAt ? $0.generation : nil }
  }

  /// True if the next request after the scheduled time starts an early renewal.
  var isEarlyRenewalScheduled: Bool { state.withLock { !$0.isRenewing } }

  /// Installs a credential.
  ///
  /// Its times are stored as uptime, so that a change of the wall clock does not affect them.
  ///
  /// - Parameters:
  ///   - remaining: the time for which it may be sent; `nil` if its expiry is unknown.
  ///   - renewal: the time until early renewal; `nil` for a renewal after expiry.
  func install(_ credential: Credential, remaining: Duration?, renewal: Duration?) {
    let now = uptime()
    let endsAt = remaining.map { now + $0.nanoseconds } ?? .max
    let field = credential.field(scheme)
    let value = Array(field.value.utf8)
    change { copy in
      // A new string has its own storage.
      copy.field = HTTPField(name: field.name, value: String(decoding: value, as: UTF8.self))
      copy.generation = credential.generation
      copy.endsAt = endsAt
      copy.renewAt = renewal.map { now + $0.nanoseconds } ?? .max
    }
    state.withLock { $0 = State(generation: credential.generation, endsAt: endsAt) }
  }

  /// After a failed early renewal, lets the first caller after `delay` start another.
  func scheduleEarlyRenewal(after delay: Duration) {
    let at = uptime() + delay.nanoseconds
    change { $0.renewAt = at }
    state.withLock { $0.isRenewing = false }
  }

  /// Stops serving this token until a newer one has been looked up.
  func invalidate() {
    change { $0.endsAt = 0 }
  }

  func clear() {
    change { $0 = Copy(useCount: $0.useCount) }
    state.withLock { $0 = State() }
  }

  private func change(_ body: (inout Copy) -> Void) {
    for index in copies.indices { copies[index].withLock { body(&$0) } }
  }

  /// Returns the number of requests that used the lease since the last call.
  func resetUseCount() -> Int {
    var sum = 0
    change { copy in
      sum += copy.useCount
      copy.useCount = 0
    }
    return sum
  }
}

extension HTTPFields {
  /// Sets a field that occurs once, without the arrays that the subscript allocates.
  fileprivate mutating func replaceOrAppend(_ field: HTTPField) {
    if let index = firstIndex(where: { $0.name == field.name }) {
      self[index] = field
    } else {
      append(field)
    }
  }
}
