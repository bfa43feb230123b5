public import Authentication
import Foundation
package import Models
import Networking
import Providers

extension CoreConfiguration {
  /// Returns true if the user passes a token for the account's login, because the provider, or an
  /// account without a client identifier, has no sign-in in a browser.
  ///
  /// A front end shows a field for the token then, instead of a button to sign in.
  public func takesToken(account name: String) -> Bool {
    guard let account = accounts[login(of: name)],
      let profile = provider(ofAccount: name)?.profile
    else { return false }
    return !profile.hasSignIn || account.clientID == nil && profile.takesToken
  }

  /// Returns the https page on which a sign-in in the browser ends, whose address the user pastes;
  /// `nil` if the program receives the answer itself.
  public func redirectPage(account name: String) -> String? {
    if case .page(let page)? = redirect(of: name) { page } else { nil }
  }

  /// Returns the redirect URI that the account's app has to register; without a port if each
  /// sign-in takes a free one.
  public func redirectURI(account name: String) -> String? {
    switch redirect(of: name) {
    case .page(let page)?: page
    case .loopback(let host, let port)?: ConfigurationDraft.redirectURI(host: host, port: port)
    case nil: nil
    }
  }

  private func redirect(of name: String) -> OAuthClient.Redirect? {
    accounts[login(of: name)].flatMap { provider(ofAccount: name)?.redirect(of: $0) }
  }

  /// Returns true if the account has a key of a provider that has a sign-in as well, so that its
  /// authorization server is never asked.
  func passesKey(account name: String) -> Bool {
    accounts[login(of: name)].map { hasSignIn($0.provider) } == true && takesToken(account: name)
  }

  func requireClient(_ name: String) throws {
    guard let account = accounts[name], account.clientID == nil, !takesToken(account: name) else {
      return
    }
    throw missingClientID(
      of: name, from: try provider(account.provider).profile.registrationURL)
  }

  /// Returns true if requests of an account carry its token as a user name or as user and password.
  package func sendsBasic(account name: String) -> Bool {
    provider(ofAccount: name)?.profile.tokenScheme == .basic
  }

  /// Returns the provider's word for the token of an account, such as `restricted API key`.
  public func tokenName(account name: String) -> String {
    provider(ofAccount: name)?.profile.tokenName ?? "access token"
  }

  /// Returns what a list needs that a login for other lists may lack: a scope, or a permission of
  /// the account's token; `nil` if the provider names none.
  package func permission(for resource: Resource, account name: String) -> String? {
    let profile = provider(ofAccount: name)?.profile
    return takesToken(account: name)
      ? profile?.listPermissions[resource]
      : profile?.listScopes[resource].map { "the scope " + $0 }
  }

  /// Returns the scope of a list that no sign-in of an account requests; `nil` if there is none.
  package func unrequestedScope(for resource: Resource, account name: String) -> String? {
    guard !takesToken(account: name),
      let scope = provider(ofAccount: name)?.profile.listScopes[resource],
      let requested = accounts[login(of: name)]?.scopes, !requested.contains(scope)
    else { return nil }
    return scope
  }

  /// Returns what to do about a limit of requests a day; `nil` if the wait is one of a shorter
  /// limit, or the provider publishes none for a day.
  ///
  /// - Parameter end: the end of the wait.
  package func dailyLimitHint(account name: String, until end: Timestamp) -> String? {
    let published = provider(ofAccount: name)?.profile.rateLimits
      .first { $0.interval >= .seconds(86_400) }?.requests
    guard end.date.timeIntervalSinceNow > 3_600,
      let allowed = accounts[name]?.requestsPerDay ?? published
    else { return nil }
    return "This is the limit of \(allowed) requests a day. If your app may send more, set "
      + "accounts.\(name).requestsPerDay."
  }

  /// Adds scopes to those that a sign-in requests, which are the account's or the provider's usual
  /// ones.
  package mutating func add(scopes: [String], account name: String) {
    guard var account = accounts[name] else { return }
    let usual = (try? provider(account.provider))?.profile.scopes ?? []
    let requested = account.scopes ?? usual
    account.scopes = requested + scopes.filter { !requested.contains($0) }
    accounts[name] = account
  }

  /// Returns the command of `appcore` that signs in to the login that an account uses.
  ///
  /// - Parameter omitsDefault: true to leave out `--account` for the default account.
  package func signInCommand(account: String, omitsDefault: Bool = false) -> Hint.Command {
    let login = login(of: account)
    let isDefault = login == self.login(of: defaultAccount)
    return .init(
      ["login"] + (omitsDefault && isDefault ? [] : ["--account", login])
        + (takesToken(account: login) ? ["--token-stdin"] : []))
  }

  /// Returns a sentence for the user about an error, which names the account's provider.
  public func sentence(for error: AuthenticationError) -> String {
    error.sentence(
      naming: error.account.flatMap { accounts[$0] }.map { title(ofProvider: $0.provider) })
  }

  /// Checks that the user need not choose between several accounts.
  ///
  /// - Throws: ``ConfigurationError`` if `name` is the default account and there is none.
  package func requireChoice(_ name: String) throws {
    guard name == defaultAccount, !choices.isEmpty else { return }
    throw ConfigurationError(
      source: file ?? "accounts", key: "defaultAccount",
      problem: "no account is the default; available: " + choices.joined(separator: ", "),
      fix: "Pass --account NAME" + (usesAllAccounts ? "." : ", or set defaultAccount."))
  }

  func requireConfiguration() throws(ConfigurationError) {
    if isUnset { throw missingConfiguration(Hint("Run", ["setup"])) }
  }

  /// True if there is no file, and no environment variable and no front end has set anything of an
  /// account.
  package var isUnset: Bool {
    isFileMissing
      && accounts == [defaultAccount: AccountConfiguration(provider: Self().defaultProvider)]
  }

  private func missingConfiguration(_ hint: Hint) -> ConfigurationError {
    ConfigurationError(
      source: file ?? "accounts", problem: "there is no configuration yet", hint: hint)
  }

  /// Returns the error for an account without a client identifier.
  ///
  /// - Parameter registration: the provider's page where apps are registered.
  func missingClientID(of name: String, from registration: String?) -> ConfigurationError {
    let key = "accounts.\(name).clientID"
    let provider = accounts[name].map { title(ofProvider: $0.provider) } ?? "the provider"
    guard !isFileMissing else {
      let origin = registration.map { Hint("A client ID of \(provider) comes from \($0)") }
      return missingConfiguration(Hint("Run", ["setup"]).then(origin))
    }
    // The environment variable applies to the default account alone.
    let variable = name == defaultAccount ? " or APPCORE_CLIENT_ID" : ""
    return ConfigurationError(
      source: file ?? "accounts", key: key, problem: "clientID is missing",
      fix: "Set \(key)\(variable) to the client ID of your app at \(provider)."
        + (registration.map { " It comes from \($0)" } ?? ""))
  }
}

extension AuthenticationError {
  /// The account that the error is about, if it is one of the configuration.
  package var account: String? {
    switch self {
    case .signInRequired(let account, _, _), .temporarilyUnavailable(let account, _, _),
      .misconfigured(let account, _, _), .signInFailed(let account, _, _),
      .secretStoreUnavailable(let account, _), .lockUnavailable(let account, _):
      account
    case .notSaved, .keptSealed, .authenticatorExists, .unknownAccount: nil
    }
  }
}
