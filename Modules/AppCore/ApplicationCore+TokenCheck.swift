import Authentication
import Networking
import Providers
import Sync

extension ApplicationCore {
  /// Checks that the provider accepts tokens that are not stored yet.
  ///
  /// - Throws: `AuthenticationError.signInFailed` with `tokenRefused` if it answers 401 or 403;
  ///   `SyncError` and `SessionError` if it cannot be asked.
  func check(_ tokens: TokenSet, of name: String) async throws {
    // The authenticator reports a text that is no token.
    guard tokens.canBeSent else { return }
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    let baseURL = try provider.baseURL(account.endpoints)
    guard let origin = Origin(baseURL) else {
      throw ConfigurationError(source: "providers", key: "baseURL", problem: "not an http(s) URL")
    }
    let session = session(
      trying: TokenAuthorizer(tokens, scheme: provider.profile.tokenScheme, origin: origin),
      provider, account)
    let context = ProviderContext(account: name, baseURL: baseURL, tenantID: account.tenantID)
    let result: Result<Void, any Error>
    do {
      _ = try await provider.checkAccess(in: context, over: session)
      result = .success(())
    } catch SyncError.credentialsRejected(let message) {
      result = .failure(refusal(name, 401, message))
    } catch SyncError.accessDenied(status: 403, let message) {
      result = .failure(refusal(name, 403, message))
    } catch {
      result = .failure(error)
    }
    await session.shutdown()
    try result.get()
  }

  private func refusal(
    _ name: String, _ status: Int, _ message: ProviderMessage?
  ) -> AuthenticationError {
    .signInFailed(account: name, reason: .tokenRefused(status: status), message: message)
  }
}
