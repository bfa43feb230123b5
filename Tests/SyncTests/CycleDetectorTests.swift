import SyncSupport
import Testing

@testable import JSONReading
@testable import Providers
@testable import Sync

@Suite(.timeLimit(.minutes(10))) struct CycleDetectorTests {
  @Test("a cycle of any length is noticed soon", arguments: 1...40)
  func cycles(length: Int) {
    for lead in 0...20 {
      // Places 0, 1, …, lead, …, then lead again.
      var cycle = CycleDetector(start: 0)
      var cursor = 0
      var pages = 1
      while pages < 1_000 {
        cursor = cursor == lead + length - 1 ? lead : cursor + 1
        pages += 1
        if !cycle.goesOn(to: cursor) { break }
      }
      #expect(pages <= 3 * (lead + length) + 1, "\(length) after \(lead)")
    }
  }

  @Test(
    "a run ends immediately at a page that leads to itself, and soon in a longer cycle",
    arguments: [(40, 40, 6), (60, 40, 22)])
  func run(page: Int, next: Int, most: Int) async throws {
    let server = ListServer(rows: 75)
    server.lead(from: page, to: next)
    let fixture = try await ListFixture(.sweep, server)
    await #expect {
      _ = try await fixture.sync.run()
    } throws: {
      guard case SyncError.unreadable(_, let reason, _) = $0 else { return false }
      return reason.contains("leads back")
    }
    // The page that follows is on its way when it is found to lead back.
    #expect(server.requests.count <= most)
    try await fixture.stop()
  }

  @Test("cursors that only go on are no cycle")
  func line() {
    var cycle = CycleDetector(start: 0)
    #expect((1...10_000).allSatisfy { cycle.goesOn(to: $0) })
  }
}
