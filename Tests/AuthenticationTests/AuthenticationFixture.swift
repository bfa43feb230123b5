import Authentication
import Foundation
import HTTPTypes
import Networking
import Sandbox
import SecureStore
import Synchronization
import TestSupport

/// A sandbox, a store and an authenticator, wired as the program wires them.
final class AuthenticationFixture: Sendable {
  let server: SandboxServer
  let store: TestStore
  let session: Session
  let authenticator: Authenticator
  let folder: TemporaryDirectory
  let clock = TestWallClock()

  init(_ adjust: (inout SandboxConfiguration) -> Void = { _ in }) async throws {
    var configuration = SandboxConfiguration()
    configuration.autoApprove = true
    adjust(&configuration)
    server = try await SandboxServer.start(configuration)
    store = TestStore(backing: InMemorySecretStore())
    folder = try TemporaryDirectory()
    var auth = SessionConfiguration()
    auth.redirects = .none
    session = Session(name: "auth", configuration: auth)
    authenticator = try Authenticator(
      accounts: [try Self.account(server)], store: store, session: session,
      lockFolder: folder.path, time: clock.source)
  }

  static func account(_ server: SandboxServer) throws -> Account {
    let account = Account(
      name: "default", server: .discovery(issuer: server.url),
      client: OAuthClient(id: server.clientID),
      scopes: ["offline_access", "accounting.transactions.read"])
    guard let account else { throw CocoaError(.featureUnsupported) }
    return account
  }

  /// Another authenticator on the same login, as another process would have.
  func peer() throws -> Authenticator {
    try Authenticator(
      accounts: [try Self.account(server)], store: TestStore(backing: store.backing),
      session: session, lockFolder: folder.path, time: clock.source)
  }

  func signIn() async throws {
    _ = try await authenticator.signIn(
      "default", with: .authorizationCode(delegate: LoopbackBrowser(), timeout: .seconds(20)))
  }

  /// A feature module's session.
  func feature(_ name: String = "invoices", _ authenticator: Authenticator? = nil) throws -> Session
  {
    guard let origin = Origin(server.url) else { throw CocoaError(.featureUnsupported) }
    var configuration = SessionConfiguration()
    configuration.concurrency = 64
    configuration.retry.attempts = 1
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

/// Follows the authorization URL and its redirect, as a browser at an auto-approving server does.
struct LoopbackBrowser: SignInDelegate {
  func showAuthorizationPage(_ url: URL) async throws {
    Task {
      let session = Session(name: "browser", configuration: SessionConfiguration())
      _ = try? await session.send(try Request(url: url))
      await session.shutdown()
    }
  }
}

/// A store with an identity of its own over a shared one, which can be made to fail.
final class TestStore: SecretStore {
  let backing: InMemorySecretStore
  let identity = UUID().uuidString
  private let failure = Mutex<SecretStoreError?>(nil)
  private let writesOnly = Mutex(false)

  init(backing: InMemorySecretStore) { self.backing = backing }

  func fail(_ error: SecretStoreError?, writesOnly: Bool = false) {
    failure.withLock { $0 = error }
    self.writesOnly.withLock { $0 = writesOnly }
  }

  private func check(isWrite: Bool) throws {
    if let error = failure.withLock({ $0 }), isWrite || !writesOnly.withLock({ $0 }) { throw error }
  }

  func secret(for key: SecretKey) async throws -> Secret? {
    try check(isWrite: false)
    return try await backing.secret(for: key)
  }
  func store(_ secret: Secret, for key: SecretKey, label: String) async throws {
    try check(isWrite: true)
    try await backing.store(secret, for: key, label: label)
  }
  func removeSecret(for key: SecretKey) async throws -> Bool {
    try check(isWrite: true)
    return try await backing.removeSecret(for: key)
  }
  func unlock() async throws {}
  func checkAvailability() async throws -> SecretStoreDescription {
    try await backing.checkAvailability()
  }
}

/// Time that a test moves by hand; waits are real and never needed.
final class TestWallClock: Sendable {
  private let offset = Mutex(Duration.zero)

  func advance(by duration: Duration) { offset.withLock { $0 += duration } }

  var source: TimeSource {
    let system = TimeSource.system
    return TimeSource(
      uptime: { [self] in system.uptime() + offset.withLock { $0 } },
      wall: { [self] in
        Date().addingTimeInterval(Double(offset.withLock { $0 }.components.seconds))
      },
      sleep: system.sleep)
  }
}
