import Authentication
import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import SecureStore

extension AccountConfiguration {
  func account(
    named name: String, in configuration: CoreConfiguration, _ credentials: ServiceCredentials
  ) throws -> Account {
    let provider = try configuration.provider(self.provider)
    let client = OAuthClient(
      id: clientID ?? "",
      secret: try secret(account: name, credentials),
      authentication: clientAuthentication ?? provider.profile.clientAuthentication,
      redirect: provider.redirect(of: self) ?? .loopback(port: redirectPort))
    let account = Account(
      name: name, server: try provider.server(endpoints), client: client,
      scopes: scopes ?? provider.profile.scopes)
    guard var account else {
      throw ConfigurationError(
        source: "accounts", key: name,
        problem: ConfigurationError.nameExpectation
      )
    }
    account.resources = resourceIndicators.compactMap(URL.init(string:))
    account.audience = audience
    account.apiOrigin = Origin(try provider.baseURL(endpoints))
    account.replay = provider.profile.refreshTokenReplay
    account.sendsJSONTokenRequests = provider.profile.sendsJSONTokenRequests
    account.hasTokenEndpoint = provider.hasTokenEndpoint(endpoints)
    account.redirectTenantParameter = provider.profile.redirectTenantParameter
    account.refreshSendsRedirectURI = provider.profile.refreshSendsRedirectURI
    account.tokenScheme = provider.profile.tokenScheme
    account.secretHeader = provider.profile.secretHeader
    let second = account.secretHeader.map { TokenScheme.header($0) } ?? account.tokenScheme
    guard account.tokenScheme.isSafe, second.isSafe else {
      throw ConfigurationError(
        source: "providers", key: provider.name,
        problem: "its tokenScheme or secretHeader names a header field that cannot hold a secret"
      )
    }
    if let header = account.secretHeader {
      let secret = client.secret?.exposedText ?? ""
      guard !secret.isEmpty, HTTPField.isValidValue(secret) else {
        throw ConfigurationError(
          source: configuration.file ?? "accounts", key: "accounts.\(name).clientSecretFile",
          problem: "\(provider.profile.title) expects a second secret in the header field "
            + "\(header.rawName); name a file that holds it, in one line")
      }
    }
    // A token that systemd passes at each start is used as it is, and never stored.
    account.providedTokens = try credentials.existingPath("appcore.\(name).token").map { path in
      let text = try Self.text("token", at: path, isServiceCredential: true)
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
    return Secret(
      try Self.text(
        "client secret", at: credentials.path(file), isServiceCredential: credentials.holds(file),
        key: "accounts.\(account).clientSecretFile"))
  }

  static func checkSecret(at path: String) throws {
    _ = try text("client secret", at: path, isServiceCredential: false)
  }

  /// Reads a file that holds a secret, and removes the white space around it.
  ///
  /// - Throws: ``ConfigurationError`` if other users can read the file or own it.
  private static func text(
    _ content: String, at path: String, isServiceCredential: Bool, key: String? = nil
  ) throws -> String {
    func problem(_ text: String) -> ConfigurationError {
      ConfigurationError(source: path, key: key, problem: text)
    }
    let data: Data
    do {
      data = try PrivateFile(path: path, isServiceCredential: isServiceCredential).read()
    } catch {
      switch error {
      case .exposed:
        throw problem("other users can read the \(content); run: chmod 600 \(path.shellWord)")
      case .foreign: throw problem("the file belongs to another user")
      case .unreadable, .unsuitable: throw problem("cannot read the file")
      }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw problem("the file is not text")
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
