import Authentication
public import Providers
import Sync

extension ApplicationCore {
  /// Returns the organisations that an account's login reaches; empty if the provider does not list
  /// them.
  ///
  /// - Throws: `SyncError`, `SessionError`, `AuthenticationError`, ``ConfigurationError``.
  public func organisations(account name: String) async throws -> [Organisation] {
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    guard provider.profile.listsOrganisations else { return [] }
    let context = ProviderContext(
      account: name, baseURL: try provider.baseURL(account.endpoints), tenantID: nil)
    let session = try session(for: Self.accountModule, account: name)
    return try await provider.organisations(in: context, over: session) ?? []
  }

  /// Returns the identifier of the organisation that syncs of an account read: the configured one,
  /// or else the one chosen after the sign-in; `nil` if there is neither.
  ///
  /// - Throws: `AuthenticationError`, also if there is no login.
  public func organisationID(account name: String) async throws -> String? {
    if let configured = try accountConfiguration(name).tenantID { return configured }
    return try await authenticator.tenantID(of: name)
  }

  /// Stores the organisation that syncs of an account read from now on, with its login.
  ///
  /// `accounts.NAME.tenantID` in the configuration takes precedence. The next sign-in forgets the
  /// choice.
  ///
  /// - Throws: `AuthenticationError`, also if there is no login; ``ConfigurationError`` for an
  ///   account that shares another's login, whose organisation is configured.
  public func chooseOrganisation(_ organisation: Organisation, account name: String) async throws {
    if let login = try accountConfiguration(name).login {
      throw ConfigurationError(
        source: configuration.file ?? "accounts", key: "accounts.\(name).tenantID",
        problem: "the account uses the login of '\(login)'; set its organisation here")
    }
    try await authenticator.chooseOrganisation(organisation.id, name: organisation.name, of: name)
  }
}
