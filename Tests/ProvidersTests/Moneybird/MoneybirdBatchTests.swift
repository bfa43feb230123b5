import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import SyncSupport
import TestSupport
import Testing

/// The batches of a hundred in which Moneybird's invoices are fetched.
@Suite(.timeLimit(.minutes(10))) struct MoneybirdBatchTests {
  private static let path = "/api/v2/1/sales_invoices/synchronization.json"

  private static let date: HTTPFields = [.date: "Fri, 21 Aug 2026 13:50:20 GMT"]

  /// A ledger of so many invoices.
  private func ledger(of count: Int) -> WrittenReplies {
    WrittenReplies { request, _ in
      if request.url.path().hasSuffix("administrations.json") { return .init(#"[{"id":"1"}]"#) }
      guard request.method == .post else {
        let rows = (0..<count).map { #"{"id":"\#($0)","version":7}"# }
        return .init("[" + rows.joined(separator: ",") + "]", fields: Self.date)
      }
      struct Asked: Decodable {
        let ids: [String]
      }
      let body = Data(request.body?.bytes ?? [])
      let ids = (try? JSONDecoder().decode(Asked.self, from: body))?.ids ?? []
      let rows = ids.map {
        """
        {"id":"\($0)","version":7,"state":"open","currency":"EUR","total_price_incl_tax":"\($0)"}
        """
      }
      return .init("[" + rows.joined(separator: ",") + "]", fields: Self.date)
    }
  }

  private func feed() throws -> MoneybirdFeed<MoneybirdInvoices> {
    MoneybirdFeed(
      MoneybirdInvoices.self, baseURL: try #require(URL(string: "https://moneybird.test")))
  }

  @Test("four batches are fetched concurrently after the first, each of them once")
  func concurrent() async throws {
    let replies = ledger(of: 650)
    // The list and the first batch pass.
    let gate = RequestGate(at: Self.path, passing: 2)
    let fixture = try await WrittenSync(try feed(), replies, gate: gate)
    let run = Task { try await fixture.sync.run() }
    defer { run.cancel() }
    try await eventually("the first batch is stored") { try await fixture.stored().count == 100 }
    try await eventually("four more are asked for") { gate.held == 4 }
    gate.open()
    let report = try await run.joined
    #expect(report.result == .complete && report.counts.inserted == 650)
    #expect(gate.held == 6)
    let stored = try await fixture.stored().map { "\($0.invoice.id) \($0.invoice.total)" }
    #expect(Set(stored) == Set((0..<650).map { "\($0) \($0)" }) && stored.count == 650)
    try await fixture.stop()
  }

  @Test("a run with a limit fetches no batch that it does not store")
  func limit() async throws {
    let replies = ledger(of: 900)
    let fixture = try await WrittenSync(try feed(), replies)
    var options = SyncOptions()
    options.limit = 250
    let report = try await fixture.sync.run(options)
    #expect(report.result == .partial && report.ending == .limit)
    #expect(report.counts.inserted == 300)
    #expect(replies.requests.count { $0.hasPrefix("POST") } == 3)
    try await fixture.stop()
  }
}
