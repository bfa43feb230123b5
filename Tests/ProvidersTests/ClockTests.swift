import Foundation
import Models
import Networking
import Providers
import Sandbox
import Storage
import Sync
import Synchronization
import SystemSupport
import TestSupport
import Testing

/// Runs under a clock that a user or a time server has set between them.
@Suite(.timeLimit(.minutes(10))) struct ClockTests {
  // Edge case 54
  @Test(
    "a clock change between runs misses nothing, because the watermark is the server's",
    arguments: [(days: 0, then: -400), (400, 0), (-400, 0)] as [(days: Int, then: Int)])
  func set(days: Int, then: Int) async throws {
    let fixture = try await SyncFixture(pageSize: 20) {
      $0.source = .generated(invoices: 70, seed: 4)
    }
    let real = Date()
    func moved(by days: Int) -> Date { real.addingTimeInterval(Double(days) * 86_400) }
    let wall = Mutex(moved(by: days))
    let time = ManualClock()
    let sync = ResourceSync(
      account: "default", feed: XeroFeed(XeroInvoices.self, baseURL: fixture.server.url),
      session: fixture.session, store: fixture.database.invoiceStore,
      clock: TimeSource(time, wall: { wall.withLock { $0 } }), logger: .silent)
    #expect(try await sync.run().counts.inserted == 70)

    wall.withLock { $0 = moved(by: then) }
    time.advance(by: .seconds(60))
    let changed = Set(fixture.server.changeInvoices(count: 9, seed: 9))
    let report = try await sync.run()
    #expect(report.result == .complete && report.counts.updated == changed.count)
    #expect(report.counts.inserted == 0 && report.counts.deleted == 0)
    let newest = try #require(fixture.served().compactMap(\.updatedAt).max())
    #expect(report.watermarkAfter == newest)
    #expect(try await fixture.stored() == fixture.served())
    // The last run is the one that was made last, whatever the clock said.
    let run = try await fixture.database.lastRun(account: "default", resource: .invoices)
    #expect(run?.startedAt == Timestamp(moved(by: then)) && run?.counts.updated == changed.count)

    let deleted = fixture.server.deleteInvoices(count: 2)
    #expect(try await sync.run().counts.deleted == deleted.count)
    #expect(try await fixture.stored() == fixture.served())
    try await fixture.stop()
  }
}
