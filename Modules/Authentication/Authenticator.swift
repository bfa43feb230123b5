import Foundation
public import Logging
package import Metrics
public import Networking
public import SecureStore
package import SystemSupport

/// The authentication of the process: it holds the credentials of every account, and renews each of
/// them once for all waiting callers.
///
/// One authenticator serves one service of one secure store. Sessions reach it through
/// ``authorizer(for:origins:)``.
public actor Authenticator {
  nonisolated let context: AuthenticatorContext
  /// The logins, by the account that each is named after.
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

  /// The number of token requests that this process has sent, for reports.
  public nonisolated var tokenRequests: Int { context.tokenRequests.count }

  /// The changes of logins from now on, in this process and in others.
  ///
  /// Any number of listeners may follow them; leaving the loop ends the stream.
  public nonisolated func credentialChanges() -> AsyncStream<CredentialChange> {
    context.changes.stream()
  }

  /// Finds the login of an account.
  ///
  /// - Throws: ``AuthenticationError/unknownAccount(name:)``.
  nonisolated func login(_ name: String) throws -> AccountLogin {
    guard let login = logins[sharing[name] ?? name] else {
      throw AuthenticationError.unknownAccount(name: name)
    }
    return login
  }
}
