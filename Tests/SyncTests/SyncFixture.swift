import Foundation
import HTTPTypes
import Models
import Networking
import Sandbox
import Storage
import Sync
import TestSupport

/// A sandbox with a token, a database and a sync between them.
final class SyncFixture: Sendable {
  let server: SandboxServer
  let folder: TemporaryDirectory
  let database: InvoiceDatabase
  let session: Session
  let sync: InvoiceSync

  init(pageSize: Int = 100, _ adjust: (inout SandboxConfiguration) -> Void = { _ in }) async throws
  {
    var configuration = SandboxConfiguration()
    adjust(&configuration)
    server = try await SandboxServer.start(configuration)
    folder = try TemporaryDirectory()
    database = try await InvoiceDatabase.open(at: folder.file("test.sqlite"))
    var settings = SessionConfiguration()
    settings.retry.baseDelay = .milliseconds(1)
    settings.retry.maxWait = .seconds(1)
    session = Session(
      name: "invoices", configuration: settings,
      authorizer: try await Self.authorizer(server))
    sync = InvoiceSync(
      account: "default", provider: XeroProvider(baseURL: server.url, pageSize: pageSize),
      session: session, database: database, lockFolder: folder.path,
      logger: .silent)
  }

  private static func authorizer(_ server: SandboxServer) async throws -> BearerAuthorizer {
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
        ], body: Array("grant_type=client_credentials".utf8)))
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

  func stop() async throws {
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}
