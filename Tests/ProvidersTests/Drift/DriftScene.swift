import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import Sync
import SyncSupport
import Synchronization
import SystemSupport
import TestSupport

/// A database and a session that many seeds share, each with an account of its own.
///
/// A database for each would cost more than all its runs.
final class DriftScene<Feed: ResourceFeed, Server: DriftingServer>: Sendable
where Feed.Record == Server.Record {
  private let folder: TemporaryDirectory
  private let database: LocalDatabase
  private let desk = DriftDesk<Server>()
  private let session: Session

  init() async throws {
    folder = try TemporaryDirectory(inMemory: true)
    database = try await LocalDatabase.open(at: folder.file("drift.sqlite"))
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    session = Session(
      name: "drift", configuration: configuration, middleware: [desk], logger: .silent)
  }

  func stop() async throws {
    await session.shutdown()
    try await database.close()
  }

  /// Lets users edit, and runs begin, break off and end, as the seed decides.
  ///
  /// Then edits end, and the promise has to hold.
  ///
  /// - Returns: what is wrong, or `nil`.
  func outcome(of seed: UInt64, feed: Feed, server: Server) async throws -> String? {
    desk.server.withLock { $0 = server }
    defer { desk.server.withLock { $0 = nil } }
    let account = "seed\(seed)"
    let isLater = Mutex(false)
    let clock = TimeSource(
      ContinuousClock(),
      wall: { Date() + (isLater.withLock { $0 } ? 25 * 60 * 60 : 0) })
    let sync = ResourceSync(
      account: account, feed: feed, session: session,
      store: Server.Record.store(of: Server.resource, in: database),
      clock: clock, logger: .silent)
    var random = SeededRandom(seed: seed, part: 3)
    for _ in 0..<random.within(2...5) {
      await disturbedRun(sync, &random)
      desk.server.withLock { $0?.change(times: random.below(4)) }
    }
    desk.server.withLock {
      $0?.unrestLeft = 0
      $0?.requestsLeft = nil
      $0?.isCalm = true
    }
    // A row that can be read again without a change is read again after a day.
    isLater.withLock { $0 = true }
    for options in desk.server.withLock({ $0?.promise(&random) }) ?? [] {
      do {
        let report = try await sync.run(options)
        guard report.result == .complete else { return "the last run was \(report.result)" }
      } catch {
        return "the last run failed: \(error)"
      }
    }
    return try await difference(account)
  }

  private func disturbedRun(_ sync: ResourceSync, _ random: inout SeededRandom) async {
    var options = SyncOptions()
    options.maximumDeletedPercent = 100
    switch random.below(20) {
    case 0...7: break
    case 8...10: options.limit = random.within(1...6)
    case 11, 12: options.isFull = true
    case 13, 14: options.verifies = true
    case 15: (options.isFull, options.limit) = (true, random.within(1...6))
    case 16: (options.verifies, options.limit) = (true, random.within(1...6))
    case 17: options.isDryRun = true
    default:
      let seconds = Int64(random.within(0...8))
      options.since = Timestamp(millisecondsSinceEpoch: ChangingList.epoch + seconds * 1_000)
    }
    let requestsLeft = random.chance(50) ? random.below(8) : nil
    let unrestLeft = random.below(12)
    desk.server.withLock {
      $0?.requestsLeft = requestsLeft
      $0?.unrestLeft = unrestLeft
    }
    let pagesLeft = random.chance(25) ? random.within(1...4) : nil
    // Whatever became of it: what counts is what the last run makes of it.
    let run = Task { [options] in
      try await sync.run(options) { progress in
        guard case .stored(let progress) = progress else { return }
        // Between two transactions of the database, where no request is.
        if progress.pages == pagesLeft { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    _ = await run.result
  }

  private func difference(_ account: String) async throws -> String? {
    let stored = try await Server.Record.live(of: account, in: database)
    let served = try desk.server.withLock { server in
      try (server?.list.live ?? []).map(Server.record)
    }
    return WholeDifference(stored: stored, served: served)?.description
  }
}

/// A server whose rows drift.
protocol DriftingServer: Sendable {
  associatedtype Record: ListedRecord

  /// The list in the database.
  static var resource: Resource { get }
  var list: ChangingList { get }
  /// The number of requests that may still find the list changed.
  var unrestLeft: Int { get set }
  /// True if nothing is changed or broken any more.
  var isCalm: Bool { get set }
  var requestsLeft: Int? { get set }
  mutating func change(times: Int)
  /// Returns the record that a sync has to make of a row that is not deleted.
  static func record(of row: ChangingList.Row) throws -> Record
  mutating func answer(_ request: Request) throws -> (HTTPResponse, String)
  /// Returns the runs after which everything has to be equal once edits end.
  func promise(_ random: inout SeededRandom) -> [SyncOptions]
}

/// Answers a session's requests in place of a network.
final class DriftDesk<Server: DriftingServer>: Middleware {
  let server = Mutex<Server?>(nil)

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let (head, text) = try server.withLock { server in
      guard let answer = try server?.answer(request) else { throw Dropped() }
      return answer
    }
    return StreamingResponse(
      head: head, body: ResponseBody(Array(text.utf8)), url: request.url)
  }
}
