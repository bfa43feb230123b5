import Foundation
import HTTPTypes
import Models
import Networking
import Providers
import Storage
import Sync
import Testing

/// An example of a vendor's answers in the folder `Examples`, with the records that it holds,
/// worked out by hand.
struct WrittenExample {
  /// The answers of one list.
  struct List {
    let name: String
    let page: Data
    /// The answers to the requests for single records, by identifier.
    let details: [String: Data]
    let expected: [[String: Any]]
    let removed: [String]
  }

  let lists: [List]

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Examples")

  init(_ provider: String) throws {
    let file = Self.folder.appending(path: provider + ".json")
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    lists = try #require(root["lists"] as? [[String: Any]]).map { list in
      let details = list["detail"] as? [String: Any] ?? [:]
      return List(
        name: try #require(list["list"] as? String),
        page: try Self.data(try #require(list["page"])),
        details: try details.mapValues(Self.data),
        expected: try #require(list["expected"] as? [[String: Any]]),
        removed: list["removed"] as? [String] ?? [])
    }
  }

  private static func data(_ value: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: value)
  }
}

extension WrittenExample.List {
  /// Reads the answers with a description, and returns what differs from what is expected.
  func differences<Record: RESTRecord & FieldListing>(
    _: Record.Type, _ resource: RESTResource, of description: RESTDescription
  ) async throws -> [String] {
    let feed = RESTFeed(
      Record.self, provider: "example", resource: resource, baseURL: description.baseURL,
      headers: description.headers, tenantID: description.namesTenant ? "T1" : nil)
    let details = details
    let ask: Ask = { request in
      let id = details.keys.first { request.url.absoluteString.contains($0) }
      guard let id, let body = details[id] else { throw CocoaError(.fileNoSuchFile) }
      return Response(head: HTTPResponse(status: .ok), body: Array(body), url: request.url)
    }
    let cursor = try await feed.begin(.everything(known: nil), ask: ask)
    let url = try feed.request(at: cursor).url
    let read = try feed.page(
      Response(head: HTTPResponse(status: .ok), body: Array(page), url: url), at: cursor)
    var (records, failures, removals) = (read.records, read.failures, read.removals)
    if case .versions(_, let fetch) = feed.contents {
      let fetched = try await fetch(read.versions.map(\.id), cursor, ask)
      records = fetched.records
      failures += fetched.failures
      removals += fetched.removals
    }
    var problems = failures.map { "\(name): row \($0.id ?? "?"): \($0.path): \($0.reason)" }
    if Set(removals.map(\.id)) != Set(removed) {
      problems.append("\(name): removed \(removals.map(\.id)), expected \(removed)")
    }
    if records.count != expected.count {
      problems.append("\(name): \(records.count) records, expected \(expected.count)")
    }
    let found = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for wanted in expected {
      guard let id = wanted["id"] as? String, let record = found[id] else {
        problems.append("\(name): there is no record \(wanted["id"] ?? "without an id")")
        continue
      }
      let values = Dictionary(
        FieldValues(of: record).values.map { ($0.field, $0.text) }, uniquingKeysWith: { $1 })
      for (field, text) in Self.flattened(wanted, "") {
        guard let value = values[field] else {
          if text != nil { problems.append("\(name) \(id): there is no field \(field)") }
          continue
        }
        guard !Self.areEqual(value, text) else { continue }
        problems.append("\(name) \(id): \(field) is \(value ?? "nil"), expected \(text ?? "nil")")
      }
    }
    return problems
  }

  /// Returns the values of a JSON document by the names of the fields; for a list the number of its
  /// elements.
  private static func flattened(_ value: Any, _ path: String) -> [(String, String?)] {
    switch value {
    case let members as [String: Any]:
      return members.flatMap { name, value in
        flattened(value, path.isEmpty ? name : "\(path).\(name)")
      }
    case let elements as [Any]:
      return [(path, "\(elements.count)")]
        + elements.enumerated().flatMap { flattened($1, "\(path)[\($0)]") }
    case is NSNull: return [(path, nil)]
    case let bool as Bool where "\(type(of: value))".contains("Bool"): return [(path, "\(bool)")]
    default: return [(path, "\(value)")]
    }
  }

  private static func areEqual(_ value: String?, _ expected: String?) -> Bool {
    if value == expected { return true }
    if let value, let expected, let instant = Timestamp(value) {
      return instant == Timestamp(expected)
    }
    guard let value, let expected, let left = ExactDecimal(value),
      let right = ExactDecimal(expected)
    else { return false }
    return left == right
  }
}
