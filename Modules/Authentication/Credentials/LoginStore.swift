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

  func remove() async throws -> Bool {
    let wasThere = try await credentials.remove(account.name)
    sealed.remove()
    return wasThere
  }

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

/// The secure store as a store of accounts' records; it throws this module's errors.
struct CredentialStore: Sendable {
  let store: any SecretStore
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

  func remove(_ account: String) async throws -> Bool {
    try await translatingErrors(account) { try await store.removeSecret(for: key(account)) }
  }

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

/// The stored logins of accounts that share another account's login by now.
///
/// Nothing uses such a login. It stays until the user removes it: an account that stops sharing
/// uses it again.
struct UnusedLogins: Sendable {
  let credentials: CredentialStore
  let lockFolder: String

  private static let lockTimeout = Duration.seconds(10)

  /// Returns whether an account has a login of its own, also one that cannot be read.
  func contains(_ account: String) async throws -> Bool {
    do {
      return try await credentials.record(of: account) != nil
    } catch AuthenticationError.signInRequired(_, .unreadable, _) {
      return true
    } catch AuthenticationError.secretStoreUnavailable(_, .duplicate) {
      return true
    }
  }

  /// Removes an account's own login; `false` if there was none.
  ///
  /// A process with an earlier configuration may use it, so the removal takes the lock and posts
  /// the notice, as a sign-out does.
  func remove(_ account: String) async throws -> Bool {
    guard try await contains(account) else { return false }
    let lock = LoginLock(account: account, folder: lockFolder, timeout: Self.lockTimeout)
    return try await lock.withLock {
      if let credential = try? await credentials.record(of: account)?.credential {
        LoginNotice(account: account, folder: lockFolder)
          .postSignOut(loginID: credential.loginID)
      }
      let wasThere = try await credentials.remove(account)
      SealedPair(account: account, folder: lockFolder).remove()
      return wasThere
    }
  }

  /// Stores an account's login under another name, and removes it then; `false` if there is none.
  ///
  /// Both locks are held, so that no process spends a token of it between the two steps. A process
  /// with the earlier name sees a sign-out.
  func move(_ former: String, to name: String) async throws -> Bool {
    guard try await contains(former) else { return false }
    let locks = [former, name].map {
      LoginLock(account: $0, folder: lockFolder, timeout: Self.lockTimeout)
    }
    return try await locks[0].withLock {
      try await locks[1].withLock {
        guard var record = try await credentials.record(of: former) else { return false }
        let sealed = SealedPair(account: former, folder: lockFolder)
        if let stored = record.credential, let key = record.pendingExchange?.key,
          let found = sealed.record(key), let pair = found.credential, pair.isNewer(than: stored),
          (found.server, found.clientID) == (record.server, record.clientID)
        {
          record.content = .active(pair)
          record.pendingExchange = nil
        }
        let existing = try await credentials.record(of: name)
        guard
          existing?.credential == nil
            || existing?.credential?.loginID == record.credential?.loginID
        else { throw LoginTaken() }
        // An earlier attempt may have stored it, and a renewal may have followed.
        if existing.map({ $0.generation.rawValue < record.generation.rawValue }) ?? true {
          try await credentials.save(record, for: name)
          if let credential = record.credential {
            LoginNotice(account: name, folder: lockFolder).postMove(of: credential)
          }
        }
        LoginNotice(account: former, folder: lockFolder)
          .postSignOut(loginID: record.credential?.loginID ?? "")
        _ = try await credentials.remove(former)
        sealed.remove()
        return true
      }
    }
  }
}

/// The other name of a moved login has a login of its own.
package struct LoginTaken: Error {}
