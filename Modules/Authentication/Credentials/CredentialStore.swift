import Foundation
import SecureStore

/// The secure store as a store of accounts' records; it throws this module's errors.
struct CredentialStore: Sendable {
  let store: any SecretStore
  /// The program whose logins these are.
  let service: String

  init(store: any SecretStore, service: String = Authenticator.defaultService) {
    (self.store, self.service) = (store, service)
  }

  /// A text that is the same for two values that reach the same logins.
  var identity: String {
    service == Authenticator.defaultService
      ? store.identity : "\(store.identity), service \(service)"
  }

  func record(of account: String) async throws -> CredentialRecord? {
    let secret = try await translatingErrors(account) { try await store.secret(for: key(account)) }
    guard let secret else { return nil }
    do {
      return try CredentialRecord(secret)
    } catch {
      // The record stays: a newer version of the program may have written it.
      throw AuthenticationError.signInRequired(account: account, reason: .unreadable)
    }
  }

  func save(_ record: CredentialRecord, for account: String) async throws {
    let secret = try record.encoded()
    try await translatingErrors(account) {
      try await store.store(secret, for: key(account), label: "\(service): login of \(account)")
    }
  }

  /// Removes an account's record; `false` if there was none.
  func remove(_ account: String) async throws -> Bool {
    try await translatingErrors(account) { try await store.removeSecret(for: key(account)) }
  }

  /// Renames a store that cannot be read at all, and returns its new name.
  func quarantineDamagedStore(_ account: String) async throws -> String? {
    try await translatingErrors(account) { try await store.quarantineDamaged() }
  }

  private func key(_ account: String) -> SecretKey {
    SecretKey(service: service, account: account)
  }

  private func translatingErrors<Value>(
    _ account: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as SecretStoreError {
      throw AuthenticationError.secretStoreUnavailable(account: account, underlying: error)
    }
  }
}
