public import Authentication
public import Foundation
public import Logging
import Models
public import Networking
import Providers
public import SecureStore
public import Storage
public import Sync
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

  private let directories: Directories
  private let sessions = Mutex<[String: Session]>([:])
  private let accountLimits: AccountLimits
  let opener: DatabaseOpener
  /// Resolved by ``hurry()``.
  let hurried = SharedOutcome<Void>()
  private let storeMemory: SecretStoreMemory
  private let httpObserver: (@Sendable (HTTPExchange) -> Void)?
  private let makeLogger: @Sendable (_ label: String) -> Logger

  /// Wires the core.
  ///
  /// - Parameters:
  ///   - secretStore: where logins are kept; what the configuration names unless a front end has its
  ///     own.
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
    self.directories = directories
    storeMemory = SecretStoreMemory(path: directories.state + "/secret-store")
    self.secretStore =
      try secretStore
      ?? Self.store(configuration.secretStore, directories, credentials, storeMemory)
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
        try Self.account($0.key, $0.value, configuration, credentials)
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
  /// - Parameter onWait: called if the file has to be migrated or repaired first, which waits for such a
  ///   program.
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

  /// What can be synced of an account, such as `invoices`.
  ///
  /// - Throws: ``ConfigurationError``, `AuthenticationError.unknownAccount`.
  public func resources(account name: String) throws -> [String] {
    try ProviderCatalogue.provider(
      try accountConfiguration(name).provider, in: configuration
    ).resources
  }

  /// The sync of one resource of an account, over the session of the same name.
  ///
  /// - Throws: ``ConfigurationError``, also for a resource that the provider does not list;
  ///   `StorageError`; `AuthenticationError`, also where only a sign-in tells which organisation is meant.
  public func sync(of resource: String, account name: String) async throws -> ResourceSync {
    try await sync(of: resource, account: name, into: try await database())
  }

  func sync(
    of resource: String, account name: String, into database: LocalDatabase
  ) async throws -> ResourceSync {
    let account = try accountConfiguration(name)
    let provider = try ProviderCatalogue.provider(account.provider, in: configuration)
    let context = ProviderContext(
      account: name, baseURL: try provider.baseURL(account.endpoints),
      tenantID: try await tenantID(of: name, at: provider),
      session: try session(for: resource, account: name), database: database,
      signIn: await signIn(of: name), logger: makeLogger("appcore.sync"))
    guard let sync = provider.sync(of: resource, in: context) else {
      throw ConfigurationError(
        source: "accounts", key: name,
        problem: "\(provider.name) does not list \(resource); it has "
          + provider.resources.joined(separator: ", "))
    }
    return sync
  }

  /// The organisation as it is configured, else as the sign-in told it.
  private func tenantID(of name: String, at provider: any Provider) async throws -> String? {
    if let configured = try accountConfiguration(name).tenantID { return configured }
    guard provider.traits.redirectTenantParameter != nil else { return nil }
    return try await authenticator.tenantID(of: name)
  }

  /// The sessions of feature modules that were made so far.
  var allSessions: [Session] { sessions.withLock { Array($0.values) } }

  private func accountConfiguration(_ name: String) throws -> AccountConfiguration {
    guard let account = configuration.accounts[name] else {
      throw AuthenticationError.unknownAccount(name: name)
    }
    return account
  }

  /// Forgets which store the logins are kept in, after the last was signed out; another can then be
  /// configured.
  public func forgetSecretStore() {
    storeMemory.forget()
  }

  private static func store(
    _ choice: SecretStoreChoice, _ directories: Directories, _ credentials: ServiceCredentials,
    _ memory: SecretStoreMemory
  ) throws -> any SecretStore {
    let (store, name): (any SecretStore, String)
    switch choice {
    case .keyring: (store, name) = (LibsecretStore(), "keyring")
    case .encryptedFile(let keyFile, let path):
      let path = path ?? directories.data + "/logins.encrypted"
      do {
        try Directories.create(
          URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
      } catch {
        throw ConfigurationError(source: path, problem: "its folder cannot be made")
      }
      store = EncryptedFileStore(
        path: path, keyFile: credentials.path(keyFile),
        isServiceCredential: credentials.holds(keyFile))
      name = "encrypted-file:" + path
    }
    try memory.check(name)
    return RememberedSecretStore(backing: store, name: name, memory: memory)
  }

  private static func account(
    _ name: String, _ entry: AccountConfiguration, _ configuration: CoreConfiguration,
    _ credentials: ServiceCredentials
  ) throws -> Account {
    let provider = try ProviderCatalogue.provider(entry.provider, in: configuration)
    let client = OAuthClient(
      id: entry.clientID ?? "",
      secret: try secret(in: entry.clientSecretFile, account: name, credentials),
      authentication: entry.clientAuthentication ?? provider.clientAuthentication,
      redirectPort: entry.redirectPort)
    let account = Account(
      name: name, server: try provider.server(entry.endpoints), client: client,
      scopes: entry.scopes ?? provider.traits.scopes)
    guard var account else {
      throw ConfigurationError(
        source: "accounts", key: name, problem: "a name is 1 to 64 letters, digits, '.', '_' or '-'"
      )
    }
    account.resources = entry.resources.compactMap(URL.init(string:))
    account.audience = entry.audience
    account.apiOrigin = Origin(try provider.baseURL(entry.endpoints))
    account.replay = provider.replay
    account.hasTokenEndpoint = provider.hasTokenEndpoint(entry.endpoints)
    account.redirectTenantParameter = provider.traits.redirectTenantParameter
    account.refreshSendsRedirectURI = provider.traits.refreshSendsRedirectURI
    account.tokenScheme = provider.traits.tokenScheme
    guard account.tokenScheme.isSafe else {
      throw ConfigurationError(
        source: "providers", key: provider.name,
        problem: "its tokenScheme names no field for a token"
      )
    }
    // A token that is handed over anew at each start is used as it is, and kept nowhere.
    account.providedTokens = try credentials.text("appcore.\(name).token").map { text in
      guard let tokens = TokenSet(pasted: text) else {
        throw ConfigurationError(
          source: "$CREDENTIALS_DIRECTORY/appcore.\(name).token", problem: "it holds no token")
      }
      return tokens
    }
    return account
  }

  private static func secret(
    in file: String?, account: String, _ credentials: ServiceCredentials
  ) throws -> Secret? {
    guard let file else { return nil }
    let path = credentials.path(file)
    func problem(_ text: String) -> ConfigurationError {
      ConfigurationError(
        source: path, key: "accounts.\(account).clientSecretFile", problem: text)
    }
    let data: Data
    do {
      data = try PrivateFile(path: path, isServiceCredential: credentials.holds(file)).read()
    } catch {
      switch error {
      case .exposed: throw problem("others have access to it; chmod 600 \(path.shellWord)")
      case .foreign: throw problem("it belongs to another user")
      case .unreadable, .unsuitable: throw problem("it cannot be read")
      }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw problem("it is not text")
    }
    return Secret(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
