public import Authentication
import Providers

extension CoreConfiguration {
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
      fix: "Pass --account NAME, or set defaultAccount.")
  }

  /// Checks that there is a configuration.
  ///
  /// - Throws: ``ConfigurationError`` if nothing is configured; see ``isUnset``.
  func requireConfiguration() throws(ConfigurationError) {
    if isUnset { throw missingConfiguration(fix: "Run: appcore setup") }
  }

  /// True if there is no file, and no environment variable and no front end has set anything of an
  /// account.
  package var isUnset: Bool {
    isFileMissing
      && accounts == [defaultAccount: AccountConfiguration(provider: Self().defaultProvider)]
  }

  private func missingConfiguration(fix: String) -> ConfigurationError {
    ConfigurationError(
      source: file ?? "accounts", problem: "there is no configuration yet", fix: fix)
  }

  /// Returns the error for an account without a client identifier.
  ///
  /// - Parameter registration: the provider's page where apps are registered.
  func missingClientID(of name: String, from registration: String?) -> ConfigurationError {
    let key = "accounts.\(name).clientID"
    let provider = accounts[name].map { title(ofProvider: $0.provider) } ?? "the provider"
    guard !isFileMissing else {
      let origin = registration.map { " A client ID of \(provider) comes from \($0)" } ?? ""
      return missingConfiguration(fix: "Run: appcore setup." + origin)
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
