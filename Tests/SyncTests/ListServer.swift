import Foundation
import HTTPTypes
import JSONReading
import Models
import Networking
import Providers
import Storage
import Sync
import SyncSupport
import Synchronization

/// A server's list of invoices in memory, which a session reaches without a network.
final class ListServer: Middleware {
  struct Row: Sendable, Hashable {
    let id: String
    var version: Int64
    var total: Int
  }

  private struct State {
    var rows: [Row] = []
    var requests: [String] = []
    var broken: Set<String> = []
    var withheld: Set<String> = []
    var hanging: String?
    var leads: [Int: Int] = [:]
    var answers: [(status: Int, fields: HTTPFields)] = []
  }

  private let state = Mutex(State())
  /// Called before each answer, as other people's edits are.
  private let meanwhile: @Sendable (ListServer, _ request: Int) -> Void

  init(
    rows: Int, meanwhile: @escaping @Sendable (ListServer, _ request: Int) -> Void = { _, _ in }
  ) {
    self.meanwhile = meanwhile
    state.withLock { $0.rows = (0..<rows).map { Row(id: "r\($0)", version: 1, total: $0) } }
  }

  var rows: [Row] {
    get { state.withLock { $0.rows } }
    set { state.withLock { $0.rows = newValue } }
  }

  /// Makes a row unreadable.
  func breakRow(_ id: String) { state.withLock { _ = $0.broken.insert(id) } }

  /// Makes all rows readable, without a change of their versions.
  func mendRows() { state.withLock { $0.broken = [] } }

  /// Lists rows, and withholds them when they are fetched.
  func withhold(_ ids: String...) { state.withLock { $0.withheld = Set(ids) } }

  /// Lets a page lead to another one than the next, by the numbers of their first rows.
  func lead(from page: Int, to next: Int) { state.withLock { $0.leads[page] = next } }

  /// Never answers requests for a path.
  func hang(at path: String) { state.withLock { $0.hanging = path } }

  /// The path and the query of each request.
  var requests: [String] { state.withLock { $0.requests } }

  /// Answers the next request with something else.
  func answerNext(_ status: Int, _ fields: HTTPFields = [:]) {
    state.withLock { $0.answers.append((status, fields)) }
  }

  func edit(_ id: String, total: Int) {
    state.withLock { state in
      for index in state.rows.indices where state.rows[index].id == id {
        state.rows[index].version += 1
        state.rows[index].total = total
      }
    }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let number = state.withLock { state in
      state.requests.append(request.url.path() + (request.url.query().map { "?" + $0 } ?? ""))
      return state.requests.count
    }
    meanwhile(self, number)
    if state.withLock({ $0.hanging }) == request.url.path() {
      for await _ in AsyncStream.makeStream(of: Never.self).stream {}
      throw CancellationError()
    }
    if let answer = state.withLock({ $0.answers.isEmpty ? nil : $0.answers.removeFirst() }) {
      return StreamingResponse(
        head: HTTPResponse(status: .init(code: answer.status), headerFields: answer.fields),
        body: ResponseBody([]), url: request.url)
    }
    let rows = rows
    let words = (request.url.query() ?? "").split(separator: "=").map(String.init)
    let value = words.count == 2 ? words[1] : ""
    let text: String
    switch request.url.path() {
    case "/list":
      let start = Int(value) ?? 0
      let page = rows.dropFirst(start).prefix(ListFeed.pageSize)
      let following = start + page.count < rows.count ? start + page.count : nil
      let more = (state.withLock { $0.leads[start] } ?? following).map(String.init) ?? "null"
      text = #"{"next":\#(more),"rows":[\#(page.map(json).joined(separator: ","))]}"#
    case "/count":
      text = #"{"count":\#(rows.count)}"#
    case "/versions":
      let all = rows.map { #"{"id":"\#($0.id)","version":\#($0.version)}"# }
      text = #"{"next":null,"versions":[\#(all.joined(separator: ","))]}"#
    default:
      let ids = Set(value.split(separator: ",").map(String.init))
        .subtracting(state.withLock { $0.withheld })
      let found = rows.filter { ids.contains($0.id) }
      text = #"{"next":null,"rows":[\#(found.map(json).joined(separator: ","))]}"#
    }
    return StreamingResponse(
      head: HTTPResponse(status: .ok), body: ResponseBody(Array(text.utf8)), url: request.url)
  }

  private func json(_ row: Row) -> String {
    let total = state.withLock { $0.broken.contains(row.id) } ? #""x""# : "\(row.total)"
    return #"{"id":"\#(row.id)","version":\#(row.version),"total":\#(total)}"#
  }
}

/// The server's list as a sweep, or as a list of versions.
struct ListFeed: ResourceFeed {
  struct Cursor: FeedCursor {
    var start: Int?
  }

  static let pageSize = 10

  let model: ListModel
  /// True if a sync asks the server for the number of its rows.
  let counts: Bool
  /// True if a sync asks the server for its identity before the list.
  let introduces: Bool

  /// True if the feed promises records, whatever the list holds.
  var promisesRecords = false
  var reader = ""

  var traits: FeedTraits {
    var traits = model.traits(of: "list")
    traits.reader = reader
    return traits
  }

  var contents: ListContents<Invoice, Cursor> {
    guard model == .versions, !promisesRecords else { return .records }
    return .versions(batch: 7) { ids, cursor, ask in
      let request = try Self.request("/records?ids=" + ids.joined(separator: ","))
      return try page(try await ask(request), at: cursor)
    }
  }

  func begin(_ start: FeedStart<Cursor>, ask: @escaping Ask) async throws -> Cursor {
    if introduces { _ = try await ask(try Self.request("/who")) }
    return Self.cursor(start)
  }

  private static func cursor(_ start: FeedStart<Cursor>) -> Cursor {
    if case .continuing(let cursor) = start { cursor } else { Cursor() }
  }

  func source(of cursor: Cursor) -> String { "list" }

  func request(at cursor: Cursor) throws -> Request {
    try Self.request(
      model == .versions ? "/versions" : "/list" + (cursor.start.map { "?start=\($0)" } ?? ""))
  }

  func count(at cursor: Cursor, ask: @escaping Ask) async throws -> ListCount {
    guard counts else { return .notNeeded }
    let response = try await ask(Self.request("/count"))
    var count: Int?
    try JSONReader.readPage(response.body) { reader, _ in count = try reader.readInt() }
    return count.map(ListCount.records) ?? .unknown
  }

  func page(_ response: Response, at cursor: Cursor) throws -> Page<[Invoice], Cursor> {
    var page = Page<[Invoice], Cursor>(resume: cursor)
    try JSONReader.readPage(response.body) { reader, key in
      switch key {
      case "next":
        if try !reader.readNull() { page.next = Cursor(start: try reader.readInt()) }
      case "rows":
        try reader.readRows(identifier: "id", into: &page.failures) {
          page.records.append(try Self.invoice(&$0))
        }
      default:
        try reader.readArray { reader in
          let row = try Self.invoice(&reader)
          page.versions.append(RecordVersion(id: row.id, order: row.version))
        }
      }
    }
    page.resume = page.next ?? cursor
    return page
  }

  private static func request(_ path: String) throws -> Request {
    guard let url = URL(string: "http://list.test" + path) else { throw CocoaError(.formatting) }
    return try Request(url: url)
  }

  private static func invoice(_ reader: inout JSONReader) throws -> Invoice {
    guard let currency = Currency(code: "EUR") else { throw CocoaError(.formatting) }
    var invoice = Invoice(
      id: "", type: .invoice, status: .open, rawStatus: "open", currency: currency, total: .zero)
    try reader.readObject { reader, key in
      switch key {
      case "id": invoice.id = try reader.readString()
      case "version": invoice.version = Int64(try reader.readInt())
      default: invoice.total = try reader.readDecimal()
      }
    }
    return invoice
  }
}
