import Foundation
import SecureStore

extension AccountLogin {
  /// Returns the organisation that the user chose, or that the redirect of the sign-in named; `nil`
  /// if there is neither.
  func tenantID() async throws -> String? {
    guard account.providedTokens == nil else { return nil }
    guard let credential = try await store.activeRecord()?.credential else {
      throw store.signInRequired(.notSignedIn)
    }
    return credential.organisation?.id ?? credential.redirect?.tenantID
  }

  /// Stores the organisation that the user chose, with the login.
  func choose(_ organisation: Credential.Organisation) async throws {
    try await store.lock.withLock {
      guard var record = try await store.activeRecord(), var credential = record.credential else {
        throw store.signInRequired(.notSignedIn)
      }
      let sealed = store.sealedPair(of: record)
      if let sealed { (credential, record.pendingExchange) = (sealed, nil) }
      credential.organisation = organisation
      record.content = .active(credential)
      try await store.save(record)
      if sealed != nil { store.sealed.remove() }
    }
    // A pair that is not stored yet must not bring the earlier choice back.
    latest?.organisation = organisation
  }

  /// Returns the stored login, also one of another server or client; `nil` if there is none.
  func storedLogin() async throws -> StoredLogin? {
    let record: CredentialRecord?
    do {
      record = try await store.record()
    } catch AuthenticationError.signInRequired(_, .unreadable, _) {
      return nil
    } catch AuthenticationError.secretStoreUnavailable(_, .damaged) {
      return nil
    } catch AuthenticationError.secretStoreUnavailable(_, .duplicate) {
      // A sign-in replaces them, and a sign-out removes them.
      return nil
    }
    guard let record, let credential = record.credential, !store.isSignedOut(credential) else {
      return nil
    }
    // If only the API differs, the server's name would explain nothing.
    let isForOtherAPI = record.isIssued(to: account) && !record.belongs(to: account)
    return StoredLogin(
      server: (isForOtherAPI ? record.api : nil) ?? record.server, clientID: record.clientID,
      isOwn: record.belongs(to: account),
      organisationID: credential.organisation?.id, organisationName: credential.organisation?.name)
  }
}
