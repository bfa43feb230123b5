import AppCoreCommands
import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import TestSupport

/// One sync in a process of its own, so that its memory can be told: `sync-once URL DATABASE MODE
/// SIZE AHEAD LATENCY`.
///
/// The mode `serial` has no sync in it: page after page is fetched, then read, then stored.
struct SyncOnce {
  struct Report: Codable {
    let seconds: Double
    let inserted: Int
    let unchanged: Int
    let requests: Int
    /// The most memory that was resident, in MiB.
    let memory: Double
  }

  private let arguments: [String]

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  func run() async throws {
    guard arguments.count == 6, let url = URL(string: arguments[0]),
      let size = Int(arguments[3]), let ahead = Int(arguments[4]),
      let latency = Int(arguments[5])
    else { throw WrongAnswer() }
    // As `appcore` does.
    ProcessMemory.keepSmall()
    let clock = ContinuousClock()
    let start = clock.now
    let database = try await LocalDatabase.open(at: arguments[1])
    var configuration = SessionConfiguration()
    configuration.concurrency = max(1, ahead)
    let session = Session(
      name: "invoices", configuration: configuration,
      networkMiddleware: latency > 0 ? [Latency(milliseconds: latency)] : [])
    let feed = XeroFeed(
      XeroInvoices.self, baseURL: url, pageSize: size, maxConcurrentPages: max(2, ahead))
    let store = database.invoiceStore
    var counts = ChangeCounts()
    if arguments[2] == "serial" {
      counts = try await readSerially(feed, over: session, into: store)
    } else {
      let sync = ResourceSync(
        account: "default", feed: feed, session: session, store: store,
        logger: .silent)
      var options = SyncOptions()
      options.isFull = arguments[2] == "full"
      counts = try await sync.run(options).counts
    }
    let requests = session.statistics.requests
    await session.shutdown()
    try await database.close()
    let result = Report(
      seconds: (clock.now - start) / .seconds(1), inserted: counts.inserted,
      unchanged: counts.unchanged, requests: requests,
      memory: try Self.peakMemory())
    print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
  }

  private func readSerially(
    _ feed: XeroFeed<XeroInvoices>, over session: Session, into store: ResourceStore<Invoice>
  ) async throws -> ChangeCounts {
    let now = Timestamp(microsecondsSinceEpoch: 0)
    let run = try await store.beginRun(
      RunStart(
        account: "default", provider: "xero", mode: "full", startedAt: now, watermarkBefore: nil))
    var counts = ChangeCounts()
    var next: XeroCursor? = try await feed.begin(.everything(known: nil)) {
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

  /// Other than `ru_maxrss`, this does not begin with what the parent process had.
  private static func peakMemory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1,
      let kibibytes = Double(words[1])
    else { throw WrongAnswer() }
    return kibibytes / 1_024
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
