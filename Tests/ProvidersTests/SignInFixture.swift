import GRDB
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import Synchronization
import TestSupport

/// A database and a server at which one signs in again and again.
final class SignInFixture: Sendable {
  let database: LocalDatabase
  let credentials: TokenOfTheMoment
  private let folder: TemporaryDirectory
  private let session: Session
  private let isUnique: Bool

  /// - Parameters:
  ///   - server: what answers in place of a network.
  ///   - isUnique: whether two sign-ins never look the same.
  init(
    _ server: (any Middleware)? = nil, credentials: TokenOfTheMoment = TokenOfTheMoment(),
    isUnique: Bool = true
  ) async throws {
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    self.credentials = credentials
    self.isUnique = isUnique
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    session = Session(
      name: "invoices", configuration: configuration, authorizer: credentials,
      networkMiddleware: [server].compactMap(\.self), logger: .silent)
  }

  func run(
    _ feed: some ResourceFeed<Invoice>, _ adjust: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    var options = SyncOptions()
    adjust(&options)
    return try await sync(feed).run(options)
  }

  func sync(_ feed: some ResourceFeed<Invoice>) -> ResourceSync {
    let credentials = credentials
    return ResourceSync(
      account: "shop", feed: feed, session: session, store: database.invoiceStore,
      signIn: SignInSource(
        login: { credentials.login }, inUse: { credentials.login }, isUnique: isUnique),
      logger: .silent)
  }

  /// The identifiers of what is stored, and whether each is there still.
  func stored() async throws -> [String: Bool] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let rows = try await database.invoices(matching: query)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.invoice.id, $0.deletedAt == nil) })
  }

  /// Makes the database one of a version that noted no sign-ins.
  func forgetSignIn() async throws {
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { try $0.execute(sql: "UPDATE account SET login = NULL") }
    try queue.close()
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
  }
}

/// Credentials that are replaced by those of a new sign-in.
final class TokenOfTheMoment: RequestAuthorizer {
  private let state = Mutex((token: "", number: 0))

  var login: String { "sign-in \(state.withLock { $0.number })" }

  func signIn(_ token: String) {
    state.withLock { $0 = (token, $0.number + 1) }
  }

  func authorize(_ request: inout HTTPRequest) async throws -> CredentialGeneration {
    let token = state.withLock { $0.token }
    request.headerFields[.authorization] = "Bearer " + token
    return CredentialGeneration(rawValue: 1)
  }

  func authorizeImmediately(_ request: inout HTTPRequest) throws -> CredentialGeneration? { nil }

  func replaceCredentials(
    rejected generation: CredentialGeneration, request: HTTPRequest, response: HTTPResponse
  ) async throws -> Bool { false }
}
