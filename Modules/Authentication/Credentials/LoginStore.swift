import Foundation
import Networking
import SecureStore

/// The stored login of one account: its record in the secure store, its lock, and its notice.
///
/// Renewal, sign-in, sign-out and status all reach the stored login through it.
struct LoginStore: Sendable {
  let account: Account
  let lock: LoginLock
  let notice: LoginNotice
  /// The file that holds a renewed pair until it is stored here.
  let sealed: SealedPair

  private let credentials: CredentialStore

  init(
    account: Account, credentials: CredentialStore, lockFolder: String, lockTimeout: Duration
  ) {
    self.account = account
    self.credentials = credentials
    lock = LoginLock(account: account.name, folder: lockFolder, timeout: lockTimeout)
    notice = LoginNotice(account: account.name, folder: lockFolder)
    sealed = SealedPair(account: account.name, folder: lockFolder)
  }

  /// Returns the stored record, whatever its state.
  func record() async throws -> CredentialRecord? {
    try await credentials.record(of: account.name)
  }

  /// Returns the record of a login that requests may use; `nil` if there is none.
  ///
  /// - Throws: ``AuthenticationError/signInRequired(account:reason:message:)`` if the login has
  ///   ended, or was made with another server, client or API.
  func activeRecord() async throws -> CredentialRecord? {
    guard let record = try await record() else { return nil }
    guard record.belongs(to: account) else { throw signInRequired(.otherServer) }
    switch record.content {
    case .ended(_, _, let reason): throw signInRequired(reason, record.message)
    // A late write can bring back a record that a sign-out removed.
    case .active(let credential): return isSignedOut(credential) ? nil : record
    }
  }

  func save(_ record: CredentialRecord) async throws {
    try await credentials.save(record, for: account.name)
  }

  /// Stores a credential as the account's login, with no exchange pending.
  func save(_ credential: Credential) async throws {
    try await save(CredentialRecord(.active(credential), of: account))
    sealed.remove()
  }

  /// Removes the record; `false` if there was none.
  func remove() async throws -> Bool {
    let wasThere = try await credentials.remove(account.name)
    sealed.remove()
    return wasThere
  }

  /// Renames a store that cannot be read at all, and returns its new name.
  func quarantineDamagedStore() async throws -> String? {
    try await credentials.quarantineDamagedStore(account.name)
  }

  /// True if the credential's login was signed out and not signed in again since.
  func isSignedOut(_ credential: Credential) -> Bool {
    notice.read() == .signedOut(loginID: credential.loginID)
  }

  func signInRequired(
    _ reason: AuthenticationError.SignInReason, _ message: ProviderMessage? = nil
  ) -> AuthenticationError {
    .signInRequired(account: account.name, reason: reason, message: message)
  }
}
