import GRDB
import HTTPTypes
import Models
import Networking
import Sandbox
import Storage
import Sync
import TestSupport

/// A sandbox that speaks a provider's shape, a database, and a sync between them.
struct LedgerFixture {
  let server: SandboxServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let sync: ResourceSync

  init<Feed: ResourceFeed>(
    _ provider: SandboxProvider, invoices: Int, feed: (SandboxServer) -> Feed
  ) async throws where Feed.Record == Invoice {
    var configuration = SandboxConfiguration()
    configuration.provider = provider
    configuration.source = .generated(invoices: invoices, seed: 7)
    server = try await SandboxServer.start(configuration)
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    session = Session(
      name: "invoices", configuration: SessionConfiguration(),
      authorizer: try await SyncFixture.authorizer(server), logger: .silent)
    sync = ResourceSync(
      account: "default", feed: feed(server), session: session, store: database.invoiceStore,
      lockFolder: folder.path, logger: .silent)
  }

  /// What is stored and not deleted.
  func live() async throws -> [Invoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    return try await database.invoices(matching: query).filter { $0.deletedAt == nil }
      .map(\.invoice).sorted { $0.id < $1.id }
  }

  /// What the ledger has, as a provider shows it; `nil` leaves an invoice out.
  func ledger(_ shown: (Invoice) -> Invoice?) -> [Invoice] {
    server.invoices().compactMap(shown).sorted { $0.id < $1.id }
  }

  /// How many requests a path has had.
  func requests(_ path: String, _ method: HTTPRequest.Method = .get) async -> Int {
    await server.statistics().requests["\(method) \(path)"]?.values.reduce(0, +) ?? 0
  }

  /// Sets a value of the place that is stored.
  func setPlace(_ key: String, to value: String) async throws {
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { db in
      try db.execute(
        sql: """
          UPDATE cursor SET cursor =
            CAST(json_set(CAST(cursor AS TEXT), '$.place.\(key)', ?) AS BLOB)
          """, arguments: [value])
    }
    try queue.close()
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}
