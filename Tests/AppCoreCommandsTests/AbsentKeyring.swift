import Foundation
import SecureStore

/// A keyring where there is none, as on a server.
struct AbsentKeyring: SecretStore {
  private static let error = SecretStoreError.unavailable(reason: .noBus)

  // Each test has its own: a process has one authenticator for a store.
  let identity = UUID().uuidString
  func secret(for key: SecretKey) async throws -> Secret? { throw Self.error }
  func store(_ secret: Secret, for key: SecretKey, label: String) async throws { throw Self.error }
  func removeSecret(for key: SecretKey) async throws -> Bool { throw Self.error }
  func quarantineDamaged() async throws -> String? { throw Self.error }
  func unlock() async throws { throw Self.error }
  func checkAvailability() async throws -> SecretStoreDescription { throw Self.error }
}
