import Foundation
import HTTPTypes
import Models
import Networking
import Sandbox
import Storage
import Sync
import TestSupport

/// A sandbox that plays a provider's shape, a database, and a sync between them over loopback.
final class LoopbackSync: Sendable {
  let server: SandboxServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let sync: ResourceSync

  init(
    _ provider: SandboxProvider, invoices: Int = 150, tenants: Int = 1,
    feed: (SandboxServer) -> some ResourceFeed<Invoice>
  ) async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = provider
    configuration.source = .generated(invoices: invoices, seed: 7)
    configuration.tenants = tenants
    server = try await SandboxServer.start(configuration)
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    session = Session(
      name: "invoices", configuration: SessionConfiguration(),
      authorizer: try await Self.authorizer(server), logger: .silent)
    sync = ResourceSync(
      account: "default", feed: feed(server), session: session, store: database.invoiceStore,
      lockFolder: folder.path, logger: .silent)
  }

  private static func authorizer(_ server: SandboxServer) async throws -> BearerAuthorizer {
    struct Token: Decodable {
      let accessToken: String
      enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }
    let session = Session(
      name: "token", configuration: SessionConfiguration(), logger: .silent)
    let pair = Data("\(server.machineClientID):\(server.machineClientSecret)".utf8)
    let response = try await session.send(
      try Request(
        method: .post, url: server.url.appending(path: "connect/token"),
        fields: [
          .contentType: "application/x-www-form-urlencoded",
          .authorization: "Basic " + pair.base64EncodedString(),
        ], body: Array("grant_type=client_credentials".utf8)))
    await session.shutdown()
    guard let origin = Origin(server.url) else { throw CocoaError(.featureUnsupported) }
    return try BearerAuthorizer(
      token: try response.json(Token.self).accessToken, origins: [origin])
  }

  /// All that is stored, by identifier.
  func stored() async throws -> [String: StoredInvoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let rows = try await database.invoices(matching: query)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.invoice.id, $0) })
  }

  /// How many requests came to the paths that begin so.
  func requests(_ prefix: String) async -> Int {
    await server.statistics().requests.filter { $0.key.hasPrefix(prefix) }.values
      .reduce(0) { $0 + $1.values.reduce(0, +) }
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}
