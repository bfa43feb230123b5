import Authentication
public import Models
import Networking
import Providers
import Storage
public import Sync

extension ApplicationCore {
  /// Returns the resources of an account that can be synced, invoices first.
  ///
  /// - Throws: ``ConfigurationError``, `AuthenticationError.unknownAccount`.
  public func resources(account name: String) throws -> [Resource] {
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    return provider.resources(in: try context(of: name, account, provider, tenantID: nil))
  }

  /// Returns the sync of one resource of an account, over the session of the same name.
  ///
  /// Its runs use the user's configuration, such as ``CoreConfiguration/maximumDeletedPercent``,
  /// unless their options override it.
  ///
  /// - Throws: ``ConfigurationError``, also for a resource that the provider does not list;
  ///   `StorageError`; `AuthenticationError`, also if the organisation is known only from a sign-in
  ///   and there is none.
  public func sync(_ resource: Resource, account name: String) async throws -> ResourceSync {
    try await sync(
      resource, account: name, over: try session(for: resource.rawValue, account: name))
  }

  func sync(
    _ resource: Resource, account name: String, over session: Session
  ) async throws -> ResourceSync {
    let (provider, context) = try await context(of: name)
    let sync = provider.sync(
      resource, in: context, over: session,
      into: try await database(), signIn: await signIn(of: name),
      maximumDeletedPercent: configuration.maximumDeletedPercent,
      logger: makeLogger("appcore.sync"))
    guard let sync else { throw absence(of: resource, account: name, at: provider, context) }
    return sync
  }

  /// Reads one page of a resource and returns how its first record is parsed; stores nothing.
  ///
  /// - Throws: as ``sync(_:account:)`` and the sync itself.
  public func sample(of resource: Resource, account name: String) async throws -> ResourceSample {
    let (provider, context) = try await context(of: name)
    let session = try session(for: resource.rawValue, account: name)
    guard let sample = try await provider.sample(of: resource, in: context, over: session) else {
      throw absence(of: resource, account: name, at: provider, context)
    }
    return sample
  }

  /// Returns the account for examining a provider: the default account if it uses that provider,
  /// else the first by name.
  ///
  /// - Throws: ``ConfigurationError`` for an unknown provider, and for one without an account.
  public func account(of provider: String) throws -> String {
    _ = try configuration.provider(provider)
    let names = configuration.accounts.filter { $0.value.provider == provider }.keys.sorted()
    guard let first = names.first else {
      throw ConfigurationError(
        source: "accounts",
        problem:
          "no account uses the provider '\(provider)'; add provider: \(provider) to an account")
    }
    return names.contains(configuration.defaultAccount) ? configuration.defaultAccount : first
  }

  private func context(of name: String) async throws -> (any Provider, ProviderContext) {
    let account = try accountConfiguration(name)
    let provider = try configuration.provider(account.provider)
    // The configured organisation, or else the one that the user chose or the sign-in named.
    var tenantID = account.tenantID
    if tenantID == nil, provider.profile.redirectTenantParameter != nil {
      tenantID = try await authenticator.tenantID(of: name)
    } else if tenantID == nil, provider.profile.listsOrganisations {
      // Without a login there is no choice; the first request reports that.
      tenantID = try? await authenticator.tenantID(of: name)
    }
    return (provider, try context(of: name, account, provider, tenantID: tenantID))
  }

  private func context(
    of name: String, _ account: AccountConfiguration, _ provider: any Provider, tenantID: String?
  ) throws -> ProviderContext {
    ProviderContext(
      account: name, baseURL: try provider.baseURL(account.endpoints), tenantID: tenantID,
      timeZone: account.timeZone)
  }

  private func absence(
    of resource: Resource, account name: String, at provider: any Provider,
    _ context: ProviderContext
  ) -> ConfigurationError {
    let available = provider.resources(in: context).map(\.rawValue).joined(separator: ", ")
    return ConfigurationError(
      source: "accounts", key: name,
      problem: "\(provider.name) does not list \(resource); available: \(available)")
  }
}
