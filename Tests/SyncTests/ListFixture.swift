import Foundation
import Models
import Networking
import Storage
import Sync
import TestSupport

/// A list in memory, a database, and a sync between them on a clock that the test moves.
struct ListFixture {
  let server: ListServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let clock = ManualClock()
  let sync: ResourceSync

  init(
    _ changes: ChangeModel, _ server: ListServer, counts: Bool = false, introduces: Bool = false,
    rateLimits: [RateLimit] = []
  ) async throws {
    self.server = server
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    configuration.rateLimits = rateLimits
    // At the wire where there are limits: the session keeps to them before it hands a request on.
    session =
      rateLimits.isEmpty
      ? Session(name: "list", configuration: configuration, middleware: [server], logger: .silent)
      : Session(
        name: "list", configuration: configuration, networkMiddleware: [server], logger: .silent,
        clock: clock, random: { 1 }, now: { Date() })
    sync = ResourceSync(
      account: "default", feed: ListFeed(changes: changes, counts: counts, introduces: introduces),
      session: session,
      store: database.invoiceStore, lockFolder: folder.path,
      clock: SyncClock(clock, now: { Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000) }),
      logger: .silent)
  }

  /// What is stored and not deleted, as the server has it.
  func stored() async throws -> Set<ListServer.Row> {
    Set(
      try await database.invoices(matching: InvoiceQuery()).map { stored in
        ListServer.Row(
          id: stored.invoice.id, version: stored.invoice.version ?? 0,
          total: Int(stored.invoice.total.description) ?? -1)
      })
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
  }
}
