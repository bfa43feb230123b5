import Foundation
import Logging
import Networking
import SecureStore
import SystemSupport

extension Authenticator {
  /// Signs an account out: waiters get an error, the login is removed, the server is told.
  ///
  /// Neither being offline nor another process that does not let go of its lock stops it; the report
  /// says what could not be revoked.
  ///
  /// - Parameter delegate: shown the server's own sign-out page, where it has one.
  /// - Throws: ``AuthenticationError`` where the login could not be removed from the store.
  public func signOut(
    _ name: String, delegate: (any AuthenticationDelegate)? = nil
  ) async throws -> SignOutReport {
    // Telling the server is worth so much waiting, each time.
    let courtesy = Duration.seconds(10)
    let held = try entry(name).held
    let removed = try await forgetLogin(name)
    // Another server's or client's tokens are shown to nobody here.
    guard case .active(let stored)? = removed.record?.content,
      removed.record?.isIssued(to: try entry(name).account) == true
    else {
      return SignOutReport(wasSignedIn: removed.wasThere, isRevoked: false)
    }
    // A pair that could not be stored is the one that lives.
    let isHeldNewer =
      held.map {
        $0.login == stored.login && $0.generation.rawValue > stored.generation.rawValue
      } ?? false
    let credential = isHeldNewer ? held ?? stored : stored
    guard
      let endpoint = try? await time.bounded(by: courtesy, { try await self.endpoint(of: name) })
    else {
      return SignOutReport(wasSignedIn: true, isRevoked: false)
    }
    // RFC 7009 2.1: revoking the refresh token ends the access tokens made from it as well.
    let (token, hint) =
      credential.refreshToken.map { ($0, "refresh_token") }
      ?? (credential.accessToken, "access_token")
    let isRevoked = try? await time.bounded(by: courtesy) {
      await endpoint.revoke(token, hint: hint)
    }
    if let page = endpoint.server.endSessionEndpoint {
      try? await delegate?.showSignOutPage(page)
    }
    return SignOutReport(wasSignedIn: true, isRevoked: isRevoked ?? false)
  }

  /// Forgets the login of an account on this machine and tells the server nothing; waiters get an
  /// error.
  ///
  /// - Throws: ``AuthenticationError`` where the login could not be removed from the store.
  public func reset(_ name: String) async throws {
    _ = try await forgetLogin(name)
  }

  private func forgetLogin(
    _ name: String
  ) async throws -> (record: CredentialRecord?, wasThere: Bool) {
    let flight = try entry(name).flight
    let signIn = try entry(name).signIn
    entries[name]?.forget()
    let error = AuthenticationError.signInRequired(account: name, reason: .signedOut)
    flight?.resolve(.failure(error))
    signIn?.end(error)
    let removed = try await removeRecord(of: name)
    log.info("signed out", metadata: ["account": "\(name)"])
    changes.send(CredentialChange(account: name, kind: .signedOut, generation: nil, expiresAt: nil))
    return removed
  }

  /// Waits a while for a renewal in another process.
  ///
  /// One that does not end is not waited for: it will find the login gone, and give back what it gets.
  private func removeRecord(
    of name: String
  ) async throws -> (record: CredentialRecord?, wasThere: Bool) {
    do {
      return try await withLock(on: name, timeout: min(lockTimeout, .seconds(10))) {
        try await takeRecord(of: name)
      }
    } catch AuthenticationError.lockUnavailable {
      log.warning("signing out without the lock", metadata: ["account": "\(name)"])
      return try await takeRecord(of: name)
    }
  }

  private func takeRecord(
    of name: String
  ) async throws -> (record: CredentialRecord?, wasThere: Bool) {
    var record = try await removableRecord(of: name)
    if case .active(let credential)? = record?.content {
      // First the notice: a renewal that stores what it got without having seen the login go finds
      // it there. Then once more the record: such a renewal may have stored a newer pair by now.
      notice.post(.signedOut(login: credential.login), for: name)
      record = try await removableRecord(of: name) ?? record
    }
    do {
      return (record, try await credentials.remove(name))
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      try await setDamagedAside(for: name)
      return (nil, true)
    }
  }

  private func removableRecord(of name: String) async throws -> CredentialRecord? {
    do {
      return try await credentials.record(of: name)
    } catch AuthenticationError.signInRequired(_, .unreadable) {
      // It is removed all the same.
      return nil
    } catch AuthenticationError.secretStoreUnavailable(_, .duplicate) {
      // Removing is what cures it.
      return nil
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      // So is removing all of it.
      return nil
    }
  }
}
