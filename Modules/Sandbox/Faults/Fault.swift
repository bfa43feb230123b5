/// A fault that is applied to chosen requests.
///
/// In JSON, every member except `path` and `kind` is optional.
public struct Fault: Sendable, Hashable, Encodable {
  /// The kind of fault.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The request is not executed; the response has the fault's status (default 500), headers and
    /// body.
    case status
    /// The request is not executed; the response is a web page, as from a captive portal.
    case html
    /// The request is executed; the response announces its whole length, and ends half way.
    case truncate
    /// The request waits and is then executed.
    case delay
    /// The request is not executed; the connection is reset.
    case reset
    /// The request is executed; the body is cut in half, and the announced length is that of the
    /// half.
    case malformed
    /// The request is executed; the fault replaces the response's body, as JSON, and its status and
    /// headers if the fault has them.
    case replace
    /// The request is executed; the connection is closed without a response.
    case commitThenDrop = "commit-then-drop"
  }

  /// The path of the requests, without the query; a trailing `*` matches any rest.
  public var path: String
  /// The organisation of the requests, as Xero's `Xero-tenant-id` names it; `nil` for any.
  public var organisation: String?
  /// The number of matching requests that are unaffected first.
  ///
  /// A request that an earlier fault affects does not count for later faults.
  public var skip: Int
  /// The number of requests to which the fault is applied.
  public var times: Int
  /// The kind of fault.
  public var kind: Kind
  /// The status of the response, 200 through 599, or `nil` for the kind's default.
  public var status: Int?
  /// The headers that are added to the response.
  public var headers: [String: String]
  /// The body of the response, or `nil` for the kind's default.
  public var body: String?
  /// The delay of the request in milliseconds, whatever the kind.
  public var delayMilliseconds: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case path, organisation, skip, times, kind, status, headers, body, delayMilliseconds
  }

  /// Creates a fault; numbers out of range are replaced by the nearest valid ones.
  public init(
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
