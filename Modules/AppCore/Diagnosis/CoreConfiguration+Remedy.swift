package import Models
import Sync

extension CoreConfiguration {
  /// Returns the sentence that says what to do after a run that failed, for a user of `appcore`.
  ///
  /// - Parameters:
  ///   - code: the code of the run's failure.
  ///   - resource: the list that the run read.
  ///   - name: the account.
  package func remedy(after code: String?, of resource: Resource, account name: String) -> String {
    let option = " --account \(name.shellWord)"
    switch code {
    case "mass-deletion":
      return "If they were deleted there: appcore sync all --full --allow-mass-deletion" + option
    case "organisation-unproven":
      return "If it is the same organisation: appcore sync all --same-organisation" + option
    case "other-organisation":
      return "Use another account name, or delete the records: "
        + "appcore logout\(option) --forget-invoices"
    case "organisation-unclear":
      let provider = accounts[name]?.provider ?? defaultProvider
      return accounts[name]?.tenantID == nil && listsOrganisations(provider)
        ? "Choose one: \(signInCommand(account: name)) --organisation 'NAME'"
        : "Set accounts.\(name).tenantID in the configuration."
    case "access-denied" where takesToken(account: name),
      "insufficient-scope" where takesToken(account: name):
      return "Allow the \(tokenName(account: name)) to read it at the provider, or pass another: "
        + signInCommand(account: name)
    case "credentials-rejected" where takesToken(account: name):
      return "Create a new \(tokenName(account: name)) at the provider, and pass it: "
        + signInCommand(account: name)
    case "access-denied", "credentials-rejected", "insufficient-scope", "sign-in-required":
      return "Sign in again: " + signInCommand(account: name)
    case "unknown-address", "address-refused":
      return "Correct the addresses of providers.\(accounts[name]?.provider ?? defaultProvider) in "
        + "the configuration."
    case "untrusted-server":
      return "Check the address. For a private certificate authority set "
        + "sessions.\(resource.rawValue).extraCACertificates."
    case "proxy-credentials":
      return "Set the environment variable https_proxy=http://USER:PASSWORD@HOST:PORT."
    case "client-refused":
      return "Check clientID, clientSecretFile and scopes of accounts.\(login(of: name))."
    case "foreign-database":
      return "Name another file: set database in the configuration, or APPCORE_DATABASE."
    case "other-login":
      return "Use another account name, or replace the login: "
        + signInCommand(account: name) + " --replace"
    default: return "Run it again: appcore sync \(resource.rawValue)" + option
    }
  }
}
