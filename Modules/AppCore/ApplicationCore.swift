public import Authentication
public import ErrorCodes
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

  let sessions = Mutex<[String: Session]>([:])
  let isClosed = Mutex(false)
  let accountLimits: AccountLimits
  let onlyOrganisations = OnlyOrganisations()
  let opener: DatabaseOpener
  let hurried = SharedOutcome<Void>()
  let storeMemory: SecretStoreMemory
  let httpObserver: (@Sendable (HTTPExchange) -> Void)?
  let makeLogger: @Sendable (_ label: String) -> Logger
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
  func requireLockFolder() throws {
    if let lockFolderProblem { throw lockFolderProblem }
  }

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

extension ApplicationCore {
  /// Closes everything in order: the sessions, the renewals under way, and the database.
  ///
  /// From this call on, no exchange with an authorization server begins, and a session or database
  /// that is asked for fails with ``CoreError/closed``. Once it returns, the
  /// process can create another core for the same store of logins. Closing continues even if the
  /// calling task is cancelled; ``hurry()`` shortens it.
  ///
  /// A renewed login that neither the store nor its sealed file takes is tried again until
  /// ``hurry()``: it would end with the process.
  ///
  /// - Parameter onWaiting: called when closing begins to wait for some work.
  /// - Throws: `AuthenticationError.notSaved` if renewed logins exist only in this process, and
  ///   `AuthenticationError.keptSealed` if the next one stores them; everything else is still
  ///   closed.
  public func close(
    onWaiting: @escaping @Sendable (PendingWork) -> Void = { _ in }
  ) async throws {
    authenticator.refuseExchanges()
    isClosed.withLock { $0 = true }
    // A program that was asked to end calls this from a cancelled task.
    try await Task { try await closeEverything(onWaiting) }.value
  }

  /// Makes ``close(onWaiting:)`` wait only for a renewal whose exchange has begun, and for its
  /// storing.
  ///
  /// It can be called from any thread, before or while the core is closed, and any number of times.
  public func hurry() {
    hurried.resolve(.success(()))
  }

  private func closeEverything(_ onWaiting: @escaping @Sendable (PendingWork) -> Void) async throws
  {
    await opener.refuse()
    let sessions = allSessions
    for session in sessions { onWaiting(.requests(session: session.name)) }
    await hurried.unlessResolved {
      await withTaskGroup { group in
        for session in sessions { group.addTask { await session.shutdown() } }
      }
    }
    let drained: Result<Void, any Error>
    do {
      drained = .success(
        try await authenticator.drain(hurried: hurried) { work in
          switch work {
          case .renewal(let account): onWaiting(.renewal(account: account))
          case .unsavedLogin(let account): onWaiting(.unsavedLogin(account: account))
          }
        })
    } catch {
      drained = .failure(error)
    }
    authenticator.releaseStore()
    let session = authenticationSession
    await hurried.unlessResolved { await session.shutdown() }
    let closed = SharedOutcome<Void>()
    if await opener.isOpen {
      onWaiting(.database)
      await hurried.unlessResolved { [opener] in
        do { closed.resolve(.success(try await opener.close())) } catch {
          closed.resolve(.failure(error))
        }
      }
    }
    // If nobody waited for the database, treat it as closed: what was committed is durable.
    closed.resolve(.success(()))
    try drained.get()
    try await closed.value()
  }
}

/// Work that closing the core waits for.
public enum PendingWork: Sendable, Equatable {
  /// The requests of a session; they are cancelled, and their connections closed.
  case requests(session: String)
  /// A renewal whose exchange has begun; interrupting it would lose the login.
  case renewal(account: String)
  /// A login that is in memory only and is being stored.
  case unsavedLogin(account: String)
  /// The closing of the database.
  case database
}

/// An error of the core itself.
public enum CoreError: Error, Sendable, Equatable {
  /// The core was closed; create another one.
  case closed
}

extension CoreError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .closed: .coreClosed
    }
  }

  /// A sentence for the user or a log.
  public var description: String {
    switch self {
    case .closed: "the core is closed"
    }
  }
}

extension CoreError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step that solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .closed: "Restart the program."
    }
  }
}
