import Foundation
import SecureStore

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
          .post(.signedOut(loginID: credential.loginID))
      }
      let wasThere = try await credentials.remove(account)
      SealedPair(account: account, folder: lockFolder).remove()
      return wasThere
    }
  }
}
