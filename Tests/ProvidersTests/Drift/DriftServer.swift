import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Sync
import SyncSupport
import Testing

/// The run is dropped here, as by a crash.
struct Dropped: Error {}

/// A kind of record that rows of a drifting list become.
protocol DriftingRecord: ListedRecord {
  /// The list that it is in.
  static var drifting: Resource { get }
  init(drifting row: ChangingList.Row) throws
}

/// A list that people edit while it is read.
struct DriftServer<Record: DriftingRecord>: DriftingServer {
  static var resource: Resource { Record.drifting }

  let shape: DriftShape
  let pageSize: Int
  private let promised: DriftPromise
  /// The percentage of requests before whose answers a user changes something.
  var unrest: Int
  /// The number of times that this may still happen: a list that grows faster than it is read is
  /// never read to its end.
  var unrestLeft = 0
  /// After how many further requests the run is dropped; `nil` lets it live.
  var requestsLeft: Int?
  var isCalm = false
  private(set) var list: ChangingList
  private var random: SeededRandom
  private var snapshots: [Int: [ChangingList.Row]] = [:]

  /// - Parameter promise: what is promised where that is not what holds of `DriftFeed`.
  init(
    shape: DriftShape, seed: UInt64, rows: Int, pageSize: Int, promise: DriftPromise? = nil
  ) {
    self.shape = shape
    promised = promise ?? shape.promise
    self.pageSize = pageSize
    random = SeededRandom(seed: seed, part: 2)
    unrest = random.below(80)
    list = ChangingList(seed: seed, rows: rows, deletion: shape.deletion)
  }

  mutating func change(times: Int) {
    for _ in 0..<times { list.change() }
  }

  func promise(_ random: inout SeededRandom) -> [SyncOptions] { promised.runs(&random) }

  mutating func answer(_ request: Request) throws -> (HTTPResponse, String) {
    if unrestLeft > 0, random.chance(unrest) {
      unrestLeft -= 1
      change(times: random.within(1...3))
    }
    if let left = requestsLeft {
      guard left > 0 else { throw Dropped() }
      requestsLeft = left - 1
    }
    let query = Self.query(of: request.url)
    let head = Self.head(of: list)
    if let ids = query["ids"]?.split(separator: ",").map(String.init) {
      let found = list.rows.filter { ids.contains($0.id) }
      return (head, #"{"rows":[\#(Self.text(found, Self.json))]}"#)
    }
    let rows = matching(query)
    if query["count"] != nil {
      return (head, #"{"count":\#(rows.count),"rows":[]}"#)
    }
    guard let (start, source) = cursor(query, rows) else {
      return (HTTPResponse(status: .gone), "")
    }
    return page(of: source, from: start, query, head)
  }

  /// Returns the requested rows, in the order of the list.
  private func matching(_ query: [String: String]) -> [ChangingList.Row] {
    let since = query["since"].flatMap { Int64($0) } ?? 0
    let rows = list.rows.filter { $0.changedAt >= since }
    return shape.isInOrderOfChange
      ? rows.sorted { ($0.changedAt, $0.position) < ($1.changedAt, $1.position) }
      : rows.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  /// Returns the index at which the page begins, and the rows that it indexes; `nil` if a token has
  /// expired.
  private mutating func cursor(
    _ query: [String: String], _ rows: [ChangingList.Row]
  ) -> (Int, [ChangingList.Row])? {
    let value = query["at"] ?? ""
    let parts = value.split(separator: ".").compactMap { Int64($0) }
    switch shape.paging {
    case .number, .linkHeader: return (((Int(value) ?? 1) - 1) * pageSize, rows)
    case .offset, .nextLink: return (Int(value) ?? 0, rows)
    case .cursor:
      guard parts.count == 2 else { return (0, rows) }
      let isInOrderOfChange = shape.isInOrderOfChange
      let index = rows.firstIndex { row in
        isInOrderOfChange
          ? (row.changedAt, Int64(row.position)) > (parts[0], parts[1]) : row.position > parts[1]
      }
      return (index ?? rows.count, rows)
    case .token:
      guard parts.count == 2 else {
        snapshots[snapshots.count] = rows
        return (0, rows)
      }
      // Not the first answer: a client that begins anew has to get somewhere.
      if !isCalm, random.chance(4) { snapshots[Int(parts[0])] = [] }
      guard let snapshot = snapshots[Int(parts[0])], !snapshot.isEmpty else { return nil }
      return (Int(parts[1]), snapshot)
    }
  }

  private func page(
    of rows: [ChangingList.Row], from start: Int, _ query: [String: String], _ head: HTTPResponse
  ) -> (HTTPResponse, String) {
    let found = Array(rows.dropFirst(start).prefix(pageSize))
    let end = start + found.count
    var head = head
    var fields = [
      #""asOf":\#(list.now)"#, #""count":\#(rows.count)"#, #""more":\#(end < rows.count)"#,
      #""pages":\#((rows.count + pageSize - 1) / pageSize)"#,
      shape.changes == .versions
        ? #""versions":[\#(Self.text(found, Self.version))]"#
        : #""rows":[\#(Self.text(found, Self.json))]"#,
    ]
    if end < rows.count, let last = found.last {
      let since = query["since"].map { "&since=\($0)" } ?? ""
      func link(_ at: String) -> String { "http://drift.test/list?at=\(at)\(since)" }
      switch shape.paging {
      case .number, .offset: fields.append(#""next":"more""#)
      case .cursor: fields.append(#""next":"\#(Self.cursor(last))""#)
      case .token:
        let number = query["at"].flatMap { Int($0.prefix { $0 != "." }) } ?? snapshots.count - 1
        fields.append(#""next":"\#(number).\#(end)""#)
      case .nextLink: fields.append(#""next":"\#(link("\(end)"))""#)
      case .linkHeader:
        if let name = HTTPField.Name("Link") {
          let number = start / pageSize + 1
          head.headerFields[name] =
            "<\(link("1"))>; rel=\"first\", <\(link("\(number + 1)"))>; rel=\"next\""
        }
      }
    }
    return (head, "{\(fields.joined(separator: ","))}")
  }

  private static func text(
    _ rows: [ChangingList.Row], _ form: (ChangingList.Row) -> String
  ) -> String {
    rows.map(form).joined(separator: ",")
  }

  private static func head(of list: ChangingList) -> HTTPResponse {
    var head = HTTPResponse(status: .ok)
    head.headerFields[.date] = XeroReply.date(of: list)
    return head
  }

  /// Returns the cursor of a row.
  private static func cursor(_ row: ChangingList.Row) -> String {
    "\(row.changedAt).\(row.position)"
  }

  private static func version(_ row: ChangingList.Row) -> String {
    #"{"id":"\#(row.id)","version":\#(row.version),"cursor":"\#(cursor(row))"}"#
  }

  private static func json(_ row: ChangingList.Row) -> String {
    """
    {"id":"\(row.id)","version":\(row.version),"cursor":"\(cursor(row))","total":\(row.total),\
    "changed":\(row.changedAt),\
    "lines":[\(row.lines.map(String.init).joined(separator: ","))],"deleted":\(row.isDeleted)}
    """
  }

  static func record(of row: ChangingList.Row) throws -> Record { try Record(drifting: row) }

  static func query(of url: URL) -> [String: String] {
    let items = (url.query(percentEncoded: false) ?? "").split(separator: "&").map { item in
      item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    return Dictionary(
      items.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") },
      uniquingKeysWith: { $1 })
  }
}

extension Invoice: DriftingRecord {
  static let drifting = Resource.invoices

  init(drifting row: ChangingList.Row) throws {
    self.init(
      id: row.id, type: .invoice, status: .open, rawStatus: "open",
      currency: try #require(Currency(code: "EUR")),
      updatedAt: Timestamp(millisecondsSinceEpoch: row.changedAt), total: ExactDecimal(row.total),
      lines: row.lines.map { InvoiceLine(lineAmount: ExactDecimal($0)) })
    version = row.version
  }
}

extension Payment: DriftingRecord {
  static let drifting = Resource.payments

  init(drifting row: ChangingList.Row) throws {
    self.init(
      id: row.id, type: .receipt, status: .completed, rawStatus: "completed",
      currency: try #require(Currency(code: "EUR")), amount: ExactDecimal(row.total))
    updatedAt = Timestamp(millisecondsSinceEpoch: row.changedAt)
    version = row.version
    allocations = row.lines.map { Allocation(invoiceID: "i", amount: ExactDecimal($0)) }
  }
}
