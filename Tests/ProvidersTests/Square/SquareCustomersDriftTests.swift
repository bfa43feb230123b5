import Foundation
import HTTPTypes
import Models
import Storage
import Sync
import SyncSupport
import Synchronization
import TestSupport
import Testing

@testable import Networking
@testable import Providers

/// Customers are added, edited and deleted between pages, and runs break off anywhere.
@Suite(.timeLimit(DriftSeeds.timeLimit)) struct SquareCustomersDriftTests {
  // Edge cases 44 and 45
  @Test("the database equals Square's list of customers once edits end")
  func drift() async throws {
    for seed in DriftSeeds.all {
      var random = SeededRandom(seed: seed, part: 4)
      let server = SquareCustomersDrift(seed: seed, rows: random.below(13))
      let folder = try TemporaryDirectory(inMemory: true)
      let database = try await LocalDatabase.open(at: folder.file("drift.sqlite"))
      var configuration = SessionConfiguration()
      configuration.retry.attempts = 1
      let session = Session(
        name: "drift", configuration: configuration, middleware: [server], logger: .silent)
      let sync = ResourceSync(
        account: "default",
        feed: SquareCustomersFeed(
          baseURL: try Response.canned(200, "").url, pageSize: random.within(1...4)),
        session: session, store: database.contactStore, logger: .silent)
      for _ in 0..<random.within(2...6) {
        var options = SyncOptions()
        options.maximumDeletedPercent = 100
        switch random.below(8) {
        case 0, 1: options.limit = random.within(1...6)
        case 2: options.isFull = true
        case 3: options.verifies = true
        case 4: options.isDryRun = true
        default: break
        }
        server.requestsLeft.withLock { $0 = random.chance(40) ? random.below(8) : nil }
        server.unrestLeft.withLock { $0 = random.below(10) }
        _ = try? await sync.run(options)
        server.change(times: random.below(4), pause: 1_000)
      }
      server.requestsLeft.withLock { $0 = nil }
      server.unrestLeft.withLock { $0 = 0 }
      var last = SyncOptions()
      last.maximumDeletedPercent = 100
      // The first one may have to end a pass that began before the last change.
      for _ in 0..<2 { #expect(try await sync.run(last).result == .complete, "seed \(seed)") }
      let stored = try await database.contacts(account: "default")
        .map { "\($0.id) \($0.name ?? "")" }.sorted()
      #expect(stored == server.names, "seed \(seed)")
      await session.shutdown()
      try await database.close()
    }
  }
}

/// Square's list of customers, by positions, which deletions move.
private final class SquareCustomersDrift: Middleware {
  private struct Row {
    let id: String
    let createdAt: Int
    var updatedAt: Int
    var version = 1
  }

  private struct State {
    var rows: [Row] = []
    var made = 0
    var now = 1_700_000_000
    var random: SeededRandom
  }

  /// The number of requests that may still find the list changed.
  let unrestLeft = Mutex(0)
  /// The number of requests until one is dropped; `nil` drops none.
  let requestsLeft = Mutex<Int?>(nil)
  private let state: Mutex<State>

  init(seed: UInt64, rows: Int) {
    state = Mutex(State(random: SeededRandom(seed: seed, part: 5)))
    state.withLock { state in for _ in 0..<rows { Self.add(&state) } }
  }

  var names: [String] { state.withLock { $0.rows.map { "\($0.id) v\($0.version)" }.sorted() } }

  func change(times: Int, pause: Int = 0) {
    state.withLock { state in
      state.now += pause
      for _ in 0..<times { Self.change(&state) }
      state.now += pause
    }
  }

  private static func add(_ state: inout State) {
    state.now += 2
    state.made += 1
    state.rows.append(
      Row(id: "c\(state.made)", createdAt: state.now, updatedAt: state.now))
    state.now += 2
  }

  private static func change(_ state: inout State) {
    state.now += 2
    let index = state.rows.isEmpty ? 0 : state.random.below(state.rows.count)
    switch state.random.below(3) {
    case 0 where !state.rows.isEmpty: state.rows.remove(at: index)
    case 1 where !state.rows.isEmpty:
      state.rows[index].updatedAt = state.now
      state.rows[index].version += 1
    default: add(&state)
    }
    state.now += 2
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let isDropped = requestsLeft.withLock { left in
      left = left.map { $0 - 1 }
      return left.map { $0 < 0 } ?? false
    }
    guard !isDropped else { throw CocoaError(.fileReadUnknown) }
    let isUnrest = unrestLeft.withLock { left in
      left -= 1
      return left >= 0
    }
    if isUnrest { change(times: 1) }
    var text = #"{"locations":[{"id":"L","merchant_id":"M"}]}"#
    if request.url.path().hasSuffix("search"), case .bytes(let body)? = request.body?.content {
      text = try answer(body)
    }
    var head = HTTPResponse(status: .ok)
    let now = state.withLock { $0.now }
    head.headerFields[.date] = HTTPDate.text(of: Date(timeIntervalSince1970: Double(now)))
    return StreamingResponse(head: head, body: ResponseBody(Array(text.utf8)), url: request.url)
  }

  private struct Search: Decodable {
    struct Query: Decodable {
      let filter: [String: [String: Timestamp]]
    }

    let query: Query
    let limit: Int
    let cursor: String?
  }

  private func answer(_ body: [UInt8]) throws -> String {
    let search = try JSONDecoder().decode(Search.self, from: Data(body))
    func seconds(_ name: String, _ end: String) -> Int? {
      search.query.filter[name]?[end].map { Int($0.microsecondsSinceEpoch / 1_000_000) }
    }
    let (until, since) = (seconds("created_at", "end_at"), seconds("updated_at", "start_at"))
    let rows = state.withLock { state in
      state.rows.filter { row in
        row.createdAt < until ?? .max && row.updatedAt >= since ?? 0
      }.sorted { $0.createdAt < $1.createdAt }
    }
    let start = search.cursor.flatMap { Int($0) } ?? 0
    let page = rows.dropFirst(start).prefix(search.limit).map { row in
      let instant = Timestamp(microsecondsSinceEpoch: Int64(row.updatedAt) * 1_000_000)
      return #"{"id":"\#(row.id)","company_name":"v\#(row.version)","version":\#(row.version),"#
        + #""updated_at":"\#(instant)"}"#
    }
    let end = start + search.limit
    return #"{"customers":[\#(page.joined(separator: ","))],"count":\#(rows.count)"#
      + (end < rows.count ? #","cursor":"\#(end)"}"# : "}")
  }
}
