import Foundation
public import Logging
package import Metrics
public import Networking
public import SecureStore
import Synchronization
package import SystemSupport

/// The authentication of the process: it holds the credentials of every account, and renews each of
/// them once for all waiting callers.
///
/// One authenticator serves one service of one secure store. Sessions reach it through
/// ``authorizer(for:origins:)``.
public actor Authenticator {
  nonisolated let context: AuthenticatorContext
  nonisolated let logins: [String: AccountLogin]
  /// The accounts that use another account's login, each with that account.
  private nonisolated let sharing: [String: String]
  private nonisolated let unusedLogins: UnusedLogins
  private nonisolated let watch: FolderWatch?

  /// The service that names the logins of appcore in a secure store.
  public static let defaultService = "appcore"

  /// The default of the longest wait for another process that is renewing.
  public static let defaultLockTimeout = Duration.seconds(30)

  /// Creates the authenticator of the process.
  ///
  /// - Parameters:
  ///   - accounts: the accounts that have a login of their own.
  ///   - sharing: the accounts that use the login of another one, each with the name of that one.
  ///     Every call takes either name; there is one sign-in, one renewal and one stored login.
  ///   - store: the store that keeps the logins.
  ///   - service: the program whose logins these are; a part of each login's key in the store.
  ///   - session: the session for the authorization servers; it must have no authorizer.
  ///   - lockFolder: an existing folder for the locks, the same for every process of this user.
  ///   - lockTimeout: the longest wait for another process that is renewing.
  ///   - logger: receives the log.
  /// - Throws: ``AuthenticationError/authenticatorExists(store:)``.
  public init(
    accounts: [Account], sharing: [String: String] = [:], store: any SecretStore,
    service: String = Authenticator.defaultService, session: Session,
    lockFolder: String, lockTimeout: Duration = Authenticator.defaultLockTimeout,
    logger: Logger = Logger(label: "appcore.authentication")
  ) throws {
    try self.init(
      accounts: accounts, sharing: sharing, store: store, service: service, session: session,
      lockFolder: lockFolder, lockTimeout: lockTimeout, logger: logger, time: .system)
  }

  package init(
    accounts: [Account], sharing: [String: String] = [:], store: any SecretStore,
    service: String = Authenticator.defaultService, session: Session, lockFolder: String,
    lockTimeout: Duration = Authenticator.defaultLockTimeout,
    logger: Logger = Logger(label: "appcore.authentication"),
    time: TimeSource, metrics: (any MetricsFactory)? = nil
  ) throws {
    let credentials = CredentialStore(store: store, service: service)
    let context = AuthenticatorContext(
      claim: try StoreClaim(credentials.identity), session: session, time: time, log: logger,
      metrics: AuthenticationMetrics(factory: metrics))
    let logins = accounts.map {
      AccountLogin(
        account: $0,
        store: LoginStore(
          account: $0, credentials: credentials, lockFolder: lockFolder, lockTimeout: lockTimeout),
        context: context)
    }
    self.context = context
    self.logins = Dictionary(logins.map { ($0.name, $0) }) { first, _ in first }
    self.sharing = sharing
    unusedLogins = UnusedLogins(
      credentials: credentials, lockFolder: lockFolder)
    watch = FolderWatch(folder: lockFolder) { [logins = self.logins] file in
      // Without a file name, changes were missed, so every account checks.
      let names = file.map { [LoginNotice.account(ofFile: $0)].compactMap(\.self) }
      for name in names ?? Array(logins.keys) {
        guard let login = logins[name] else { continue }
        Task { await login.noticeChanged() }
      }
    }
    if watch == nil {
      logger.warning(
        "cannot watch the folder for locks; changes by other processes are noticed late")
    }
  }

  /// Returns an authorizer that gives a session the credentials of an account, for these origins
  /// only.
  ///
  /// - Throws: ``AuthenticationError/unknownAccount(name:)``.
  public nonisolated func authorizer(
    for account: String, origins: Set<Origin>
  ) throws -> AccountAuthorizer {
    AccountAuthorizer(login: try login(account), origins: origins, authenticator: self)
  }

  /// Returns the second secret of an account's requests; `nil` if they carry a token alone.
  ///
  /// - Throws: ``AuthenticationError/unknownAccount(name:)``.
  package nonisolated func secondSecret(of account: String) throws -> SecondSecret? {
    try login(account).account.secondSecret
  }

  /// Returns whether an account that shares another's login has one of its own in the store, from
  /// before it shared; nothing uses it.
  ///
  /// - Throws: ``AuthenticationError``.
  public nonisolated func hasUnusedLogin(_ account: String) async throws -> Bool {
    guard sharing[account] != nil else { return false }
    return try await unusedLogins.contains(account)
  }

  /// Removes the login that ``hasUnusedLogin(_:)`` reports from the store; it is not revoked, since
  /// its client is no longer configured.
  ///
  /// - Returns: `false` if there was none.
  /// - Throws: ``AuthenticationError``.
  public nonisolated func removeUnusedLogin(_ account: String) async throws -> Bool {
    guard sharing[account] != nil else { return false }
    return try await unusedLogins.remove(account)
  }

  /// Gives the stored login of an account to another name, with the tokens as they are.
  ///
  /// It can be repeated after a failure at any point: the login is stored under the new name before
  /// it is removed under the old one, and no process renews it meanwhile.
  ///
  /// - Returns: false if the account has no login.
  /// - Throws: ``AuthenticationError``; ``LoginTaken`` if the other name has a login of its own.
  package nonisolated func moveLogin(of former: String, to name: String) async throws -> Bool {
    try await unusedLogins.move(former, to: name)
  }

  /// The number of token requests that this process has sent, for reports.
  public nonisolated var tokenRequests: Int { context.tokenRequests.count }

  /// The changes of logins from now on, in this process and in others, each once and in order.
  ///
  /// Every process adds what it has changed to a file beside the login's lock. The first use of a
  /// login changes nothing. A slow listener loses the oldest changes.
  ///
  /// Any number of listeners may follow them; leaving the loop ends the stream.
  public nonisolated func credentialChanges() -> AsyncStream<CredentialChange> {
    context.changes.stream()
  }

  nonisolated func login(_ name: String) throws -> AccountLogin {
    guard let login = logins[sharing[name] ?? name] else {
      throw AuthenticationError.unknownAccount(name: name)
    }
    return login
  }
}

extension Authenticator {
  /// Signs an account in, replacing a previous login.
  ///
  /// A caller joins a sign-in of the account that is already in progress, whatever its method, so
  /// that the user is asked once. The sign-in ends when its last caller is cancelled.
  ///
  /// - Throws: ``AuthenticationError``; `CancellationError` if the task is cancelled. A previous
  ///   login is kept unless the new one is stored.
  public func signIn(_ name: String, with method: SignInMethod) async throws -> AccountStatus {
    try await login(name).signIn(with: method)
  }

  /// Stores tokens that a front end obtained itself, replacing a previous login.
  ///
  /// - Throws: ``AuthenticationError``.
  public func setTokens(_ tokens: TokenSet, for name: String) async throws -> AccountStatus {
    try await login(name).signIn(with: .tokens(tokens))
  }

  /// Signs an account out: ends waiters with an error, removes the login, and revokes its tokens.
  ///
  /// It also succeeds offline, and while another process keeps its lock. The report states if the
  /// tokens could not be revoked.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - delegate: shows the server's own sign-out page, if it has one.
  /// - Throws: ``AuthenticationError`` if the login could not be removed from the store.
  public func signOut(
    _ name: String, delegate: (any AuthenticationDelegate)? = nil
  ) async throws -> SignOutReport {
    try await login(name).signOut(delegate: delegate)
  }

  /// Removes the login of an account from this machine without a request to the server, and ends
  /// waiters with an error.
  ///
  /// - Throws: ``AuthenticationError`` if the login could not be removed from the store.
  public func reset(_ name: String) async throws {
    try await login(name).reset()
  }

  /// Returns the state of an account's stored login, without renewing it.
  ///
  /// - Throws: ``AuthenticationError``.
  public func status(of name: String) async throws -> AccountStatus {
    try await login(name).status()
  }

  /// Checks that an account's authorization server responds at all, and returns its origin.
  ///
  /// - Throws: ``AuthenticationError``.
  public func probeServer(of name: String) async throws -> String {
    try await login(name).probeServer()
  }

  /// Returns an account's stored login, also one that was made with another server or client; `nil`
  /// if there is none that could be used.
  ///
  /// - Throws: ``AuthenticationError``.
  public func storedLogin(of name: String) async throws -> StoredLogin? {
    try await login(name).storedLogin()
  }

  /// Stores the organisation that the user chose with the login of an account; renewals keep it.
  ///
  /// - Throws: ``AuthenticationError``, also if there is no login.
  package func chooseOrganisation(_ id: String, name: String?, of account: String) async throws {
    try await login(account).choose(Credential.Organisation(id: id, name: name))
  }

  /// Returns the organisation that the user chose, or that the redirect of the sign-in named; `nil`
  /// if there is neither.
  ///
  /// - Throws: ``AuthenticationError``, also if there is no login.
  package func tenantID(of name: String) async throws -> String? {
    try await login(name).tenantID()
  }

  /// Returns an opaque text that identifies the login of an account.
  ///
  /// Each sign-in has a new one, and renewals keep it. Without a valid token, the call waits for
  /// one, as a request does.
  ///
  /// - Throws: ``AuthenticationError``, also if there is no login.
  package func loginID(of name: String) async throws -> String {
    try await login(name).loginID()
  }

  /// Returns the ID of the login with which this process last sent requests; `nil` if it has sent
  /// none, or is signed out.
  package func currentLoginID(of name: String) async -> String? {
    try? await login(name).currentLoginID
  }

  /// Returns true if the configuration provides an account's tokens, so that no login is stored.
  package func isProvided(_ name: String) -> Bool {
    (try? login(name).account.providedTokens) != nil
  }
}

struct AuthenticatorContext: Sendable {
  /// Prevents a second authenticator for the store while a renewal still uses it.
  let claim: StoreClaim
  let session: Session
  let time: TimeSource
  let log: Logger
  let metrics: AuthenticationMetrics
  let changes = CredentialChangeBroadcast()
  let admission = ExchangeAdmission()
  let tokenRequests = TokenRequestCounter()
}

final class TokenRequestCounter: Sendable {
  private let state = Mutex(0)

  var count: Int { state.withLock { $0 } }

  func increment() { state.withLock { $0 += 1 } }
}
