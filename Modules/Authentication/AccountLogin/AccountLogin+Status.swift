import Foundation
import HTTPTypes
import Networking
import SecureStore
import SystemSupport

extension AccountLogin {
  /// Returns the state of the stored login, without renewing it.
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

  /// Sends a request to the authorization server, accepts any response, and returns its origin.
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

  /// Returns an opaque text that identifies the login; it waits for a valid token, as a request
  /// does.
  func loginID() async throws -> String {
    if let tokens = account.providedTokens { return digest(of: tokens) }
    if let latest, latest.isUsable(at: time.wall()) { return Self.id(latest) }
    return Self.id(try await credential())
  }

  /// The text that identifies the login of the latest credential; `nil` without one.
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
}
