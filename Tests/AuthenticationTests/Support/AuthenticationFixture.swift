import Foundation
import HTTPTypes
import Logging
import Metrics
import Networking
import Sandbox
import SecureStore
import TestSupport

@testable import Authentication

/// A sandbox, a store and an authenticator, wired as in the program.
final class AuthenticationFixture: Sendable {
  let server: SandboxServer
  let store: TestStore
  let session: Session
  let account: Account
  let authenticator: Authenticator
  let folder: TemporaryDirectory
  let clock = ManualClock()

  /// - Parameter gate: the gate before the token endpoint.
  init(
    gate: TokenGate? = nil, logger: Logger = .silent,
    _ adjust: (inout SandboxConfiguration) -> Void = { _ in },
    account adjustAccount: (inout Account) -> Void = { _ in }
  ) async throws {
    var configuration = SandboxConfiguration()
    configuration.autoApprove = true
    adjust(&configuration)
    server = try await SandboxServer.start(configuration)
    store = TestStore(backing: InMemorySecretStore())
    folder = try TemporaryDirectory()
    var auth = SessionConfiguration()
    auth.redirects = .none
    auth.timeout = .patient
    session = Session(
      name: "auth", configuration: auth, networkMiddleware: [gate].compactMap(\.self))
    account = try Self.account(server, adjustAccount)
    authenticator = try Authenticator(
      accounts: [account], store: store, session: session,
      lockFolder: folder.path, lockTimeout: Patience.limit, logger: logger, time: clock.source)
    CleanUp.atEnd { await self.stop() }
  }

  private static func account(
    _ server: SandboxServer, _ adjust: (inout Account) -> Void
  ) throws -> Account {
    let known = Account(
      name: "default", server: .discovery(issuer: server.url),
      client: OAuthClient(id: server.clientID),
      scopes: ["offline_access", "accounting.invoices.read"])
    guard var account = known else { throw CocoaError(.featureUnsupported) }
    adjust(&account)
    return account
  }

  /// Makes another authenticator with the same login, as another process has.
  func peer(
    _ store: TestStore? = nil, accounts: [Account]? = nil, sharing: [String: String] = [:],
    lockFolder: String? = nil, lockTimeout: Duration = Patience.limit,
    metrics: (any MetricsFactory)? = nil
  ) throws -> Authenticator {
    try Authenticator(
      accounts: accounts ?? [account], sharing: sharing,
      store: store ?? TestStore(backing: self.store.backing), session: session,
      lockFolder: lockFolder ?? folder.path, lockTimeout: lockTimeout, logger: .silent,
      time: clock.source, metrics: metrics)
  }

  /// Begins to ask for credentials.
  func asking() -> Task<Credential, any Error> {
    Task { try await authenticator.credential(for: "default") }
  }

  /// Returns the stored record, as another program would read it.
  func record() async throws -> CredentialRecord? {
    try await CredentialStore(store: store.backing).record(of: "default")
  }

  func replace(_ change: (inout CredentialRecord) -> Void) async throws {
    guard var record = try await record() else { throw CocoaError(.fileNoSuchFile) }
    change(&record)
    try await CredentialStore(store: store.backing).save(record, for: "default")
  }

  /// Leaves the journal entry of a renewal that began now and did not finish.
  func interruptRenewal(
    after delay: TimeInterval = 0, process: ProcessIdentity = .current
  ) async throws {
    let date = clock.wall.addingTimeInterval(delay)
    try await replace { record in
      guard case .active(let credential) = record.content, let token = credential.refreshToken
      else { return }
      record.pendingExchange = .init(token, at: date, process: process)
    }
  }

  func signIn() async throws {
    _ = try await authenticator.signIn(
      "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
  }

  /// Signs in.
  func signedIn() async throws -> AuthenticationFixture {
    try await signIn()
    return self
  }

  /// Signs in, and lets the access token expire.
  func expired() async throws -> AuthenticationFixture {
    try await signIn()
    clock.advance(by: .seconds(3_600))
    return self
  }

  /// Begins a renewal of an expired login, and returns when it has reached the gate before the
  /// token endpoint.
  static func holdingRenewal() async throws -> (
    AuthenticationFixture, gate: TokenGate, waiter: Task<Credential, any Error>
  ) {
    let gate = TokenGate()
    let fixture = try await AuthenticationFixture(gate: gate).expired()
    gate.close()
    let waiter = fixture.asking()
    try await gate.reached()
    return (fixture, gate, waiter)
  }

  /// Renews the expired login, and lets the store take the journal entry but not the new pair.
  func renewWithoutStoring() async throws {
    clock.advance(by: .seconds(3_600))
    store.failWrites(.locked, after: 1)
    _ = try await authenticator.credential(for: "default")
  }

  /// Makes a feature module's session.
  func feature(
    _ name: String = "invoices", _ authenticator: Authenticator? = nil,
    _ adjust: (inout SessionConfiguration) -> Void = { _ in }
  ) throws -> Session {
    guard let origin = Origin(server.url) else { throw CocoaError(.featureUnsupported) }
    var configuration = SessionConfiguration()
    configuration.concurrency = 64
    configuration.retry.attempts = 1
    configuration.timeout = .patient
    adjust(&configuration)
    return Session(
      name: name, configuration: configuration,
      authorizer: try (authenticator ?? self.authenticator).authorizer(
        for: "default", origins: [origin]))
  }

  func connections() throws -> Request {
    try Request(
      url: server.url.appending(path: "connections"), fields: [.accept: "application/json"])
  }

  func refreshes() async -> Int { await server.statistics().tokenRequests["refresh_token"] ?? 0 }

  func stop() async {
    await session.shutdown()
    await server.stop()
  }
}

/// A browser at an auto-approving server: it follows the authorization URL and its redirect.
struct LoopbackBrowser: AuthenticationDelegate {
  func showAuthorizationPage(_ url: URL) async throws {
    Task {
      let session = Session(name: "browser", configuration: .patient)
      _ = try? await session.send(try Request(url: url))
      await session.shutdown()
    }
  }
}

extension SessionConfiguration {
  /// The defaults, with time limits that no slow machine reaches.
  static var patient: SessionConfiguration {
    var configuration = SessionConfiguration()
    configuration.timeout = .patient
    return configuration
  }
}

extension SessionConfiguration.Timeouts {
  /// The limit of a whole request is the default: a renewal's wait for a lost request depends on
  /// it.
  static var patient: SessionConfiguration.Timeouts {
    var timeouts = SessionConfiguration().timeout
    timeouts.connect = timeouts.request
    timeouts.idle = timeouts.request
    return timeouts
  }
}
