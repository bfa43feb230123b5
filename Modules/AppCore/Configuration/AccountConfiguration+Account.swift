import Authentication
import Foundation
import Models
import Networking
import Providers
import SecureStore

extension AccountConfiguration {
  /// Creates the account for the authenticator.
  ///
  /// - Throws: ``ConfigurationError``.
  func account(
    named name: String, in configuration: CoreConfiguration, _ credentials: ServiceCredentials
  ) throws -> Account {
    let provider = try ProviderCatalogue.provider(self.provider, in: configuration)
    let client = OAuthClient(
      id: clientID ?? "",
      secret: try secret(account: name, credentials),
      authentication: clientAuthentication ?? provider.traits.clientAuthentication,
      redirectPort: redirectPort)
    let account = Account(
      name: name, server: try provider.server(endpoints), client: client,
      scopes: scopes ?? provider.traits.scopes)
    guard var account else {
      throw ConfigurationError(
        source: "accounts", key: name,
        problem: "expected a name of 1 to 64 letters, digits, '.', '_' or '-'"
      )
    }
    account.resources = resourceIndicators.compactMap(URL.init(string:))
    account.audience = audience
    account.apiOrigin = Origin(try provider.baseURL(endpoints))
    account.replay = provider.traits.refreshTokenReplay
    account.hasTokenEndpoint = provider.hasTokenEndpoint(endpoints)
    account.redirectTenantParameter = provider.traits.redirectTenantParameter
    account.refreshSendsRedirectURI = provider.traits.refreshSendsRedirectURI
    account.tokenScheme = provider.traits.tokenScheme
    guard account.tokenScheme.isSafe else {
      throw ConfigurationError(
        source: "providers", key: provider.name,
        problem: "its tokenScheme names a header field that cannot hold a token"
      )
    }
    // A token that systemd passes at each start is used as it is, and never stored.
    account.providedTokens = try credentials.text("appcore.\(name).token").map { text in
      guard let tokens = TokenSet(pasted: text) else {
        throw ConfigurationError(
          source: "$CREDENTIALS_DIRECTORY/appcore.\(name).token", problem: "the file holds no token"
        )
      }
      return tokens
    }
    return account
  }

  private func secret(account: String, _ credentials: ServiceCredentials) throws -> Secret? {
    guard let file = clientSecretFile else { return nil }
    let path = credentials.path(file)
    func problem(_ text: String) -> ConfigurationError {
      ConfigurationError(
        source: path, key: "accounts.\(account).clientSecretFile", problem: text)
    }
    let data: Data
    do {
      data = try PrivateFile(path: path, isServiceCredential: credentials.holds(file)).read()
    } catch {
      switch error {
      case .exposed:
        throw problem("other users can read the client secret; run: chmod 600 \(path.shellWord)")
      case .foreign: throw problem("the file belongs to another user")
      case .unreadable, .unsuitable: throw problem("cannot read the file")
      }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw problem("the file is not text")
    }
    return Secret(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
