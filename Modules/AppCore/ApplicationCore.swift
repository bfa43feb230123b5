public import Authentication
public import Foundation
public import Logging
public import Networking
import Providers
public import SecureStore
public import Storage
import Synchronization
import SystemSupport

/// The wired core: what a front end makes once, holds, and closes at its end.
///
/// Making it touches no network, no keyring and no database; each is reached when it is first
/// needed.
public final class ApplicationCore: Sendable {
  /// What it was made from.
  public let configuration: CoreConfiguration
  /// The one authenticator of the process.
  public let authenticator: Authenticator
  /// Where the logins are kept.
  public let secretStore: any SecretStore
  /// The session that speaks to authorization servers.
  public let authenticationSession: Session

  private let sessions = Mutex<[String: Session]>([:])
  private let accountLimits: AccountLimits
  let opener: DatabaseOpener
  /// Resolved by ``hurry()``.
  let hurried = SharedOutcome<Void>()
  let storeMemory: SecretStoreMemory
  private let httpObserver: (@Sendable (HTTPExchange) -> Void)?
  let makeLogger: @Sendable (_ label: String) -> Logger

  /// Wires the core.
  ///
  /// - Parameters:
  ///   - configuration: the configuration, from ``ConfigurationLoader`` or made by the front end.
  ///   - secretStore: where logins are kept; what the configuration names unless a front end has
  ///     its own.
  ///   - directories: where files are kept.
  ///   - credentials: what systemd hands to a service.
  ///   - httpObserver: told of each request on the wire, of every session, when it is over.
  ///   - makeLogger: where the modules log; what the process has set up unless a front end has its
  ///     own.
  /// - Throws: ``ConfigurationError``; `AuthenticationError.authenticatorExists`.
  public init(
    configuration: CoreConfiguration,
    secretStore: (any SecretStore)? = nil,
    directories: Directories = Directories(environment: ProcessInfo.processInfo.environment),
    credentials: ServiceCredentials = ServiceCredentials(),
    httpObserver: (@Sendable (HTTPExchange) -> Void)? = nil,
    makeLogger: @escaping @Sendable (_ label: String) -> Logger = { Logger(label: $0) }
  ) throws {
    try ProviderCatalogue.check(
      configuration.providers, described: configuration.describedProviders.keys)
    self.configuration = configuration
    self.httpObserver = httpObserver
    self.makeLogger = makeLogger
    storeMemory = SecretStoreMemory(path: directories.state + "/secret-store")
    self.secretStore =
      try secretStore
      ?? configuration.secretStore.store(in: directories, credentials, storeMemory)
    // A folder of its own: what is counted with every request wakes nobody who watches the logins.
    let counts = directories.state + "/requests"
    accountLimits = AccountLimits(folder: counts, log: makeLogger("appcore.networking"))
    do {
      try Directories.create(counts)
    } catch {
      throw ConfigurationError(
        source: directories.state, problem: "the folder for locks cannot be made")
    }
    authenticationSession = Session(
      name: "auth", configuration: configuration.session("auth"), observer: httpObserver,
      logger: makeLogger("appcore.networking"))
    authenticator = try Authenticator(
      accounts: try configuration.accounts.map {
        try $0.value.account(named: $0.key, in: configuration, credentials)
      },
      store: self.secretStore, session: authenticationSession, lockFolder: directories.state,
      logger: makeLogger("appcore.authentication"))
    opener = DatabaseOpener(
      path: configuration.databasePath ?? directories.data + "/appcore.sqlite",
      log: makeLogger("appcore.core"))
  }

  /// The database file.
  public var databasePath: String { opener.path }

  /// The database, opened or made at the first call.
  ///
  /// - Throws: `StorageError`.
  public func database() async throws -> LocalDatabase {
    try await opener.database()
  }

  /// Opens the database to read, at the first call, without waiting for a program that writes.
  ///
  /// - Parameter onWait: called if the file has to be migrated or repaired first, which waits for
  ///   such a program.
  /// - Returns: `nil` if there is no database yet; none is made.
  /// - Throws: `StorageError`.
  public func databaseForReading(
    onWait: @escaping @Sendable () -> Void = {}
  ) async throws -> LocalDatabase? {
    try await opener.databaseForReading(onWait: onWait)
  }

  /// The session of a feature module for an account, with the module's own configuration and the
  /// account's credentials; the same one at every call.
  ///
  /// - Throws: ``ConfigurationError``; `AuthenticationError.unknownAccount`.
  public func session(for module: String, account name: String) throws -> Session {
    let account = try accountConfiguration(name)
    let provider = try ProviderCatalogue.provider(account.provider, in: configuration)
    let baseURL = try provider.baseURL(account.endpoints)
    guard let origin = Origin(baseURL) else {
      throw ConfigurationError(source: "providers", key: "baseURL", problem: "not an http(s) URL")
    }
    let authorizer = try authenticator.authorizer(for: name, origins: [origin])
    return sessions.withLock { sessions in
      let key = module + "/" + name
      if let session = sessions[key] { return session }
      let session = Session(
        name: module,
        configuration: provider.bounded(configuration.session(module), account.endpoints),
        authorizer: authorizer, observer: httpObserver, logger: makeLogger("appcore.networking"),
        sharedLimits: accountLimits.limits(
          of: name, at: origin, concurrency: provider.concurrency(account.endpoints)))
      sessions[key] = session
      return session
    }
  }

  /// The database, opened to read the records of an account; see ``databaseForReading(onWait:)``.
  ///
  /// - Throws: `StorageError`; `AuthenticationError.unknownAccount` for an account that is neither
  ///   configured nor stored: a mistyped name is not an account without invoices.
  public func databaseForReading(
    account name: String, onWait: @escaping @Sendable () -> Void = {}
  ) async throws -> LocalDatabase? {
    let database = try await databaseForReading(onWait: onWait)
    if configuration.accounts[name] == nil,
      try await database?.contents(account: name).isEmpty ?? true
    {
      throw AuthenticationError.unknownAccount(name: name)
    }
    return database
  }

  /// The sessions of feature modules that were made so far.
  var allSessions: [Session] { sessions.withLock { Array($0.values) } }

  func accountConfiguration(_ name: String) throws -> AccountConfiguration {
    guard let account = configuration.accounts[name] else {
      throw AuthenticationError.unknownAccount(name: name)
    }
    return account
  }
}
