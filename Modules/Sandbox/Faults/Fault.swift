import Foundation
import HTTPTypes

/// A fault that is applied to chosen requests.
///
/// In JSON, every member except `path` and `kind` is optional.
package struct Fault: Sendable, Hashable, Encodable {
  /// The kind of fault.
  package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The request is not executed; the response has the fault's status (default 500), headers and
    /// body.
    case status
    /// The request is not executed; the response is a web page, as from a captive portal.
    case html
    /// The request is executed; the response announces its whole length, and ends half way.
    case truncate
    /// The request is executed; the body arrives at one byte a second.
    case trickle
    /// The request waits and is then executed.
    case delay
    /// The request is not executed; the connection is reset.
    case reset
    /// The request is executed; the body is cut in half, and the announced length is that of the
    /// half.
    case malformed
    /// The request is executed; one byte in the middle of the body is another one.
    case flip
    /// The request is executed; the fault replaces the response's body, as JSON, and its status and
    /// headers if the fault has them.
    case replace
    /// The request is executed; the connection is closed without a response.
    case commitThenDrop = "commit-then-drop"
  }

  /// The path of the requests, without the query; a trailing `*` matches any rest.
  package var path: String
  /// The organisation of the requests, as Xero's `Xero-tenant-id` names it; `nil` for any.
  package var organisation: String?
  /// The number of matching requests that are unaffected first.
  ///
  /// A request that an earlier fault affects does not count for later faults.
  package var skip: Int
  /// The number of requests to which the fault is applied.
  package var times: Int
  /// The kind of fault.
  package var kind: Kind
  /// The status of the response, 200 through 599, or `nil` for the kind's default.
  package var status: Int?
  /// The headers that are added to the response.
  package var headers: [String: String]
  /// The body of the response, or `nil` for the kind's default.
  package var body: String?
  /// The delay of the request in milliseconds, whatever the kind.
  package var delayMilliseconds: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case path, organisation, skip, times, kind, status, headers, body, delayMilliseconds
  }

  /// Creates a fault; numbers out of range are replaced by the nearest valid ones.
  package init(
    path: String,
    kind: Kind,
    organisation: String? = nil,
    skip: Int = 0,
    times: Int = 1,
    status: Int? = nil,
    headers: [String: String] = [:],
    body: String? = nil,
    delayMilliseconds: Int = 0
  ) {
    self.path = path
    self.organisation = organisation
    self.kind = kind
    self.skip = max(0, skip)
    self.times = max(1, times)
    self.status = status.map { min(max($0, 200), 599) }
    self.headers = headers
    self.body = body
    self.delayMilliseconds = max(0, delayMilliseconds)
  }

  func matches(_ path: String, of organisation: String? = nil) -> Bool {
    guard self.organisation == nil || self.organisation == organisation else { return false }
    guard self.path.hasSuffix("*") else { return path == self.path }
    return path.hasPrefix(self.path.dropLast())
  }
}

extension Fault: Decodable {
  /// Decodes a fault; an unknown member, or one out of range, is an error.
  package init(from decoder: any Decoder) throws {
    try Self.refuseUnknownMembers(decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys, in range: ClosedRange<Int>) throws -> Int? {
      guard let value = try container.decodeIfPresent(Int.self, forKey: key) else { return nil }
      guard range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(key.stringValue) is not within \(range)")
      }
      return value
    }
    let headers = try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
    for name in headers.keys where HTTPField.Name(name) == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .headers, in: container, debugDescription: "\(name) is not a header name")
    }
    let path = try container.decode(String.self, forKey: .path)
    let word = try container.decode(String.self, forKey: .kind)
    guard let kind = Kind(rawValue: word) else {
      let available = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription: "unknown kind '\(word)'; available: \(available)")
    }
    self.init(
      path: path,
      kind: kind,
      organisation: try container.decodeIfPresent(String.self, forKey: .organisation),
      skip: try number(.skip, in: 0...1_000_000) ?? 0,
      times: try number(.times, in: 1...1_000_000) ?? 1,
      status: try number(.status, in: 200...599),
      headers: headers,
      body: try container.decodeIfPresent(String.self, forKey: .body),
      delayMilliseconds: try number(.delayMilliseconds, in: 0...3_600_000) ?? 0)
  }

  /// Throws an error for unknown members: with a misspelt one, the fault would not be the intended
  /// one.
  private static func refuseUnknownMembers(_ decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let known = Set(CodingKeys.allCases.map(\.stringValue))
    guard let unknown = members.filter({ !known.contains($0) }).min() else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: "\(unknown) is not known"))
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) {
      nil
    }
  }
}

/// Faults as JSON text: one object, or an array of them.
enum FaultDocument {
  private struct NotJSON: LocalizedError {
    let errorDescription: String? =
      #"this is not valid JSON; a fault is written as {"path": "/connections", "kind": "reset"}"#
  }

  static func read(_ data: Data) throws -> [Fault] {
    guard (try? JSONSerialization.jsonObject(with: data)) != nil else { throw NotJSON() }
    let first = data.first { !" \t\r\n".utf8.contains($0) }
    guard first == UInt8(ascii: "[") else {
      return [try JSONDecoder().decode(Fault.self, from: data)]
    }
    return try JSONDecoder().decode([Fault].self, from: data)
  }

  static func read(file path: String) throws -> [Fault] {
    do {
      return try read(Data(contentsOf: URL(filePath: path)))
    } catch {
      throw SandboxError.unreadableFile(path: path, line: nil, reason: reason(error))
    }
  }

  /// Describes an error in one line, such as `fault 2: path is missing`.
  static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      place(context.codingPath) + "\(key.stringValue) is missing"
    case .valueNotFound(_, let context): place(context.codingPath) + "null is no value"
    case .typeMismatch(let type, let context):
      place(context.codingPath) + "expected \(name(of: type))"
    case .dataCorrupted(let context): place(context.codingPath) + context.debugDescription
    default: error.localizedDescription
    }
  }

  /// Names the place of an error, with a colon after it; elements of an array count from 1.
  private static func place(_ path: [any CodingKey]) -> String {
    let names = path.map { key in key.intValue.map { "fault \($0 + 1)" } ?? key.stringValue }
    return names.isEmpty ? "" : names.joined(separator: ", ") + ": "
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Int.Type: "a whole number"
    default: "an object"
    }
  }
}
