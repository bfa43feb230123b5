public import Authentication
public import Foundation
public import Logging
public import Networking
import Providers
public import SecureStore
public import Storage
import Synchronization
import SystemSupport

/// The core of an application.
///
/// A front end creates it once, and closes it before the program exits. Creating it accesses no
/// network, no keyring and no database; it opens each when it is first needed.
public final class ApplicationCore: Sendable {
  /// The configuration that the core was created from.
  public let configuration: CoreConfiguration
  /// The one authenticator of the process.
  public let authenticator: Authenticator
  /// The store that holds the logins.
  public let secretStore: any SecretStore
  /// The session for requests to authorization servers.
  public let authenticationSession: Session

  /// The sessions of feature modules that were created so far.
  let sessions = Mutex<[String: Session]>([:])
  /// True once ``close(onWaiting:)`` has been called.
  let isClosed = Mutex(false)
  let accountLimits: AccountLimits
  let opener: DatabaseOpener
  /// Resolved by ``hurry()``.
  let hurried = SharedOutcome<Void>()
  let storeMemory: SecretStoreMemory
  let httpObserver: (@Sendable (HTTPExchange) -> Void)?
  let makeLogger: @Sendable (_ label: String) -> Logger
  /// The reason why there is no folder for locks; `nil` if there is one.
  private let lockFolderProblem: ConfigurationError?

  /// Creates the core.
  ///
  /// - Parameters:
  ///   - configuration: the configuration, from ``ConfigurationLoader`` or created by the front
  ///     end.
  ///   - secretStore: the store for logins; `nil` takes the one that the configuration names.
  ///   - directories: the folders for files.
  ///   - credentials: the credentials that systemd passes to a service.
  ///   - httpObserver: receives each finished request on the wire, of every session.
  ///   - makeLogger: creates the logger of a module; by default, in the logging system that the
  ///     process has set up.
  /// - Throws: ``ConfigurationError``; `AuthenticationError.authenticatorExists`.
  public init(
    configuration: CoreConfiguration,
    secretStore: (any SecretStore)? = nil,
    directories: Directories = Directories(environment: ProcessInfo.processInfo.environment),
    credentials: ServiceCredentials = ServiceCredentials(),
    httpObserver: (@Sendable (HTTPExchange) -> Void)? = nil,
    makeLogger: @escaping @Sendable (_ label: String) -> Logger = { Logger(label: $0) }
  ) throws {
    try CoreConfiguration.check(
      configuration.providers, described: configuration.describedProviders.keys)
    try configuration.checkLogins()
    self.configuration = configuration
    self.httpObserver = httpObserver
    self.makeLogger = makeLogger
    storeMemory = SecretStoreMemory(directories, log: makeLogger("appcore.core"))
    self.secretStore =
      try secretStore
      ?? configuration.secretStore.store(in: directories, credentials, storeMemory)
    // A separate folder: counting each request must not wake processes that watch the logins.
    let counts = directories.state + "/requests"
    accountLimits = AccountLimits(folder: counts, log: makeLogger("appcore.networking"))
    // Commands that only read need no locks; the others report the problem.
    lockFolderProblem =
      (try? Directories.create(counts)) == nil
      ? ConfigurationError(
        source: directories.state,
        problem: "cannot create the folder for locks: "
          + (FolderProbe(path: counts).problem ?? "unknown cause"),
        hint: Diagnosis.fix(FolderProbe(path: counts), chosenBy: "XDG_STATE_HOME")) : nil
    authenticationSession = Session(
      name: "auth", configuration: configuration.session("auth"), observer: httpObserver,
      logger: makeLogger("appcore.networking"))
    authenticator = try Authenticator(
      accounts: try configuration.accounts.filter { $0.value.login == nil }.map {
        try $0.value.account(named: $0.key, in: configuration, credentials)
      },
      sharing: configuration.accounts.compactMapValues(\.login),
      store: self.secretStore, service: configuration.secretStore.service,
      session: authenticationSession, lockFolder: directories.state,
      logger: makeLogger("appcore.authentication"))
    opener = DatabaseOpener(
      path: configuration.databasePath ?? directories.databasePath,
      log: makeLogger("appcore.core"))
  }

  /// The path of the database file.
  public var databasePath: String { opener.path }

  /// Returns the database, which the first call opens or creates.
  ///
  /// - Throws: `StorageError`; ``CoreError/closed``.
  public func database() async throws -> LocalDatabase {
    try await opener.database()
  }

  /// Returns the database for reading, which the first call opens without waiting for a program
  /// that writes.
  ///
  /// - Parameter onWait: called if the file has to be migrated or repaired first, which waits for
  ///   such a program.
  /// - Returns: `nil` if there is no database yet; none is created.
  /// - Throws: `StorageError`; ``CoreError/closed``.
  public func databaseForReading(
    onWait: @escaping @Sendable () -> Void = {}
  ) async throws -> LocalDatabase? {
    try await opener.databaseForReading(onWait: onWait)
  }

  /// Returns the database for reading the records of an account; see
  /// ``databaseForReading(onWait:)``.
  ///
  /// - Throws: `StorageError`; `AuthenticationError.unknownAccount` for an account that is neither
  ///   configured nor stored: a mistyped name must not look like an account without invoices.
  public func databaseForReading(
    account name: String, onWait: @escaping @Sendable () -> Void = {}
  ) async throws -> LocalDatabase? {
    let database = try await databaseForReading(onWait: onWait)
    if configuration.accounts[name] == nil,
      try await database?.contents(account: name).isEmpty ?? true
    {
      try configuration.requireChoice(name)
      throw AuthenticationError.unknownAccount(name: name)
    }
    return database
  }

  /// Requires the folder for locks, without which two processes could spend one refresh token.
  ///
  /// - Throws: ``ConfigurationError``.
  func requireLockFolder() throws {
    if let lockFolderProblem { throw lockFolderProblem }
  }

  /// Requires that nobody has begun to close the core.
  ///
  /// - Throws: ``CoreError/closed``.
  func requireOpen() throws {
    if isClosed.withLock({ $0 }) { throw CoreError.closed }
  }

  func accountConfiguration(_ name: String) throws -> AccountConfiguration {
    try configuration.requireConfiguration()
    try configuration.requireChoice(name)
    guard let account = configuration.accounts[name] else {
      throw AuthenticationError.unknownAccount(name: name)
    }
    return account
  }
}
