import AppCoreCommands
import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport

/// One sync in a process of its own, so that its time and memory are its own: `sync-once URL
/// DATABASE SHAPE MODE SIZE AHEAD LATENCY`.
///
/// The mode `serial` has no sync in it: page after page is fetched, then read, then stored.
struct SyncOnce {
  struct Report: Codable {
    let inserted: Int
    let unchanged: Int
    /// Seconds until every row was durable; the search index follows.
    let durable: Double
  }

  private struct Options {
    let url: URL
    let database: String
    let shape: SamplePages.Shape
    let mode: String
    let size: Int
    let ahead: Int
    let latency: Int

    init?(_ arguments: [String]) {
      guard arguments.count == 7, let url = URL(string: arguments[0]),
        let shape = SamplePages.Shape(rawValue: arguments[2]), let size = Int(arguments[4]),
        let ahead = Int(arguments[5]), let latency = Int(arguments[6])
      else { return nil }
      self.url = url
      database = arguments[1]
      self.shape = shape
      mode = arguments[3]
      self.size = size
      self.ahead = ahead
      self.latency = latency
    }
  }

  private let options: Options
  private let clock = ContinuousClock()

  init(_ arguments: [String]) throws {
    guard let options = Options(arguments) else { throw WrongAnswer() }
    self.options = options
  }

  func run() async throws {
    // As `appcore` does.
    ProcessMemory.keepSmall()
    switch options.shape {
    case .xero:
      try await run(
        XeroFeed(
          XeroInvoices.self, baseURL: options.url, pageSize: options.size,
          maxConcurrentPages: max(2, options.ahead)))
    case .plain:
      try await run(
        RESTFeed(
          Invoice.self, provider: "shop",
          resource: try PlainResource.invoices(pageSize: options.size),
          baseURL: options.url.appending(path: "plain")))
    }
  }

  private func run<Feed: ResourceFeed>(_ feed: Feed) async throws where Feed.Record == Invoice {
    let (clock, start) = (clock, clock.now)
    let database = try await LocalDatabase.open(at: options.database)
    var configuration = SessionConfiguration()
    configuration.concurrency = max(1, options.ahead)
    let session = Session(
      name: "invoices", configuration: configuration,
      networkMiddleware: options.latency > 0 ? [Latency(milliseconds: options.latency)] : [])
    let store = database.invoiceStore
    var counts = ChangeCounts()
    let durable = Mutex(start)
    if options.mode == "serial" {
      counts = try await readSerially(feed, over: session, into: store)
    } else {
      let sync = ResourceSync(
        account: "default", feed: feed, session: session, store: store, logger: .silent)
      var how = SyncOptions()
      how.isFull = options.mode == "full"
      counts = try await sync.run(how) { progress in
        if case .stored = progress { durable.withLock { $0 = clock.now } }
        ProcessMemory.release(after: progress)
      }.counts
    }
    await session.shutdown()
    try await database.close()
    let result = Report(
      inserted: counts.inserted, unchanged: counts.unchanged,
      durable: (durable.withLock { $0 } - start) / .seconds(1))
    print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
  }

  private func readSerially<Feed: ResourceFeed>(
    _ feed: Feed, over session: Session, into store: ResourceStore<Invoice>
  ) async throws -> ChangeCounts where Feed.Record == Invoice {
    let now = Timestamp(microsecondsSinceEpoch: 0)
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "xero", kind: .full, startedAt: now, watermarkBefore: nil))
    var counts = ChangeCounts()
    var next: Feed.Cursor? = try await feed.begin(.everything(known: nil)) {
      try await session.send($0).checked(at: now, for: feed)
    }
    let source = next.map(feed.source(of:)) ?? ""
    while let cursor = next {
      let page = try feed.page(try await session.send(try feed.request(at: cursor)), at: cursor)
      var commit = PendingPage(source: source, instant: now)
      commit.records = store.encode(page.records)
      commit.checkpoint = Array(try JSONEncoder().encode(page.resume))
      for outcome in try await run.commit([commit]) { counts += outcome.counts }
      next = page.next
    }
    return counts
  }

  /// A server that is far away.
  private struct Latency: Middleware {
    let milliseconds: Int

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      try await Task.sleep(for: .milliseconds(milliseconds))
      return try await next.send(request)
    }
  }
}
