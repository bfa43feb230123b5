import Foundation
import HTTPTypes
import Models
import Networking
import Synchronization

/// An invoice list in memory that speaks every paging style, which a session reaches without a
/// network.
///
/// Unless it is asked to sort by change it lists the newest change first: an edit moves a row to
/// the front, and every row before it one to the back.
final class RESTServer: Middleware {
  struct Row: Sendable, Hashable {
    let id: String
    var updated: Int
    var total: Int
  }

  private struct State {
    var rows: [Row] = []
    var now = 1_700_000_000
    var requests: [String] = []
    var conditions: [String?] = []
    /// The rows that were removed, with the time; a record that is created again stays among them.
    var deleted: [Row] = []
    var answers: [(status: Int, body: String)] = []
  }

  static let pageSize = 10

  private let state = Mutex(State())
  private let meanwhile: @Sendable (RESTServer, _ request: Int) -> Void

  init(
    rows: Int, meanwhile: @escaping @Sendable (RESTServer, _ request: Int) -> Void = { _, _ in }
  ) {
    self.meanwhile = meanwhile
    for number in 0..<rows { insert("r\(number)") }
  }

  var rows: Set<Row> { Set(state.withLock { $0.rows }) }

  /// The path and the query of each request.
  var requests: [String] { state.withLock { $0.requests } }

  /// The `If-Modified-Since` of each request.
  var conditions: [String?] { state.withLock { $0.conditions } }

  func insert(_ id: String) {
    state.withLock { state in
      state.now += 1
      state.rows.append(Row(id: id, updated: state.now, total: state.now))
    }
  }

  func edit(_ id: String) {
    state.withLock { state in
      state.now += 1
      for index in state.rows.indices where state.rows[index].id == id {
        state.rows[index].updated = state.now
        state.rows[index].total += 1
      }
    }
  }

  /// Edits a row in the second in which the next request is answered.
  func editAhead(_ id: String) {
    edit(id)
    state.withLock { $0.now -= 1 }
  }

  /// Changes a row that goes on to be of the instant of its last edit.
  func alter(_ id: String, total: Int) {
    state.withLock { state in
      for index in state.rows.indices where state.rows[index].id == id {
        state.rows[index].total = total
      }
    }
  }

  /// Makes all rows ones that were changed in the same instant.
  func align() {
    state.withLock { state in
      for index in state.rows.indices { state.rows[index].updated = state.now }
    }
  }

  /// Dates a row in the year 3000.
  func postdate(_ id: String) {
    state.withLock { state in
      for index in state.rows.indices where state.rows[index].id == id {
        state.rows[index].updated = 32_503_680_000
      }
    }
  }

  func remove(_ id: String) {
    state.withLock { state in
      state.now += 1
      state.rows.removeAll { $0.id == id }
      state.deleted.append(Row(id: id, updated: state.now, total: 0))
    }
  }

  /// Answers the next request with something else.
  func answerNext(_ status: Int, _ body: String) {
    state.withLock { $0.answers.append((status, body)) }
  }

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let number = state.withLock { state in
      state.now += 1
      state.requests.append(
        request.url.path(percentEncoded: true) + (request.url.query().map { "?" + $0 } ?? ""))
      state.conditions.append(request.fields[.ifModifiedSince])
      return state.requests.count
    }
    meanwhile(self, number)
    let (rows, deleted, now, answer) = state.withLock { state in
      let answer = state.answers.isEmpty ? nil : state.answers.removeFirst()
      return (state.rows, state.deleted, state.now, answer)
    }
    let condition = request.fields[.ifModifiedSince].flatMap(Self.seconds)
    var fields: HTTPFields = [.date: Self.date(now)]
    let body: String
    var status = 200
    if let answer {
      (status, body) = answer
    } else if request.url.path() == "/v1/me" {
      let token = request.fields[.authorization]?.dropFirst("Bearer ".count) ?? "nobody"
      body = #"{"organisation":{"id":"\#(token)"}}"#
    } else if request.url.path() == "/v1/versions" {
      let all = rows.map { #"{"id":"\#($0.id)","version":\#($0.updated)}"# }
      body = "[\(all.joined(separator: ","))]"
    } else if request.url.path() == "/v1/records" {
      body = Self.records(rows, try Self.identifiers(request))
    } else if let id = Self.recordID(request.url) {
      let record = rows.first { $0.id == id }
      body = record.map { #"{"record":\#(Self.json($0))}"# } ?? "{}"
      status = record == nil ? 404 : 200
    } else if request.url.path() == "/v1/deleted" {
      body = list(deleted, request.url, &fields)
    } else if let condition {
      let changed = rows.filter { $0.updated >= condition }
      body = list(changed, request.url, &fields)
      if changed.isEmpty { status = 304 }
    } else {
      body = list(rows, request.url, &fields)
    }
    return StreamingResponse(
      head: HTTPResponse(status: .init(code: status), headerFields: fields),
      body: ResponseBody(Array(body.utf8)), url: request.url)
  }

  private func list(_ rows: [Row], _ url: URL, _ fields: inout HTTPFields) -> String {
    let query = Self.query(url)
    let since = (query["since"] ?? query["deleted_since"]).flatMap { Timestamp($0) }
      .map { Int($0.microsecondsSinceEpoch / 1_000_000) }
    var listed = rows.filter { $0.updated >= since ?? 0 }
    if query["sort"] == "updated" {
      listed.sort { ($0.updated, $0.id) < ($1.updated, $1.id) }
    } else if query["after"] != nil || query["token"] != nil || query["keyset"] != nil {
      listed.sort { $0.id < $1.id }
    } else {
      listed.sort { ($0.updated, $0.id) > ($1.updated, $1.id) }
    }
    let total = listed.count
    var start = 0
    if let page = query["page"].flatMap({ Int($0) }) { start = (page - 1) * Self.pageSize }
    if let offset = query["offset"].flatMap({ Int($0) }) { start = offset }
    if let after = query["after"] ?? query["token"] {
      start =
        query["sort"] == nil
        ? listed.firstIndex { $0.id > after } ?? total
        : listed.firstIndex { $0.id == after }.map { $0 + 1 } ?? total
    }
    let isWhole = query["all"] != nil
    let page = isWhole ? listed[...] : listed.dropFirst(start).prefix(Self.pageSize)
    let hasMore = !isWhole && start + page.count < total
    let next = hasMore ? Self.next(url, query, number: start / Self.pageSize + 2) : nil
    if let next, let link = HTTPField.Name("Link") {
      fields[link] = #"</v1/first>; rel="first", <\#(next)>; rel="next""#
    }
    return """
      {"meta":{"count":\(total),"pages":\((total + Self.pageSize - 1) / Self.pageSize),
      "more":\(hasMore),"token":\(hasMore ? "\"\(page.last?.id ?? "")\"" : "null"),
      "next":\(next.map { "\"\($0)\"" } ?? "null")},
      "data":{"items":[\(page.map(url.path() == "/v1/outline" ? Self.outline : Self.json).joined(separator: ","))]}}
      """
  }

  private static func next(_ url: URL, _ query: [String: String], number: Int) -> String {
    let items = query.merging(["page": "\(number)"]) { $1 }.sorted { $0.key < $1.key }
    return url.path() + "?" + items.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
  }

  private static func records(_ rows: [Row], _ ids: Set<String>) -> String {
    let found = rows.filter { ids.contains($0.id) }.map(json)
    return #"{"data":{"items":[\#(found.joined(separator: ","))]}}"#
  }

  private static func identifiers(_ request: Request) throws -> Set<String> {
    Set((query(request.url)["ids"] ?? "").split(separator: ",").map(String.init))
  }

  private static func query(_ url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  private static func date(_ seconds: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  private static func seconds(_ date: String) -> Int? {
    HTTPDate.parse(date).map { Int($0.timeIntervalSince1970) }
  }

  private static func recordID(_ url: URL) -> String? {
    let parts = url.path(percentEncoded: true).split(separator: "/")
    return parts.count == 3 && parts[1] == "records" ? parts[2].removingPercentEncoding : nil
  }

  /// A row that lacks most of its record.
  private static func outline(_ row: Row) -> String {
    let updated = Timestamp(microsecondsSinceEpoch: Int64(row.updated) * 1_000_000)
    return #"{"id":"\#(row.id)","updated_at":"\#(updated)"}"#
  }

  private static func json(_ row: Row) -> String {
    let updated = Timestamp(microsecondsSinceEpoch: Int64(row.updated) * 1_000_000)
    return
      #"{"id":"\#(row.id)","version":\#(row.updated),"updated_at":"\#(updated)","total":"\#(row.total).00"}"#
  }
}
