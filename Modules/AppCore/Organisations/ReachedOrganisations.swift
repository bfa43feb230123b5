import Authentication
public import Providers
import Storage
import Sync

/// The organisations that several logins reach, and the logins that could not be asked.
public struct ReachedOrganisations: Sendable {
  /// The failure of a login that was asked.
  public struct Failure: Sendable {
    /// The account that has the login.
    public let login: String
    /// The error, as ``ApplicationCore/reachedOrganisations(account:)`` throws it.
    public let error: any Error
  }

  /// The organisation that a text names.
  public enum Match: Sendable, Equatable {
    /// The text names this one only.
    case only(ReachedOrganisation)
    /// No login that answered reaches such an organisation; one of the `failures` may.
    case missing
    /// The text names several.
    case several([ReachedOrganisation])
  }

  /// The accounts whose logins were asked; none if no provider lists organisations.
  public internal(set) var asked: [String] = []
  /// The organisations, by login and in the provider's order.
  public internal(set) var found: [ReachedOrganisation] = []
  /// The failures of logins, in the order in which they were asked.
  public internal(set) var failures: [Failure] = []

  /// Returns the organisation with an identifier, or else the one with a name, whatever its case.
  public func organisation(named text: String) -> Match {
    let matches = found.named(text)
    guard let first = matches.first else { return .missing }
    return matches.count == 1 ? .only(first) : .several(matches)
  }
}

extension ApplicationCore {
  /// Returns the organisations that logins reach, each with the account that has it.
  ///
  /// It asks one login after the other; one that fails stops no other.
  ///
  /// - Parameters:
  ///   - accounts: the accounts whose logins are asked; `nil` takes all. Those whose provider lists
  ///     no organisations are left out, as in ``CoreConfiguration/loginsListingOrganisations``.
  ///   - onAsking: called with the account of each login before it is asked.
  /// - Throws: `AuthenticationError.unknownAccount`, ``ConfigurationError``; `CancellationError`.
  public func reachedOrganisations(
    ofLogins accounts: [String]? = nil, onAsking: (_ login: String) -> Void = { _ in }
  ) async throws -> ReachedOrganisations {
    for account in accounts ?? [] { _ = try accountConfiguration(account) }
    let wanted = accounts.map { Set($0.map(configuration.login)) }
    var reached = ReachedOrganisations()
    for login in configuration.loginsListingOrganisations where wanted?.contains(login) ?? true {
      reached.asked.append(login)
      onAsking(login)
      do {
        reached.found += try await reachedOrganisations(account: login)
      } catch {
        if Task.isCancelled || error is CancellationError { throw CancellationError() }
        reached.failures.append(.init(login: login, error: error))
      }
    }
    return reached
  }

  /// Returns the organisations that the login of an account reaches, each with the account that has
  /// it; none if the provider does not list them.
  ///
  /// - Throws: as ``organisations(account:)``.
  public func reachedOrganisations(account: String) async throws -> [ReachedOrganisation] {
    let login = configuration.login(of: account)
    let found = try await organisations(account: login)
    var owners: [String: String] = [:]
    for name in configuration.accounts(usingLoginOf: login) where name != login {
      if let id = configuration.accounts[name]?.tenantID { owners[id] = name }
    }
    // Without a choice, syncs read the only organisation.
    let own =
      try await organisationID(account: login) ?? (found.count == 1 ? found.first?.id : nil)
    if let own { owners[own] = login }
    let provider = configuration.accounts[login]?.provider ?? configuration.defaultProvider
    await keepNames(
      of: Dictionary(found.compactMap { entry in owners[entry.id].map { ($0, entry) } }) { $1 })
    return found.map {
      ReachedOrganisation(
        organisation: $0, login: login, provider: provider, account: owners[$0.id])
    }
  }

  /// Returns the accounts that a sync of all accounts reads, by name.
  ///
  /// An account whose login others use, and which has no organisation of its own, is a login only.
  public func syncedAccounts() async -> [String] {
    var names = Set(configuration.accounts.keys)
    for name in configuration.sharedLogins where await isLoginOnly(name) { names.remove(name) }
    return names.sorted()
  }

  /// Returns true if an account, whose login others use, has no organisation itself.
  func isLoginOnly(_ name: String) async -> Bool {
    guard let account = configuration.accounts[name], account.login == nil, account.tenantID == nil
    else { return false }
    guard (try? await organisationID(account: name)) == nil else { return false }
    // It may have synced its only organisation before the login reached others.
    let contents = try? await databaseForReading()?.contents(account: name)
    return contents?.isEmpty ?? true
  }
}

/// An organisation that a login reaches, and the account that has it.
public struct ReachedOrganisation: Sendable, Equatable {
  /// The organisation.
  public let organisation: Organisation
  /// The account that the login is named after.
  public let login: String
  /// The provider's name in the configuration.
  public let provider: String
  /// The account whose records are those of the organisation; `nil` if none is configured.
  public let account: String?

  func owned(by account: String) -> ReachedOrganisation {
    ReachedOrganisation(
      organisation: organisation, login: login, provider: provider, account: account)
  }
}

extension Sequence<ReachedOrganisation> {
  /// Returns the organisations with an identifier, or else those with a name, whatever its case.
  public func named(_ text: String) -> [ReachedOrganisation] {
    let found = Set(map(\.organisation).named(text))
    return filter { found.contains($0.organisation) }
  }
}

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
    await keepNames(of: [name: organisation])
  }
}

/// The organisation that syncs of an account read after a sign-in, or those to choose from.
public enum OrganisationSelection: Sendable, Equatable {
  /// The configuration names it; `nil` if the login does not reach it.
  case configured(Organisation?)
  /// The login reaches no other; `nil` if the provider lists none.
  case only(Organisation?)
  /// The login reaches several, and the user chooses one; `earlier` is the one that was chosen for
  /// the login before, which stays unless the user names another.
  case several([Organisation], earlier: Organisation?)

  /// The organisation that needs no choice; `nil` if there is none.
  public var settled: Organisation? {
    switch self {
    case .configured(let organisation), .only(let organisation): organisation
    case .several: nil
    }
  }
}

extension ApplicationCore {
  /// Returns the organisation that syncs of an account read after a sign-in, or those to choose
  /// from with ``chooseOrganisation(_:account:)``.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - earlier: the identifier of the organisation that was chosen before the sign-in, as
  ///     `Authenticator.storedLogin(of:)` returned it then.
  /// - Throws: as ``organisations(account:)``.
  public func organisationSelection(
    account name: String, earlier: String? = nil
  ) async throws -> OrganisationSelection {
    let found = try await organisations(account: name)
    if let configured = try accountConfiguration(name).tenantID {
      let organisation = found.first { $0.id == configured }
      if let organisation { await keepNames(of: [name: organisation]) }
      return .configured(organisation)
    }
    guard found.count > 1 else {
      if let only = found.first { await keepNames(of: [name: only]) }
      return .only(found.first)
    }
    return .several(found, earlier: found.first { $0.id == earlier })
  }
}
