import Foundation
import SecureStore
import Synchronization

/// A store with its own identity over a shared one; a test can make it fail.
final class TestStore: SecretStore {
  private struct Failure {
    var error: SecretStoreError?
    /// The number of writes that still succeed; `nil` if reads fail too.
    var writesLeft: Int?
  }

  let backing: InMemorySecretStore
  let identity = UUID().uuidString
  private let failure = Mutex(Failure())

  init(backing: InMemorySecretStore) { self.backing = backing }

  /// Fails every call from now on; `nil` repairs the store.
  func fail(_ error: SecretStoreError?) {
    failure.withLock { $0 = Failure(error: error) }
  }

  /// Fails every write but the next few.
  func failWrites(_ error: SecretStoreError, after count: Int = 0) {
    failure.withLock { $0 = Failure(error: error, writesLeft: count) }
  }

  private func check(isWrite: Bool) throws {
    try failure.withLock { failure in
      guard let error = failure.error else { return }
      guard let left = failure.writesLeft else { throw error }
      guard isWrite else { return }
      guard left > 0 else { throw error }
      failure.writesLeft = left - 1
    }
  }

  func secret(for key: SecretKey) async throws -> Secret? {
    try check(isWrite: false)
    return try await backing.secret(for: key)
  }
  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try check(isWrite: true)
    try await backing.store(secret, for: key, label: label)
  }
  func removeSecret(for key: SecretKey) async throws -> Bool {
    try check(isWrite: true)
    return try await backing.removeSecret(for: key)
  }
  func unlock() async throws {}
  func checkAvailability() async throws -> SecretStoreDescription {
    try await backing.checkAvailability()
  }
}
