import Foundation
import HTTPTypes
import Models
import Networking
import Storage
import SyncSupport
import Synchronization
import TestSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

/// Answers of 304 to Xero's requests, of which those for changes carry `If-Modified-Since`.
@Suite(.timeLimit(.minutes(10))) struct XeroConditionalTests {
  /// Xero's list, whose server says 304 where a test lets it.
  private final class Server: Sendable {
    struct State: Sendable {
      var list = ChangingList(seed: 3, rows: 12, deletion: .marks)
      /// The requests, by their number, that are answered with 304.
      var unchanged: ClosedRange<Int>?
      var requests = 0
    }

    let state = Mutex(State())

    var replies: WrittenReplies {
      WrittenReplies { [self] request, _ in
        state.withLock { state in
          if request.url.path() == "/connections" { return .init(XeroReply.organisations) }
          state.requests += 1
          let fields: HTTPFields = [.date: XeroReply.date(of: state.list)]
          return state.unchanged?.contains(state.requests) == true
            ? .init("", status: 304, fields: fields)
            : .init(XeroReply().page(request, of: state.list), fields: fields)
        }
      }
    }

    /// Answers the next requests with 304.
    func answer304(to requests: Int = 1) {
      state.withLock { $0.unchanged = ($0.requests + 1)...($0.requests + requests) }
    }

    func served() throws -> [Invoice] {
      try state.withLock { try $0.list.live.map(XeroInvoices.record) }.sorted { $0.id < $1.id }
    }
  }

  private func fixture(
    _ server: Server, pageSize: Int = 4, maxConcurrentPages: Int = 4
  ) async throws -> WrittenSync {
    let url = try #require(URL(string: "https://xero.test"))
    return try await WrittenSync(
      XeroFeed(
        XeroInvoices.self, baseURL: url, pageSize: pageSize, maxConcurrentPages: maxConcurrentPages),
      server.replies)
  }

  private func live(_ fixture: WrittenSync) async throws -> [Invoice] {
    try await fixture.stored().filter { $0.deletedAt == nil }.map(\.invoice).sorted {
      $0.id < $1.id
    }
  }

  private func cursor(_ fixture: WrittenSync) async throws -> XeroCursor {
    let resumption = try await fixture.database.invoiceStore.resumption(account: "default")
    let cursor = Data(try #require(resumption).checkpoint)
    return try JSONDecoder().decode(Checkpoint<XeroCursor>.self, from: cursor).cursor
  }

  private func isRefusal(_ error: any Error) -> Bool {
    if case SyncError.serverFailed(status: 304, _) = error { true } else { false }
  }

  @Test("a 304 means that nothing has changed: the cursor stays, and later changes are fetched")
  func notModified() async throws {
    let server = Server()
    let fixture = try await fixture(server)
    #expect(try await fixture.sync.run().counts.inserted == 12)
    _ = try await fixture.sync.run()
    let before = try await cursor(fixture)
    for _ in 0..<3 {
      server.answer304()
      let asked = fixture.replies.requests.count
      let report = try await fixture.sync.run()
      #expect(report.result == .complete && report.counts == ChangeCounts())
      #expect(fixture.replies.requests.count == asked + 1)
      #expect(try await cursor(fixture) == before)
    }
    server.state.withLock { state in
      for _ in 0..<6 { state.list.change() }
    }
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await live(fixture) == server.served())
    try await fixture.stop()
  }

  @Test(
    "a run that ends after a number of records asks for no page far ahead",
    arguments: [(limit: 1, most: 1), (limit: 3, most: 3 + 4)])
  func limitedRun(limit: Int, most: Int) async throws {
    let fixture = try await fixture(Server(), pageSize: 1)
    var options = SyncOptions()
    options.limit = limit
    let report = try await fixture.sync.run(options)
    #expect(report.result == .partial && report.counts.inserted == limit)
    // The organisation came first.
    #expect(fixture.replies.requests.count <= 1 + most)
    try await fixture.stop()
  }

  @Test("a 304 to the request for changes during a whole reading ends it, and the list is counted")
  func catchingUp() async throws {
    let server = Server()
    let fixture = try await fixture(server)
    // Three pages by number come first, then what has changed since.
    server.state.withLock { $0.unchanged = 4...4 }
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.counts.inserted == 12)
    // The organisation came first, the count last.
    #expect(fixture.replies.requests.count == 1 + 4 + 1)
    #expect(try await live(fixture) == server.served())
    try await fixture.stop()
  }

  @Test("a 304 to a request for everything is a failure, and deletes nothing", arguments: [1, 4])
  func unasked(maxConcurrentPages: Int) async throws {
    let server = Server()
    let fixture = try await fixture(server, maxConcurrentPages: maxConcurrentPages)
    _ = try await fixture.sync.run()
    server.answer304()
    var options = SyncOptions()
    options.isFull = true
    await #expect {
      _ = try await fixture.sync.run(options)
    } throws: {
      isRefusal($0)
    }
    #expect(try await live(fixture) == server.served())
    #expect(try await fixture.sync.run(options).result == .complete)
    try await fixture.stop()
  }

  @Test("a 304 to a request for the count is a failure")
  func count() async throws {
    let server = Server()
    let fixture = try await fixture(server)
    server.state.withLock { $0.unchanged = 4...5 }
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      isRefusal($0)
    }
    #expect(try await fixture.sync.run().result == .complete)
    #expect(try await live(fixture) == server.served())
    try await fixture.stop()
  }
}
