import ErrorCodes
import Foundation
import Models
import Networking
import Sandbox
import Sync
import Synchronization
import TestSupport
import Testing

@testable import AppCore
@testable import Documents

/// Runs that fetch files beside syncs of invoices, which they never hold up.
@Suite(.timeLimit(.minutes(30)), .cleansUp)
struct DocumentLimitTests {
  /// The invoices of the days' test; `APPCORE_DOCUMENTS` sets more.
  private static let count =
    ProcessInfo.processInfo.environment["APPCORE_DOCUMENTS"].flatMap { Int($0) } ?? 300

  @Test("a daily limit spreads files over days, each ends with a time, and invoices are synced")
  func days() async throws {
    let clock = ManualClock()
    let folder = try TemporaryDirectory()
    let limits = SharedLimits(
      counts: RequestCountFile(path: folder.file("counts"), log: .silent, time: clock.source),
      time: clock.source)
    // Five requests for twelve files, as Xero's 5 000 a day are for 12 000.
    let perDay = max(50, Self.count / 6)
    let day = RateLimit(requests: perDay, interval: .seconds(86_400))
    let scene = try await DocumentScene(
      .quickbooks, invoices: Self.count, limits: limits, rateLimits: [day], time: clock.source)
    let all = try await scene.served([.pdf]).count
    var (stored, days) = (0, 0)
    while true {
      let before = await scene.requests()
      let report = try await scene.fetch { options in
        (options.kinds, options.maximumWait) = ([.pdf], .seconds(60))
      }
      stored += report.stored
      let sent = await scene.requests() - before
      #expect(report.failed == 0 && report.stored == sent)
      guard report.ending != nil else { break }
      days += 1
      #expect(report.ending == .rateLimit && report.code?.exitStatus.rawValue == 75)
      // A fifth of the day is left to the syncs.
      #expect(report.requests <= perDay - perDay / 5)
      let retryAt = try #require(report.retryAt)
      let rest = retryAt.date.timeIntervalSince(clock.wall)
      #expect(rest > 0 && rest <= 86_400 + 300)
      scene.server.changeInvoices(count: 3, seed: UInt64(days))
      let reports = try await scene.syncInvoices()
      #expect(reports.allSatisfy { $0.result == .complete })
      // The changed ones are fetched again, so they are left out of the count.
      clock.advance(by: .seconds(rest))
      try #require(days < 20)
    }
    print("documents: \(all) files at \(perDay) requests a day ended \(days) days early")
    #expect(stored >= all && days >= (all * 5) / (perDay * 4) - 1)
    try await scene.expectServed([.pdf])
  }

  // Edge case 75
  @Test(
    "an invoice sync completes while files arrive at a byte a second, however few requests may run",
    arguments: [1, 2, 4, 10])
  func slowFiles(concurrency: Int) async throws {
    let scene = try await DocumentScene(.xero, limits: SharedLimits(concurrency: concurrency))
    scene.server.armFault(Fault(path: scene.pathOfPDFs, kind: .trickle, times: 100_000))
    let stored = Mutex(0)
    let run = Task {
      try await scene.fetch {
        $0.kinds = [.pdf]
      } progress: { progress in
        stored.withLock { $0 = progress.stored }
      }
    }
    let width = min(concurrency, scene.session.configuration.concurrency)
    try await eventually("every permit is taken by a file") {
      await scene.server.statistics().faultsApplied >= width
    }
    scene.server.changeInvoices(count: 5, seed: 1)
    for _ in 1...3 {
      let reports = try await scene.syncInvoices()
      #expect(reports.allSatisfy { $0.result == .complete })
    }
    #expect(stored.withLock { $0 } == 0)
    scene.server.answerDelayedRequests()
    #expect(try await run.joined.isComplete)
    try await scene.fetch { $0.kinds = [.pdf] }
    try await scene.expectServed([.pdf])
  }
}
