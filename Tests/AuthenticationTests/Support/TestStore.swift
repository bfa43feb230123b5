import Foundation
import SecureStore
import Synchronization

/// A store with its own identity over a shared one; a test can make it fail.
final class TestStore: SecretStore {
  private struct Failure {
    var error: SecretStoreError?
    /// The number of writes that still succeed; `nil` if reads fail too.
    var writesLeft: Int?
    /// The number of reads that still succeed, where only one read fails; writes succeed then.
    var readsLeft: Int?
  }

  let backing: InMemorySecretStore
  let identity = UUID().uuidString
  /// Holds reads back while a test acts.
  let reads = CallGate()
  /// Holds writes back while a test acts; removals pass.
  let writes = CallGate()
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

  /// Fails the one read after the next few.
  func failRead(_ error: SecretStoreError, after count: Int) {
    failure.withLock { $0 = Failure(error: error, readsLeft: count) }
  }

  private func check(isWrite: Bool) throws {
    try failure.withLock { failure in
      guard let error = failure.error else { return }
      if let left = failure.readsLeft {
        guard !isWrite else { return }
        failure.readsLeft = left - 1
        guard left > 0 else {
          failure = Failure()
          throw error
        }
        return
      }
      guard let left = failure.writesLeft else { throw error }
      guard isWrite else { return }
      guard left > 0 else { throw error }
      failure.writesLeft = left - 1
    }
  }

  func secret(for key: SecretKey) async throws -> Secret? {
    await reads.pass()
    try check(isWrite: false)
    return try await backing.secret(for: key)
  }
  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    await writes.pass()
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
