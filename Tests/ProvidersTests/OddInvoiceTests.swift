import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// Invoices that are odd in every way, read by a whole sync.
@Suite(.timeLimit(.minutes(10))) struct OddInvoiceTests {
  private static let sound = """
    {"InvoiceID":"ID","InvoiceNumber":"N-1","Type":"ACCREC","Status":"PAID","CurrencyCode":"EUR",
    "Contact":{"ContactID":"c","Name":"n"},"DateString":"2018-02-16T00:00:00","Total":1.10,
    "LineItems":[{"Description":"a","Quantity":1.5}],"Payments":[{"Amount":1.10}],
    "UpdatedDateUTC":"/Date(1587912334083+0000)/"}
    """
  private static let digits = String(repeating: "9", count: 1_000_000)
  /// More levels than any stack has room for.
  private static let nest =
    String(repeating: #"[{"a":"#, count: 50_000) + "1" + String(repeating: "}]", count: 50_000)

  /// A change of the sound invoice.
  struct Oddity: Sendable, CustomTestStringConvertible {
    let part: String
    let odd: String
    /// The path with which the run reports the invoice; `nil` if the invoice can be read.
    let path: String?

    var testDescription: String { "\(part) → \(odd.prefix(60))" }

    init(_ part: String, _ odd: String, _ path: String? = nil) {
      self.part = part
      self.odd = odd
      self.path = path
    }
  }

  /// Answers for Xero with bytes, which need be no text.
  private final class Server: Middleware {
    let page: Mutex<[UInt8]>

    init(_ page: [UInt8]) {
      self.page = Mutex(page)
    }

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      let organisations = #"[{"id":"1","tenantId":"t","tenantType":"ORGANISATION"}]"#
      let isList = request.url.path().hasSuffix("/Invoices")
      return StreamingResponse(
        head: HTTPResponse(status: .ok),
        body: ResponseBody(isList ? page.withLock { $0 } : Array(organisations.utf8)),
        url: request.url)
    }
  }

  private struct Fixture {
    let server: Server
    let folder: TemporaryDirectory
    let database: LocalDatabase
    let session: Session
    let sync: ResourceSync

    init(_ page: [UInt8]) async throws {
      server = Server(page)
      folder = try TemporaryDirectory()
      database = try await LocalDatabase.open(at: folder.file("test.sqlite"))
      var configuration = SessionConfiguration()
      configuration.retry.attempts = 1
      session = Session(
        name: "invoices", configuration: configuration, middleware: [server], logger: .silent)
      let url = try #require(URL(string: "https://api.example"))
      sync = ResourceSync(
        account: "default", feed: XeroFeed(XeroInvoices.self, baseURL: url, maxConcurrentPages: 1),
        session: session, store: database.invoiceStore, logger: .silent)
    }

    func stored() async throws -> [Invoice] {
      try await database.invoices(matching: InvoiceQuery()).map(\.invoice).sorted { $0.id < $1.id }
    }

    func stop() async throws {
      await session.shutdown()
      try await database.close()
    }
  }

  private func row(_ id: String) -> String { Self.sound.replacing("\"ID\"", with: "\"\(id)\"") }

  private func page(_ rows: [String]) -> String {
    #"{"pagination":{"pageCount":1},"Invoices":["# + rows.joined(separator: ",") + "]}"
  }

  // Edge case 51
  @Test(
    "an invoice that cannot be read is named with its path, and the run is partial with the others",
    arguments: [
      Oddity(#""Total":1.10,"#, #""Total":"1,10","#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":null,"#, "Total"),
      Oddity(#""Total":1.10,"#, "", "Total"), Oddity(#""Total":1.10,"#, #""Total":[],"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":\#(digits),"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":0.\#(digits),"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":1e999999999,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":"NaN","#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":NaN,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":Infinity,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":-Infinity,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":+1,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":nan,"#, "Total"),
      Oddity(#""Quantity":1.5"#, #""Quantity":NaN"#, "LineItems[0].Quantity"),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":undefined"#, "InvoiceNumber"),
      Oddity(#""Total":1.10,"#, #""Total":1.10.10,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":01,"#, "Total"),
      Oddity(#""Total":1.10,"#, #""Total":\#(nest),"#, "Total"),
      Oddity(#""Quantity":1.5"#, #""Quantity":\#(nest)"#, "LineItems[0].Quantity"),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Total":2.20,"#, "Total"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":"EURO","#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":"€","#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":978,"#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, #""CurrencyCode":null,"#, "CurrencyCode"),
      Oddity(#""CurrencyCode":"EUR","#, "", "CurrencyCode"),
      Oddity(#""Status":"PAID""#, #""Status":7"#, "Status"),
      Oddity(#""Status":"PAID","#, "", "Status"),
      Oddity(#""Type":"ACCREC""#, #""Type":"UNHEARD""#, "Type"),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":1"#, "InvoiceNumber"),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":true"#, "InvoiceNumber"),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":"\ud83d""#, "InvoiceNumber"),
      Oddity(#""Name":"n""#, #""Name":{}"#, "Contact.Name"),
      Oddity(#"{"ContactID":"c","Name":"n"}"#, "[]", "Contact"),
      Oddity(#""Quantity":1.5"#, #""Quantity":"many""#, "LineItems[0].Quantity"),
      Oddity(#"[{"Description":"a","Quantity":1.5}]"#, "{}", "LineItems"),
      Oddity(#"{"Description":"a","Quantity":1.5}"#, "{},{},[]", "LineItems[2]"),
      Oddity(#"{"Amount":1.10}"#, #"{"Amount":{}}"#, "Payments[0].Amount"),
      Oddity(#""/Date(1587912334083+0000)/""#, #""yesterday""#, "UpdatedDateUTC"),
    ])
  func unreadable(oddity: Oddity) async throws {
    let odd = row("odd").replacing(oddity.part, with: oddity.odd)
    try #require(odd != row("odd"))
    let fixture = try await Fixture(Array(page([row("a"), odd, row("b")]).utf8))
    let report = try await fixture.sync.run()
    #expect(report.result == .partial && report.ending == .unreadable)
    #expect(report.failures.map(\.id) == ["odd"])
    #expect(report.failures.map(\.path) == [oddity.path])
    // What it says is not quoted.
    #expect(report.failures.allSatisfy { !$0.reason.isEmpty && $0.reason.utf8.count < 200 })
    #expect(try await fixture.stored().map(\.id) == ["a", "b"])

    // Once the server has mended it.
    fixture.server.page.withLock { $0 = Array(page([row("a"), row("odd"), row("b")]).utf8) }
    let next = try await fixture.sync.run()
    #expect(next.result == .complete && next.counts.inserted == 1)
    #expect(try await fixture.stored().map(\.id) == ["a", "b", "odd"])
    try await fixture.stop()
  }

  // Edge case 51
  @Test(
    "an odd value that can be read, or is not used, costs nothing",
    arguments: [
      Oddity(#""Status":"PAID""#, #""Status":"UNHEARD-OF""#),
      Oddity(#""CurrencyCode":"EUR""#, #""CurrencyCode":"ZZZ""#),
      Oddity(#""CurrencyCode":"EUR""#, #""CurrencyCode":"eur""#),
      Oddity(#""InvoiceNumber":"N-1","#, ""),
      Oddity(#""InvoiceNumber":"N-1""#, #""InvoiceNumber":null"#),
      Oddity(#""Contact":{"ContactID":"c","Name":"n"},"#, ""),
      Oddity(#"{"ContactID":"c","Name":"n"}"#, "null"), Oddity(#""Name":"n""#, #""Name":null"#),
      Oddity(#""DateString":"2018-02-16T00:00:00""#, #""DateString":null"#),
      Oddity(#"[{"Description":"a","Quantity":1.5}]"#, "null"),
      Oddity(#""Quantity":1.5"#, #""Quantity":null"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":\#(digits),"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":[[{"a":null}],"\u0000"],"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":\#(nest),"#),
      Oddity(#""Quantity":1.5"#, #""Quantity":1.5,"Unheard":\#(nest)"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":NaN,"#),
      Oddity(#""Total":1.10,"#, #""Total":1.10,"Unheard":[-Infinity,+1,{"a":Infinity}],"#),
      Oddity(#""Total":1.10"#, #""Total":-0.0"#),
      Oddity(#""Total":1.10"#, #""Total":9007199254740993.25"#),
    ])
  func readable(oddity: Oddity) async throws {
    let odd = row("odd").replacing(oddity.part, with: oddity.odd)
    try #require(odd != row("odd"))
    let fixture = try await Fixture(Array(page([row("a"), odd, row("b")]).utf8))
    let report = try await fixture.sync.run()
    #expect(report.result == .complete && report.failures.isEmpty)
    let stored = try await fixture.stored()
    #expect(stored.map(\.id) == ["a", "b", "odd"])
    let read = try #require(stored.last)
    if oddity.part.contains("Status") {
      #expect(read.status == .unknown && read.rawStatus == "UNHEARD-OF")
    }
    try await fixture.stop()
  }

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
    let fixture = try await Fixture(Array(page([row("a"), row("b")]).utf8))
    #expect(try await fixture.sync.run().result == .complete)
    let broken = row("odd").replacing(part, with: odd)
    try #require(broken != row("odd"))
    fixture.server.page.withLock { $0 = Array(page([row("a"), broken, row("c")]).utf8) }
    var failure: (any Error)?
    do { _ = try await fixture.sync.run() } catch { failure = error }
    guard case SyncError.unreadable(let found, _)? = failure else {
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
  @Test("invalid UTF-8 costs its invoice at most, and is stored nowhere")
  func invalidUTF8() async throws {
    for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80]] {
      let marked = page([row("a"), row("odd").replacing("N-1", with: "MARK"), row("b")])
      let halves = marked.components(separatedBy: "MARK")
      let body = Array(halves[0].utf8) + bytes.map { UInt8($0) } + Array(halves[1].utf8)
      let fixture = try await Fixture(body)
      let report = try await fixture.sync.run()
      #expect(report.result == .partial, "\(bytes)")
      #expect(
        report.failures.map(\.id) == ["odd"] && report.failures.map(\.path) == ["InvoiceNumber"])
      #expect(try await fixture.stored().map(\.id) == ["a", "b"])
      try await fixture.stop()
    }
  }

  // Edge case 51
  @Test("a page that ends anywhere too early is a typed error, and nothing of it is stored")
  func everyEnd() async throws {
    let odd = row("odd").replacing(#""Total":1.10"#, with: #""Total":-Infinity"#)
    let whole = Array(page([row("a"), odd, row("b")]).utf8)
    let word = try #require(whole.firstRange(of: "-Infinity".utf8))
    let fixture = try await Fixture([])
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
