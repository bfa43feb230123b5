import Foundation
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Pages of invoices that are broken in every way, read by a whole sync.
@Suite(.timeLimit(.minutes(10))) struct BrokenPageTests {
  private func row(_ id: String) -> String { XeroPageFixture.row(id) }
  private func page(_ rows: [String]) -> String { XeroPageFixture.page(rows) }

  // Edge case 51
  @Test(
    "a page that is not JSON is a typed error with its position, and stored records stay",
    arguments: [
      (#""Total":1.10"#, #""Total":0x1F"#, "Invoices[1]"),
      (#""Total":1.10"#, #""Total":∞"#, "Invoices[1].Total"),
      (#""Total":1.10,"#, #""Total":1.10,,"#, "Invoices[1]"),
      (#""Quantity":1.5}"#, #""Quantity":1.5"#, "Invoices[1].LineItems[0]"),
    ])
  func noJSON(part: String, odd: String, cursor: String) async throws {
    let fixture = try await XeroPageFixture(Array(page([row("a"), row("b")]).utf8))
    #expect(try await fixture.sync.run().result == .complete)
    let broken = row("odd").replacing(part, with: odd)
    try #require(broken != row("odd"))
    fixture.server.page.withLock { $0 = Array(page([row("a"), broken, row("c")]).utf8) }
    var failure: (any Error)?
    do { _ = try await fixture.sync.run() } catch { failure = error }
    guard case SyncError.unreadable(let found, _, _)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(found.hasPrefix(cursor), "\(found)")
    #expect(try await fixture.stored().map(\.id) == ["a", "b"])
    let run = try await fixture.database.lastRun(account: "default", resource: .invoices)
    #expect(run?.result == .failed)

    fixture.server.page.withLock { $0 = Array(page([row("a"), row("odd"), row("c")]).utf8) }
    #expect(try await fixture.sync.run().counts.inserted == 2)
    try await fixture.stop()
  }

  // Edge case 51
  @Test("invalid UTF-8 costs its field alone, and is stored nowhere")
  func invalidUTF8() async throws {
    for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80]] {
      let marked = page([row("a"), row("odd").replacing("N-1", with: "MARK"), row("b")])
      let halves = marked.components(separatedBy: "MARK")
      let body = Array(halves[0].utf8) + bytes.map { UInt8($0) } + Array(halves[1].utf8)
      let fixture = try await XeroPageFixture(body)
      let report = try await fixture.sync.run()
      #expect(report.result == .complete && report.failures.isEmpty, "\(bytes)")
      let stored = try await fixture.stored()
      #expect(stored.map(\.id) == ["a", "b", "odd"])
      #expect(stored.map(\.number) == ["N-1", "N-1", nil])
      try await fixture.stop()
    }
  }

  // Edge case 51
  @Test("a page that ends anywhere too early is a typed error, and nothing of it is stored")
  func everyEnd() async throws {
    let odd = row("odd").replacing(#""Total":1.10"#, with: #""Total":-Infinity"#)
    let whole = Array(page([row("a"), odd, row("b")]).utf8)
    let word = try #require(whole.firstRange(of: "-Infinity".utf8))
    let fixture = try await XeroPageFixture([])
    for length in Set(stride(from: 0, to: whole.count, by: 7)).union(word).sorted() {
      fixture.server.page.withLock { $0 = Array(whole.prefix(length)) }
      await #expect {
        _ = try await fixture.sync.run()
      } throws: { error in
        if case SyncError.unreadable = error { true } else { false }
      }
      #expect(try await fixture.stored().isEmpty)
    }
    fixture.server.page.withLock { $0 = whole }
    let report = try await fixture.sync.run()
    #expect(report.counts.inserted == 2 && report.failures.map(\.id) == ["odd"])
    try await fixture.stop()
  }

  // Edge cases 51 and 56
  @Test("a bomb among the pages is a typed error, and the pages before it stay")
  func bomb() async throws {
    let bomb = WireFault.gzipBomb.script
    let first = page([row("a"), row("b")]).replacing(#""pageCount":1"#, with: #""pageCount":3"#)
    let server = try await FaultServer(
      FaultScript(
        responses: [
          [.response(body: #"[{"id":"1","tenantId":"t","tenantType":"ORGANISATION"}]"#)],
          [.response(body: first)],
        ] + bomb.responses))
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
    var configuration = SessionConfiguration()
    configuration.retry.attempts = 1
    configuration.proxy = .none
    configuration.maximumResponseSize = 1 << 20
    let session = Session(name: "invoices", configuration: configuration, logger: .silent)
    let url = try #require(URL(string: server.url))
    let sync = ResourceSync(
      account: "default",
      feed: XeroFeed(XeroInvoices.self, baseURL: url, pageSize: 2, maxConcurrentPages: 1),
      session: session, store: database.invoiceStore, logger: .silent)
    await #expect {
      _ = try await sync.run()
    } throws: { error in
      switch error {
      case SessionError.responseTooLarge, SessionError.decompressionRefused: true
      default: false
      }
    }
    let stored = try await database.invoices(matching: InvoiceQuery()).map(\.invoice.id).sorted()
    #expect(stored == ["a", "b"])
    await session.shutdown()
    try await database.close()
    await server.stop()
  }
}
