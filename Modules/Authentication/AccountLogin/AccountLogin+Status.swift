import Foundation
import HTTPTypes
import Networking
import SecureStore
import SystemSupport

extension AccountLogin {
  func status() async throws -> AccountStatus {
    let now = time.wall()
    if let tokens = account.providedTokens {
      let credential = Credential(tokens, after: nil, grant: .provided, now: now)
      return AccountStatus(
        account: name, record: CredentialRecord(.active(credential), of: account), now: now)
    }
    let record = try await store.recordWithSealedPair()
    var status =
      if let record, isCurrent(record) {
        AccountStatus(account: name, record: record, now: time.wall())
      } else {
        AccountStatus(signedOut: name)
      }
    status.lockHolder = store.lock.holder
    if account.refresh != nil { status.isRenewable = true }
    return status
  }

  /// Returns true for a record that requests would use, or would have used before it ended.
  private func isCurrent(_ record: CredentialRecord) -> Bool {
    record.belongs(to: account) && !(record.credential.map(store.isSignedOut) ?? false)
  }

  func probeServer() async throws -> String {
    do {
      let endpoint = try await endpoint()
      var request = try Request(method: .head, url: endpoint.server.tokenEndpoint)
      request.authorization = .none
      _ = try await session.send(request)
      return Origin(endpoint.server.tokenEndpoint).map(String.init(describing:)) ?? ""
    } catch {
      throw AuthenticationError.classified(error, account: name)
    }
  }

  func loginID() async throws -> String {
    if let tokens = account.providedTokens { return digest(of: tokens) }
    if let latest, latest.isUsable(at: time.wall()) { return Self.id(latest) }
    return Self.id(try await credential())
  }

  var currentLoginID: String? { account.providedTokens == nil ? latest.map(Self.id) : nil }

  /// Records of the first version do not identify their login.
  private static func id(_ credential: Credential) -> String {
    credential.loginID.isEmpty ? "unknown" : credential.loginID
  }

  /// Identifies tokens that the configuration provides, which belong to no stored login.
  ///
  /// Two bytes of a digest differ for nearly every two tokens, and reveal next to nothing to a
  /// reader of the database.
  private func digest(of tokens: TokenSet) -> String {
    let digest = SHA256.hash(
      Data("appcore \(name) ".utf8) + Data(tokens.accessToken.exposedBytes))
    return "provided:" + digest.prefix(2).hexadecimal
  }

  func tenantID() async throws -> String? {
    guard account.providedTokens == nil else { return nil }
    guard let credential = try await store.activeRecord()?.credential else {
      throw store.signInRequired(.notSignedIn)
    }
    return credential.organisation?.id ?? credential.redirect?.tenantID
  }

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

  /// Returns the record that a function reads; `nil` for one that cannot be read, which a sign-in
  /// replaces and a sign-out removes.
  func readable(
    _ read: () async throws -> CredentialRecord?
  ) async throws -> CredentialRecord? {
    do {
      return try await read()
    } catch AuthenticationError.signInRequired(_, .unreadable, _),
      AuthenticationError.secretStoreUnavailable(_, .duplicate),
      AuthenticationError.secretStoreUnavailable(_, .damaged)
    {
      return nil
    }
  }

  func storedLogin() async throws -> StoredLogin? {
    let record = try await readable { try await store.record() }
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
