package import AppCore
import Models

/// The account of a hint, as the commands to paste name it.
package struct HintAccount {
  private let name: String?
  private let configuration: CoreConfiguration?

  /// - Parameters:
  ///   - name: the account; `nil` if it is not known.
  ///   - configuration: the configuration; `nil` if it could not be loaded.
  package init(_ name: String?, in configuration: CoreConfiguration?) {
    (self.name, self.configuration) = (name, configuration)
  }

  /// The option that names the account, with a space before it; empty for the default account,
  /// which commands use by themselves.
  package var option: String {
    name == configuration?.defaultAccount ? "" : Self.option(name)
  }

  /// The command that signs in to the login that the account uses.
  var signIn: String {
    guard let name, let configuration else { return "appcore login" + Self.option(name) }
    return configuration.signInCommand(account: name, omitsDefault: true)
  }

  /// True if the account has no other sign-in than a token that the user passes.
  var takesToken: Bool { name.flatMap { configuration?.takesToken(account: $0) } ?? false }

  /// The user's word for what the account sends.
  var credential: String {
    guard takesToken, let name, let configuration else { return "login" }
    return configuration.tokenName(account: name)
  }

  /// The sentence for credentials that the provider does not accept.
  package var newCredentials: String {
    takesToken
      ? "Create a new \(credential) at the provider, and pass it: \(signIn)"
      : "Sign in again: \(signIn)"
  }

  /// The sentence for credentials that may not read something: a new sign-in asks the user for
  /// access, but a key has the access that the provider's page gives it.
  package var moreAccess: String {
    takesToken
      ? "Allow the \(credential) to read it at the provider, or pass another: \(signIn)"
      : "Sign in again and grant access to the organisation: \(signIn)"
  }

  /// The advice for an answer that cannot be read, as the end of a sentence.
  var unreadableAdvice: String {
    guard let provider, configuration?.isDescribed(provider) == true else {
      return "the provider has changed its API: look for a newer appcore."
    }
    return "correct what providers.\(provider) says about this place; its keys are in: "
      + "appcore help configuration"
  }

  private var provider: String? { name.flatMap { configuration?.accounts[$0] }?.provider }

  /// The command that starts the sandbox of the account's provider; `nil` for a provider that the
  /// sandbox does not play.
  func sandboxCommand(port: Int) -> String? {
    guard let provider, configuration?.isDescribed(provider) == false else { return nil }
    return "appcore-sandbox serve" + (provider == "xero" ? "" : " --provider " + provider)
      + " --port \(port)"
  }

  /// The key of the address of the account's provider.
  var addressKey: String { "providers.\(provider ?? "<name>").baseURL" }

  /// The key of the scopes that a sign-in requests.
  var scopesKey: String {
    "accounts.\(name.map { configuration?.login(of: $0) ?? $0 } ?? "<name>").scopes"
  }

  /// The key of the account's organisation in the configuration.
  var tenantKey: String { "accounts.\(name ?? "<name>").tenantID" }

  /// The sentence that says how to choose one of several organisations.
  ///
  /// A sign-in offers the choice if the provider lists organisations; a configured organisation
  /// takes precedence over it.
  var organisationChoice: String {
    guard let account = name.flatMap({ configuration?.accounts[$0] }), account.tenantID == nil,
      configuration?.listsOrganisations(account.provider) == true
    else { return "Set \(tenantKey) in the configuration to the identifier of one of them." }
    return sharing + "Choose one: \(signIn) --organisation 'NAME'. "
      + "To list all: appcore organisations"
  }

  /// The sentence about the accounts that use the login of this one, which a sync of all reads
  /// without it; empty if there are none.
  private var sharing: String {
    guard let name, let configuration, configuration.accounts(usingLoginOf: name).count > 1 else {
      return ""
    }
    return "To sync the accounts that use its login: appcore sync all --all-accounts. "
  }

  private static func option(_ name: String?) -> String {
    name.map { " --account \($0.shellWord)" } ?? ""
  }
}
