import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

extension AccountLogin {
  /// The longest wait for the server at a sign-out, for each request.
  static let revocationTimeout = Duration.seconds(10)

  func signOut(delegate: (any AuthenticationDelegate)?) async throws -> SignOutReport {
    let latest = latest
    let removed = try await forgetLogin()
    // Tokens of another server or client are not sent to this one.
    guard let record = removed.record, let stored = record.credential, record.isIssued(to: account)
    else {
      return SignOutReport(wasSignedIn: removed.wasThere, isRevoked: false)
    }
    // A pair that could not be stored is the valid one.
    let credential = latest.flatMap { $0.isNewer(than: stored) ? $0 : nil } ?? stored
    let timeout = Self.revocationTimeout
    guard let endpoint = try? await time.bounded(by: timeout, { try await self.endpoint() })
    else {
      return SignOutReport(wasSignedIn: true, isRevoked: false)
    }
    let isRevoked = try? await time.bounded(by: timeout) { await endpoint.revoke(credential) }
    if let page = endpoint.server.endSessionEndpoint {
      try? await delegate?.showSignOutPage(page)
    }
    return SignOutReport(wasSignedIn: true, isRevoked: isRevoked ?? false)
  }

  func reset() async throws {
    _ = try await forgetLogin()
  }

  private func forgetLogin() async throws -> (record: CredentialRecord?, wasThere: Bool) {
    let (flight, signIn) = (flight, signInTask)
    signOuts += 1
    forget()
    let error = store.signInRequired(.signedOut)
    flight?.resolve(.failure(error))
    signIn?.end(error)
    let removed = try await removeRecord()
    log.debug("signed out", metadata: ["account": "\(name)"])
    if removed.wasThere { reportDirectly(.signedOut) }
    return removed
  }

  /// Removes the record under the lock, or without it if another process keeps the lock too long.
  ///
  /// A renewal in progress there finds the login removed, and revokes the pair that it receives.
  private func removeRecord() async throws -> (record: CredentialRecord?, wasThere: Bool) {
    do {
      return try await removeRecordUnderLock()
    } catch AuthenticationError.lockUnavailable {
      log.warning("signing out without the lock", metadata: ["account": "\(name)"])
      return try await takeRecord()
    }
  }

  private func removeRecordUnderLock() async throws -> (record: CredentialRecord?, wasThere: Bool) {
    signOutsAwaitingLock += 1
    defer { signOutsAwaitingLock -= 1 }
    return try await store.lock.withLock(timeout: min(store.lock.timeout, .seconds(10))) {
      try await takeRecord()
    }
  }

  private func takeRecord() async throws -> (record: CredentialRecord?, wasThere: Bool) {
    var record = try await readable { try await store.recordWithSealedPair() }
    if let credential = record?.credential {
      // The notice comes first: a renewal elsewhere reads it after it has stored its pair. The
      // record is read again, since such a renewal may have stored a newer pair by now.
      store.notice.postSignOut(loginID: credential.loginID)
      record = try await readable { try await store.recordWithSealedPair() } ?? record
    } else if record != nil {
      // The login has ended before; its sign-out is a change all the same.
      store.notice.postSignOut(loginID: "")
    }
    do {
      return (record, try await store.remove())
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      try await quarantineDamagedStore()
      return (nil, true)
    }
  }
}
