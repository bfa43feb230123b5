import Glibc
import HTTPTypes
import Models
import Networking
import Storage
import SyncSupport
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import Sync

/// The events of a run, and what its record keeps of its end.
@Suite(.timeLimit(.minutes(10))) struct ProgressTests {
  @Test("a run reports its connection, each page, the indexing and its end, in this order")
  func events() async throws {
    let fixture = try await ListFixture(.sweep, ListServer(rows: 25))
    let running = fixture.sync.start()
    let report = try await running.report
    var events: [SyncProgress] = []
    for await event in running.progress { events.append(event) }
    #expect(events.first == .connecting(provider: report.provider))
    #expect(events.suffix(2) == [.indexing, .finished(.complete)])
    let stored = events.compactMap { event in
      if case .stored(let position) = event { position } else { nil }
    }
    #expect(stored.last?.records == 25 && stored.map(\.pages) == Array(1...stored.count))
    #expect(events.count == stored.count + 3)
    try await fixture.stop()
  }

  @Test("a wait that the server asks for is reported before it, with its length")
  func wait() async throws {
    let server = ListServer(rows: 5)
    let fixture = try await ListFixture(.sweep, server)
    server.answerNext(429, [.retryAfter: "50"])
    let waits = Mutex<[SyncProgress.Wait]>([])
    let run = Task {
      try await fixture.sync.run { event in
        if case .waiting(let wait) = event { waits.withLock { $0.append(wait) } }
      }
    }
    try await fixture.clock.sleeper(of: .seconds(50))
    let begun = waits.withLock { $0 }
    #expect(begun.map(\.reason) == [.rateLimit] && begun.first?.duration == .seconds(50))
    #expect(begun.first?.end == Timestamp(microsecondsSinceEpoch: 1_700_000_050_000_000))
    fixture.clock.advance(by: .seconds(50))
    _ = try await run.joined
    try await fixture.stop()
  }

  @Test("a run that waits for another names its process immediately; without a wait it ends")
  func lock() async throws {
    let gate = RequestGate(at: "/list?start=10")
    let fixture = try await ListFixture(.sweep, ListServer(rows: 25), gate: gate)
    let first = Task { try await fixture.sync.run() }
    try await eventually("the first is among its pages") { gate.isReached }
    let held = Mutex<LockWait?>(nil)
    let second = Task {
      try await fixture.other(lockTimeout: Patience.limit).run { event in
        if case .waitingForProcess(let wait) = event { held.withLock { $0 = wait } }
      }
    }
    try await eventually("the second waits") { held.withLock { $0 } != nil }
    let wait = try #require(held.withLock { $0 })
    #expect(wait.processID == getpid())
    #expect(wait.limit == Patience.limit && wait.since != nil)
    var options = SyncOptions()
    options.maximumLockWait = .zero
    await #expect {
      _ = try await fixture.other(lockTimeout: Patience.limit).run(options)
    } throws: {
      if case SyncError.alreadyRunning = $0 { true } else { false }
    }
    gate.open()
    _ = try await first.joined
    _ = try await second.joined
    try await fixture.stop()
  }

  @Test("the pace is that of the last seconds, and the rest of the list follows from it")
  func pace() {
    var position = ListPosition(startedAt: .seconds(10))
    position.begin(after: 0, earlier: 0)
    position.lists(1_000)
    let first = position.stored(pages: 1, records: 100, at: .milliseconds(10_100))
    #expect(first.recordsPerSecond == nil && first.timeRemaining == nil && first.total == 1_000)
    let second = position.stored(pages: 2, records: 200, at: .seconds(12))
    #expect(second.recordsPerSecond == 100 && second.timeRemaining == .seconds(8))
    // What was fast half a minute ago says nothing any more.
    let slow = position.stored(pages: 3, records: 230, at: .seconds(42))
    #expect(slow.recordsPerSecond == 1 && slow.timeRemaining == .seconds(770))
  }

  @Test("a number of records that no server can have ends no run")
  func absurdTotal() {
    var position = ListPosition()
    position.begin(after: 0, earlier: 600)
    for count in [Int.max, .min, -1] {
      position.lists(count, isOfRest: true)
      position.lists(count)
    }
    _ = position.stored(pages: 1, records: 1, at: .seconds(1))
    let last = position.stored(pages: 2, records: 2, at: .seconds(86_400 * 365))
    #expect(last.total == 600 + 1 << 40 && last.timeRemaining != nil)
  }

  @Test("a run that continues another begins at the other's position, and never passes the total")
  func resumed() {
    var position = ListPosition()
    position.begin(after: 0, earlier: 600)
    position.lists(1_000)
    #expect(position.stored(pages: 1, records: 250, at: .seconds(1)).position == 850)
    // Changes that arrived meanwhile are listed by a page that counts them alone.
    position.lists(3)
    let last = position.stored(pages: 3, records: 403, at: .seconds(2))
    #expect(last.position == 1_003 && last.total == 1_003)
    // Pages of what has changed since an instant count the rest alone, and ever less of it.
    position.begin(after: 0, earlier: 600)
    position.lists(400, isOfRest: true)
    position.lists(150, isOfRest: true)
    #expect(position.stored(pages: 1, records: 250, at: .seconds(2)).total == 1_000)
    position.begin(after: 403, earlier: 0)
    position.expects(40, after: 403)
    #expect(position.stored(pages: 4, records: 413, at: .seconds(3)).total == 40)
  }

  @Test("a cancelled run is recorded as interrupted, a failed one with its cause")
  func causes() async throws {
    let server = ListServer(rows: 25)
    let fixture = try await ListFixture(.sweep, server)
    let run = Task {
      try await fixture.sync.run { event in
        if case .stored = event { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await run.joined }
    func last() async throws -> RunRecord? {
      try await fixture.database.lastRun(account: "default", resource: .invoices)
    }
    #expect(try await last()?.result == .interrupted)
    #expect(try await last()?.errorCode == nil)
    server.answerNext(403, [:])
    await #expect(throws: SyncError.self) { try await fixture.sync.run() }
    let failed = try #require(try await last())
    #expect(failed.result == .failed && failed.errorCode == "access-denied" && failed.needsUser)
    #expect(failed.cause == SyncError.accessDenied(status: 403).description)
    server.answerNext(429, [.retryAfter: "600"])
    _ = try await fixture.sync.run()
    let limited = try #require(try await last())
    #expect(limited.result == .partial && limited.errorCode == "rate-limited")
    #expect(limited.retryAt != nil && !limited.needsUser)
    #expect(
      try await fixture.database.runs(account: "default", resource: .invoices, limit: 9).map(
        \.result) == [.partial, .failed, .interrupted])
    try await fixture.stop()
  }
}
