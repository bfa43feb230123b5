import Foundation
import Networking
import SecureStore
import SystemSupport

/// The journal of exchanges: the stored entry of an earlier one, and the entry of this one.
///
/// The entry is part of the record, so one write proves that the store can be written and records
/// which token is in danger.
struct ExchangeJournal: Sendable {
  let store: LoginStore
  let environment: RenewalEnvironment
  let record: CredentialRecord

  private var time: TimeSource { environment.time }

  /// Returns true if an earlier exchange of the same token was interrupted.
  func isReplay(of token: Secret) -> Bool {
    record.pendingExchange?.isAbout(token) ?? false
  }

  /// Waits until a replay is safe, or refuses it.
  ///
  /// - Throws: ``RenewalPostponed`` while the access token still works and a replay could end the
  ///   login; ``AuthenticationError/signInRequired(account:reason:message:)`` if the server forbids
  ///   replays.
  func settleReplay(for reason: RenewalReason) async throws {
    guard let pending = record.pendingExchange else { return }
    let age = time.wall().timeIntervalSince(pending.startedAt)
    switch store.account.replay {
    // A negative age shows that the clock was set back: the grace may be over.
    case .accepted(let grace) where age >= 0 && age < grace / .seconds(1): break
    case .accepted, .refused:
      if reason == .expiringSoon { throw RenewalPostponed() }
    case .forbidden:
      if reason == .expiringSoon { throw RenewalPostponed() }
      throw store.signInRequired(.interruptedRenewal)
    }
    // The last request may still be on its way; to send the token now could itself be the reuse. If
    // the clock was set back, its age is unknown, and the wait is the longest one.
    let limit = environment.exchangeLimit / .seconds(1)
    let sinceLast = time.wall().timeIntervalSince(pending.lastSentAt)
    if pending.isAnswered != true, sinceLast < limit {
      try await time.sleep(.seconds(min(limit, limit - sinceLast)))
    }
  }

  /// Refuses to ask a server that has recently refused three times without a known reason.
  ///
  /// - Throws: ``AuthenticationError/signInRequired(account:reason:message:)``.
  func checkRefusals() throws {
    guard let refusals = record.refusals, refusals.count >= 3,
      abs(time.wall().timeIntervalSince(refusals.lastAt)) < 600
    else { return }
    throw store.signInRequired(.refusedWithoutReason, record.message)
  }

  func begin(_ token: Secret, of credential: Credential) async throws -> CredentialRecord {
    var entry = record
    entry.content = .active(credential)
    // An exchange of the same token keeps the key, since an earlier one may still seal its pair.
    let earlier = isReplay(of: token) ? record.pendingExchange : nil
    entry.pendingExchange = .init(
      token, at: time.wall(), firstAt: earlier?.startedAt, key: earlier?.key ?? SealingKey())
    try await store.save(entry)
    return entry
  }

  /// Records what a failed exchange proves about the token, and returns its error.
  func failed(
    _ entry: CredentialRecord, _ error: any Error, _ report: WriteReport?, isReplay: Bool,
    for reason: RenewalReason
  ) async -> any Error {
    var entry = entry
    var result = error
    if let error = error as? TokenEndpointError {
      if error.isDefinite, !isReplay {
        // The server has not acted on the request, so the token is still unspent.
        entry.pendingExchange = nil
      } else {
        entry.pendingExchange?.isAnswered = true
      }
      // Some servers refuse a renewal while the access token still works.
      if case .unexplained(let refusal) = error, reason != .expiringSoon {
        let count = (record.refusals?.count ?? 0) + 1
        entry.refusals = .init(count: count, lastAt: time.wall(), message: refusal.message?.text)
        if count >= 3 {
          result = store.signInRequired(.refusedWithoutReason, refusal.message)
        }
      }
    } else if await report?.isUnwritten() == true {
      // No server has seen this request, so the entry is restored.
      entry.pendingExchange = isReplay ? record.pendingExchange : nil
    } else {
      return error
    }
    await environment.record(store) { try await $0.save(entry) }
    return result
  }
}

/// An early renewal that is postponed, because a replay could end a login that still works.
///
/// An earlier exchange was interrupted, and it is unknown if it reached the server.
struct RenewalPostponed: Error, CustomStringConvertible {
  var description: String {
    "an earlier renewal was interrupted; appcore retries when the access token expires"
  }
}
