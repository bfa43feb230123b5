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

  /// The options of `appcore-sandbox serve` for the account's provider, with a space before them.
  var sandboxOptions: String {
    guard let provider = name.flatMap({ configuration?.accounts[$0] })?.provider,
      ["quickbooks", "stripe", "square", "moneybird"].contains(provider)
    else { return "" }
    return " --provider " + provider
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
