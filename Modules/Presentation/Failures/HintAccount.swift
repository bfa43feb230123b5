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

  /// The option that names the account; empty for the default account, which commands use by
  /// themselves.
  package var option: [String] { name == configuration?.defaultAccount ? [] : explicitOption }

  /// The option that names the account, even the default one.
  var explicitOption: [String] { name.map { ["--account", $0] } ?? [] }

  /// The command that signs in to the login that the account uses.
  var signIn: Hint.Command { signInCommand(omitsDefault: true) }

  /// The command that signs in and names the account, even the default one.
  var explicitSignIn: Hint.Command { signInCommand(omitsDefault: false) }

  private func signInCommand(omitsDefault: Bool) -> Hint.Command {
    guard let name, let configuration else { return .init(["login"] + explicitOption) }
    return configuration.signInCommand(account: name, omitsDefault: omitsDefault)
  }

  /// True if the account has no other sign-in than a token that the user passes.
  var takesToken: Bool { name.flatMap { configuration?.takesToken(account: $0) } ?? false }

  /// True if nothing is configured yet.
  var isUnset: Bool { configuration?.isUnset == true }

  /// The redirect URI that the account's app has to register.
  var redirectURI: String? { name.flatMap { configuration?.redirectURI(account: $0) } }

  /// The user's word for what the account sends.
  var credential: String {
    guard takesToken, let name, let configuration else { return "login" }
    return configuration.tokenName(account: name)
  }

  /// The hint for credentials that the provider does not accept.
  var newCredentials: Hint {
    guard takesToken else { return Hint("Sign in again", signIn) }
    return Hint("Create a new \(credential) at the provider, and pass it\(basicForm)", signIn)
  }

  /// The end of a phrase about a token that is sent as a user name, or else as user and password.
  var basicForm: Sentence {
    name.flatMap { configuration?.sendsBasic(account: $0) } == true
      ? ", or USER:PASSWORD if the API expects both" : ""
  }

  /// The hint for credentials that may not read something: a new sign-in asks the user for access,
  /// but a key has the access that the provider's page gives it.
  var moreAccess: Hint {
    takesToken
      ? Hint("Allow the \(credential) to read it at the provider, or pass another", signIn)
      : Hint("Sign in again and grant access to the organisation", signIn)
  }

  /// The hint for credentials that may not read a list, which others may.
  ///
  /// - Parameter resource: the list; `nil` if it is not known.
  func moreAccess(to resource: Resource?) -> Hint {
    guard let resource, let name, let configuration,
      let needed = configuration.permission(for: resource, account: name)
    else { return moreAccess }
    let start = "The list of \(resource) needs \(needed). "
    guard !takesToken else {
      return Hint(start + "Allow it to the \(credential) at the provider, or pass another", signIn)
    }
    guard let scope = configuration.unrequestedScope(for: resource, account: name) else {
      return Hint(start + "Sign in again and grant it", signIn)
    }
    return Hint(
      start + "Sign in again and request it, and for later sign-ins add it to \(scopesKey)",
      signIn.adding(["--scope=" + scope]))
  }

  /// The advice for an answer that cannot be read, as the end of a sentence.
  var unreadableAdvice: Hint {
    guard let provider, configuration?.isDescribed(provider) == true else {
      return "the provider has changed its API: look for a newer appcore."
    }
    guard configuration?.isShipped(provider) == false else {
      return Hint(
        "copy the description \(provider).yaml, which is installed in share/doc/appcore/providers, "
          + "below providers.\(provider) and correct what it says about this place.")
    }
    return Hint(
      "correct what providers.\(provider) says about this place. \(Self.descriptionKeys)")
  }

  /// The place of the keys of descriptions.
  private static let descriptionKeys: Sentence =
    "Its keys are in rest-provider.yaml, which is installed in share/doc/appcore."

  private var provider: String? { name.flatMap { configuration?.accounts[$0] }?.provider }

  /// The command that starts the sandbox of the account's provider; `nil` for a provider that the
  /// sandbox does not play.
  func sandboxCommand(port: Int) -> Hint.Command? {
    guard let provider, let configuration, configuration.isBuiltIn(provider) else { return nil }
    var command = Hint.Command(
      ["serve"] + (provider == CoreConfiguration().defaultProvider ? [] : ["--provider", provider])
        + ["--port", "\(port)"])
    command.program = Self.sandbox
    return command
  }

  /// Returns the hint for a mistake in the configuration that has none of its own.
  ///
  /// - Parameter key: the key with the mistake, if it is known.
  package static func correction(of key: String? = nil) -> Hint {
    // `help configuration` does not have the keys of descriptions.
    key?.hasPrefix("providers.") == true
      ? Hint("Correct the description. \(descriptionKeys)")
      : Hint("Correct the configuration; its keys are in", ["help", "configuration"])
  }

  /// The advice after a mistake in what the account's provider is configured with.
  var correction: Hint {
    let isDescribed = provider.flatMap { configuration?.isDescribed($0) } ?? false
    return Self.correction(of: isDescribed ? providerKey : nil)
  }

  /// The program that plays providers.
  package static let sandbox = "appcore-sandbox"

  /// The key of the account's provider.
  var providerKey: String { "providers.\(provider ?? "<name>")" }

  /// The key of the address of the account's provider.
  var addressKey: String {
    let isShipped = provider.flatMap { configuration?.isShipped($0) } ?? false
    return "\(isShipped ? accountKey : providerKey).baseURL"
  }

  private var accountKey: String { "accounts.\(name ?? "<name>")" }

  /// The key of the account that has the login.
  var loginKey: String { "accounts.\(name.map { configuration?.login(of: $0) ?? $0 } ?? "<name>")" }

  /// The key of the scopes that a sign-in requests.
  var scopesKey: String { "\(loginKey).scopes" }

  /// The key of the account's organisation in the configuration.
  var tenantKey: String { "\(accountKey).tenantID" }

  /// The hint that says how to choose one of several organisations.
  ///
  /// A sign-in offers the choice if the provider lists organisations; a configured organisation
  /// takes precedence over it.
  var organisationChoice: Hint {
    guard let account = name.flatMap({ configuration?.accounts[$0] }), account.tenantID == nil,
      configuration?.listsOrganisations(account.provider) == true
    else { return "Set \(tenantKey) in the configuration to the identifier of one of them." }
    var choice = signIn.adding(["--organisation"])
    choice.placeholder = "NAME"
    let hint = Hint("Choose one", choice).then("To list all", ["organisations"])
    guard sharesLogin else { return hint }
    return Hint("To sync the accounts that use its login", ["sync", "all", "--all-accounts"])
      .then(hint)
  }

  /// True if other accounts use the login of this one; a sync of all reads them without it.
  private var sharesLogin: Bool {
    guard let name, let configuration else { return false }
    return configuration.accounts(usingLoginOf: name).count > 1
  }
}
