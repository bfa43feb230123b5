import Networking

@testable import Authentication

/// Short ways to the account that the tests use.
extension Authenticator {
  /// The account `default`.
  nonisolated var defaultLogin: AccountLogin? { try? login("default") }

  func credential(
    for name: String, reason: RenewalReason = .tokenNeeded
  ) async throws -> Credential {
    try await login(name).credential(for: reason)
  }

  func renewEarly(_ name: String) async {
    await (try? login(name))?.renewEarly()
  }

  func replaceCredential(
    for name: String, rejected: CredentialGeneration
  ) async throws -> Bool {
    try await login(name).replaceCredential(rejected: rejected)
  }

  nonisolated func lockPath(for name: String) throws -> String {
    try login(name).store.lock.path
  }
}
