import Foundation
import Logging
import Models
import Networking
import Storage
import Sync
import SyncSupport
import Synchronization
import SystemSupport
import TestSupport

/// A list in memory, a database, and a sync between them on a clock that the test moves.
struct ListFixture {
  let server: ListServer
  let folder: TemporaryDirectory
  let database: LocalDatabase
  let session: Session
  let clock = ManualClock()
  let timeOfDay = TimeOfDay()
  let sync: ResourceSync

  private let feed: ListFeed

  /// - Parameter gate: what requests to the server go through.
  init(
    _ model: ListModel, _ server: ListServer, counts: Bool = false, introduces: Bool = false,
    gate: RequestGate? = nil, rateLimits: [RateLimit] = [], logger: Logger = .silent
  ) async throws {
    self.server = server
    folder = try TemporaryDirectory()
    database = try await LocalDatabase.open(
      at: folder.file("test.sqlite"), lockTimeout: Patience.limit)
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    configuration.rateLimits = rateLimits
    let links: [any Middleware] = ([gate, server] as [(any Middleware)?]).compactMap(\.self)
    // At the wire where there are limits: the session keeps to them before it hands a request on.
    session =
      rateLimits.isEmpty
      ? Session(name: "list", configuration: configuration, middleware: links, logger: .silent)
      : Session(
        name: "list", configuration: configuration, networkMiddleware: links, logger: .silent,
        time: TimeSource(clock, wall: { Date() }, random: { 1 }))
    feed = ListFeed(model: model, counts: counts, introduces: introduces)
    sync = ResourceSync(
      account: "default", feed: feed, session: session, store: database.invoiceStore,
      clock: TimeSource(clock, wall: { [timeOfDay] in timeOfDay.date }),
      logger: logger)
  }

  /// A time of day that stands still until a test moves it, apart from the clock.
  final class TimeOfDay: Sendable {
    private let now = Mutex(Timestamp(microsecondsSinceEpoch: 1_700_000_000_000_000).date)

    var date: Date { now.withLock { $0 } }

    func move(by duration: TimeInterval) { now.withLock { $0 += duration } }
  }

  /// Another sync of the same list, as another process has it.
  ///
  /// - Parameter reader: the version of what reads the rows.
  func other(lockTimeout: Duration = Patience.limit, reader: String = "") -> ResourceSync {
    var feed = feed
    feed.reader = reader
    return ResourceSync(
      account: "default", feed: feed, session: session, store: database.invoiceStore,
      lockTimeout: lockTimeout,
      clock: TimeSource(clock, wall: { [timeOfDay] in timeOfDay.date }), logger: .silent)
  }

  func sample() async throws -> ResourceSample {
    try await ResourceSample(reading: feed, of: .invoices, over: session)
  }

  /// Returns the stored rows that are not deleted, in the server's form.
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
