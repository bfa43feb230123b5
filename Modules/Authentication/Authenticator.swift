import Foundation
public import Logging
package import Metrics
public import Networking
public import SecureStore
import Synchronization
package import SystemSupport

/// Holds the credentials of every account of the process and renews each of them once, however
/// many wait.
///
/// There is one for one secure store; sessions reach it through ``authorizer(for:origins:)``.
public actor Authenticator {
  let credentials: CredentialStore
  let session: Session
  let time: TimeSource
  let log: Logger
  let lockTimeout: Duration
  let notice: CredentialNotice
  nonisolated let metrics: AuthenticationMetrics
  nonisolated let changes = CredentialChangeBroadcast()
  nonisolated let admission = ExchangeAdmission()
  var entries: [String: AccountEntry]

  private let lockFolder: String
  private nonisolated let requestCount = Mutex(0)
  private nonisolated let leases: [String: CredentialLease]
  private let storeIdentity: String
  private nonisolated let watch = Mutex<FolderWatch?>(nil)

  /// Creates the authenticator of the process.
  ///
  /// - Parameters:
  ///   - accounts: the accounts it serves.
  ///   - store: where logins are kept.
  ///   - session: the session for the authorization servers; it must have no authorizer.
  ///   - lockFolder: an existing folder, the same for every process of this person, for the locks.
  ///   - lockTimeout: how long to wait for another process that is renewing.
  /// - Throws: ``AuthenticationError/authenticatorExists(store:)``.
  public init(
    accounts: [Account], store: any SecretStore, session: Session, lockFolder: String,
    lockTimeout: Duration = .seconds(30), logger: Logger = Logger(label: "appcore.authentication")
  ) throws {
    try self.init(
      accounts: accounts, store: store, session: session, lockFolder: lockFolder,
      lockTimeout: lockTimeout, logger: logger, time: .system)
  }

  package init(
    accounts: [Account], store: any SecretStore, session: Session, lockFolder: String,
    lockTimeout: Duration = .seconds(30), logger: Logger = Logger(label: "appcore.authentication"),
    time: TimeSource, metrics: (any MetricsFactory)? = nil
  ) throws {
    self.metrics = AuthenticationMetrics(factory: metrics)
    try AuthenticatorRegistry.claim(store.identity)
    storeIdentity = store.identity
    credentials = CredentialStore(store: store)
    self.session = session
    self.lockFolder = lockFolder
    self.lockTimeout = lockTimeout
    self.time = time
    log = logger
    notice = CredentialNotice(folder: lockFolder)
    let entries = accounts.map {
      AccountEntry(account: $0, lease: CredentialLease(time: time, scheme: $0.tokenScheme))
    }
    self.entries = Dictionary(entries.map { ($0.account.name, $0) }) { first, _ in first }
    leases = self.entries.mapValues(\.lease)
    let watch = FolderWatch(folder: lockFolder) { [weak self] file in
      guard let self else { return }
      if let file {
        guard let account = CredentialNotice.account(ofFile: file) else { return }
        Task { await self.noticed(account) }
      } else {
        Task { await self.noticedEverything() }
      }
    }
    if watch == nil {
      logger.warning("changes by other processes are noticed late: the folder cannot be watched")
    }
    self.watch.withLock { $0 = watch }
  }

  deinit {
    changes.finish()
    AuthenticatorRegistry.release(storeIdentity)
  }

  /// Gives a session the credentials of an account, for these origins and no others.
  ///
  /// - Throws: ``AuthenticationError/unknownAccount(name:)``.
  public nonisolated func authorizer(
    for account: String, origins: Set<Origin>
  ) throws -> AccountAuthorizer {
    guard let lease = leases[account] else {
      throw AuthenticationError.unknownAccount(name: account)
    }
    return AccountAuthorizer(
      account: account, origins: origins, authenticator: self, lease: lease)
  }

  /// How many token requests this process has sent, for reports.
  public nonisolated var tokenRequests: Int { requestCount.withLock { $0 } }

  private nonisolated func countRequest() { requestCount.withLock { $0 += 1 } }

  func entry(_ name: String) throws -> AccountEntry {
    guard let entry = entries[name] else { throw AuthenticationError.unknownAccount(name: name) }
    return entry
  }

  nonisolated func lockPath(for account: String) -> String {
    lockFolder + "/auth-" + account + ".lock"
  }

  /// Makes a credential the one that an account's requests are sent with.
  func install(_ credential: Credential, in entry: AccountEntry) {
    let now = time.wall()
    let canBeRenewed =
      credential.refreshToken != nil || credential.grant == .clientCredentials
      || entry.account.refresh != nil
    let renewal = credential.timeToRenewal(at: now, jitter: .random(in: 0...1))
    entry.lease.install(
      credential,
      remaining: credential.remaining(at: now).map { .seconds(max(0, $0)) },
      renewal: canBeRenewed ? renewal.map { .seconds(max(0, $0)) } : nil)
  }

  /// Everything that one renewal of an account needs.
  func renewal(of name: String) throws -> CredentialRenewal {
    let entry = try entry(name)
    let epoch = entry.epoch
    return CredentialRenewal(
      account: entry.account, credentials: credentials, notice: notice,
      endpoint: { [weak self] in
        guard let self else { throw CancellationError() }
        return try await self.endpoint(of: name)
      },
      admission: admission, lockPath: lockPath(for: name), lockTimeout: lockTimeout,
      requestLimit: session.configuration.timeout.request, time: time, held: entry.held,
      heldLock: entry.unsaved?.lock, ended: entry.lease.endedGeneration,
      isWanted: { [weak self] in await self?.isCurrent(epoch, of: name) ?? true })
  }

  private func isCurrent(_ epoch: Int, of name: String) -> Bool {
    entries[name]?.epoch == epoch
  }

  func endpoint(of name: String) async throws -> TokenEndpoint {
    let entry = try entry(name)
    let server: AuthorizationServer
    switch (entry.server, entry.account.server) {
    case (let known?, _), (nil, .endpoints(let known)): server = known
    case (nil, .discovery(let issuer, let given)):
      do {
        server = try await ServerDiscovery(session: session).server(of: issuer, given: given)
      } catch DiscoveryError.otherIssuer, DiscoveryError.insecure {
        throw AuthenticationError.misconfigured(
          account: name,
          reason: "the issuer's metadata names another issuer or an insecure endpoint")
      }
    }
    guard AuthorizationServer.isTrustworthy(server.tokenEndpoint) else {
      throw AuthenticationError.misconfigured(
        account: name, reason: "the token endpoint is neither https nor on this machine")
    }
    entries[name]?.server = server
    return TokenEndpoint(
      server: server, account: entry.account, session: session, time: time,
      onRequest: { [weak self] in self?.countRequest() })
  }
}
