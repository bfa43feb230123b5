import HTTPTypes
import Networking
import SystemSupport

extension Authenticator {
  /// How an account stands, from what is stored; nothing is renewed.
  ///
  /// - Throws: ``AuthenticationError``.
  public func status(of name: String) async throws -> AccountStatus {
    let account = try entry(name).account
    if let tokens = account.providedTokens {
      let credential = Credential(tokens, after: nil, grant: .provided, now: time.wall())
      return AccountStatus(
        account: name, record: CredentialRecord(.active(credential), of: account), now: time.wall())
    }
    let record = try await credentials.record(of: name)
    var status =
      countingRecord(record, of: account).map {
        AccountStatus(account: name, record: $0, now: time.wall())
      }
      ?? AccountStatus(signedOut: name)
    status.lockHolder = FileLock.holder(of: lockPath(for: name))
    return status
  }

  /// The organisation that the redirect of the sign-in named; `nil` where it named none.
  ///
  /// - Throws: ``AuthenticationError``, also where there is no login.
  package func tenantID(of name: String) async throws -> String? {
    guard try entry(name).account.providedTokens == nil else { return nil }
    guard let record = try await renewal(of: name).storedRecord(),
      case .active(let credential) = record.content
    else { throw AuthenticationError.signInRequired(account: name, reason: .notSignedIn) }
    return credential.redirect?.tenantID
  }

  /// A record that requests would use: of this server and client, and not signed out.
  private func countingRecord(
    _ record: CredentialRecord?, of account: Account
  ) -> CredentialRecord? {
    guard let record, record.belongs(to: account) else { return nil }
    if case .active(let credential) = record.content,
      notice.hasSignedOut(credential.login, of: account.name)
    {
      return nil
    }
    return record
  }

  /// What happens to logins from now on, here and in other processes; any number may listen, and
  /// leaving the loop ends it.
  public nonisolated func credentialChanges() -> AsyncStream<CredentialChange> {
    changes.stream()
  }

  /// Looks whether an account's authorization server answers, whatever it says; answers with its
  /// origin.
  ///
  /// - Throws: ``AuthenticationError``.
  public func probeServer(of name: String) async throws -> String {
    do {
      let endpoint = try await endpoint(of: name)
      var request = try Request(method: .head, url: endpoint.server.tokenEndpoint)
      request.authorization = .none
      _ = try await session.send(request)
      return Origin(endpoint.server.tokenEndpoint).map(String.init(describing:)) ?? ""
    } catch {
      throw classified(error, account: name)
    }
  }
}
