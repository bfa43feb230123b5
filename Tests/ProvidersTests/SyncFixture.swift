import Foundation
import GRDB
import HTTPTypes
import Models
import Networking
import Providers
import Sandbox
import Storage
import Sync
import TestSupport

/// A sandbox with a token, a database and a sync between them.
final class SyncFixture: Sendable {
  let server: SandboxServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let sync: ResourceSync

  init(
    pageSize: Int = 100, maxConcurrentPages: Int = 4,
    _ adjust: (inout SandboxConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = SandboxConfiguration()
    adjust(&configuration)
    server = try await SandboxServer.start(configuration)
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(
      at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
    var settings = SessionConfiguration()
    settings.retry.baseDelay = .milliseconds(1)
    settings.retry.maxWait = .seconds(1)
    (settings.timeout.connect, settings.timeout.idle, settings.timeout.request) = (
      Patience.limit, Patience.limit, Patience.limit
    )
    session = Session(
      name: "invoices", configuration: settings,
      authorizer: try await Self.authorizer(server))
    sync = ResourceSync(
      account: "default",
      feed: XeroFeed(
        XeroInvoices.self, baseURL: server.url, pageSize: pageSize,
        maxConcurrentPages: maxConcurrentPages),
      session: session, store: database.invoiceStore,
      logger: .silent)
  }

  static func authorizer(_ server: SandboxServer) async throws -> BearerAuthorizer {
    struct Token: Decodable {
      let accessToken: String
      enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }
    let session = Session(name: "token", configuration: SessionConfiguration())
    let pair = Data("\(server.machineClientID):\(server.machineClientSecret)".utf8)
    let response = try await session.send(
      try Request(
        method: .post, url: server.url.appending(path: "connect/token"),
        fields: [
          .contentType: "application/x-www-form-urlencoded",
          .authorization: "Basic " + pair.base64EncodedString(),
        ],
        body: Array(
          "grant_type=client_credentials&scope=accounting.invoices.read+accounting.settings.read"
            .utf8)))
    await session.shutdown()
    let token = try JSONDecoder().decode(Token.self, from: Data(response.body))
    guard let origin = Origin(server.url) else { throw CocoaError(.featureUnsupported) }
    return try BearerAuthorizer(token: token.accessToken, origins: [origin])
  }

  func stored() async throws -> [Invoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    return try await database.invoices(matching: query).map(\.invoice).sorted { $0.id < $1.id }
  }

  func served() -> [Invoice] { server.invoices().sorted { $0.id < $1.id } }

  func invoiceRequests() async -> Int {
    await server.statistics().requests["GET /api.xro/2.0/Invoices"]?.values.reduce(0, +) ?? 0
  }

  /// Changes the database behind everybody's back.
  func corrupt(_ statements: String...) async throws {
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { db in
      for statement in statements { try db.execute(sql: statement) }
    }
    try queue.close()
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}
