import GRDB
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
    database = try await LocalDatabase.open(
      at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
    session = Session(
      name: "invoices", configuration: SessionConfiguration(),
      authorizer: try await SyncFixture.authorizer(server), logger: .silent)
    sync = ResourceSync(
      account: "default", feed: feed(server), session: session, store: database.invoiceStore,
      logger: .silent)
  }

  /// Returns the sync of a list of contacts into the same database.
  func contacts(_ feed: some ResourceFeed<Contact>) -> ResourceSync {
    ResourceSync(
      account: "default", feed: feed, session: session, store: database.contactStore,
      logger: .silent)
  }

  /// All that is stored, by identifier.
  func stored() async throws -> [String: StoredInvoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let rows = try await database.invoices(matching: query)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.invoice.id, $0) })
  }

  /// Returns the stored invoices that are not deleted, in the order of their identifiers.
  func live() async throws -> [Invoice] {
    try await stored().values.filter { $0.deletedAt == nil }.map(\.invoice).sorted { $0.id < $1.id }
  }

  /// Returns the invoices of the ledger as a provider shows them; `nil` leaves an invoice out.
  func ledger(_ shown: (Invoice) -> Invoice?) -> [Invoice] {
    server.invoices().compactMap(shown).sorted { $0.id < $1.id }
  }

  /// Sets a value of the cursor that is stored.
  func setCursor(_ key: String, to value: String) async throws {
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { db in
      try db.execute(
        sql: """
          UPDATE checkpoint SET checkpoint =
            CAST(json_set(CAST(checkpoint AS TEXT), '$.cursor.\(key)', ?) AS BLOB)
          """, arguments: [value])
    }
    try queue.close()
  }

  /// Returns the number of requests to a method and path, or of all.
  func requests(_ route: String? = nil) async -> Int {
    await server.statistics().requests.filter { route == nil || $0.key == route }.values
      .reduce(0) { $0 + $1.values.reduce(0, +) }
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}
