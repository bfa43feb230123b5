/// Something that goes wrong with chosen requests.
///
/// In JSON every member but `path` and `kind` may be left out.
public struct Fault: Sendable, Hashable, Encodable {
  /// The kind of fault.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The request is not carried out; the answer is the fault's status (500), headers and body.
    case status
    /// The request is not carried out; the answer is a web page, as a captive portal sends it.
    case html
    /// The request is carried out; the answer announces its whole length, and ends half way.
    case truncate
    /// The request waits and is then carried out.
    case delay
    /// The request is not carried out; the connection is reset.
    case reset
    /// The request is carried out; the body is cut in half, its length being that of the half.
    case malformed
    /// The request is carried out; the answer's body is the fault's, as JSON, and the status and
    /// headers too where the fault has them.
    case replace
    /// The request is carried out; the connection is closed without an answer.
    case commitThenDrop = "commit-then-drop"
  }

  /// The path of the requests, without the query; one that ends in `*` means all that begin so.
  public var path: String
  /// The number of matching requests that pass unharmed first.
  ///
  /// A request that an earlier fault took is not counted by the later ones.
  public var skip: Int
  /// The number of requests that the fault is applied to.
  public var times: Int
  /// The kind of fault.
  public var kind: Kind
  /// The status of the answer, 200 through 599, or `nil` for the kind's own.
  public var status: Int?
  /// Headers added to the answer.
  public var headers: [String: String]
  /// The body of the answer, or `nil` for the kind's own.
  public var body: String?
  /// The delay of the request in milliseconds, whatever the kind.
  public var delayMilliseconds: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case path, skip, times, kind, status, headers, body, delayMilliseconds
  }

  /// Creates a fault; numbers outside their limits are moved to the nearest that is inside.
  public init(
    path: String,
    kind: Kind,
    skip: Int = 0,
    times: Int = 1,
    status: Int? = nil,
    headers: [String: String] = [:],
    body: String? = nil,
    delayMilliseconds: Int = 0
  ) {
    self.path = path
    self.kind = kind
    self.skip = max(0, skip)
    self.times = max(1, times)
    self.status = status.map { min(max($0, 200), 599) }
    self.headers = headers
    self.body = body
    self.delayMilliseconds = max(0, delayMilliseconds)
  }

  func matches(_ path: String) -> Bool {
    guard self.path.hasSuffix("*") else { return path == self.path }
    return path.hasPrefix(self.path.dropLast())
  }
}
