public import Foundation
public import HTTPTypes

/// A request that a session can send, and retry if necessary.
public struct Request: Sendable {
  /// The choice whether the session's authorizer adds credentials.
  public enum AuthorizationPolicy: Sendable, Hashable {
    /// The authorizer adds credentials, if the session has one.
    case required
    /// The authorizer adds none.
    case none
  }

  /// The method.
  public let method: HTTPRequest.Method
  /// The URL to which the request is sent.
  public let url: URL
  /// The header fields, without those that the session and its authorizer add.
  public var fields: HTTPFields
  /// The body, if it has one.
  public var body: RequestBody?
  /// The choice whether the session's authorizer adds credentials.
  public var authorization = AuthorizationPolicy.required
  /// True if sending the request twice has the same effect as sending it once (RFC 9110 section
  /// 9.2.2).
  public var isSafeToRetry: Bool
  /// The tag with which requests can be cancelled together; see ``Session/cancel(_:)``.
  public var tag: RequestTag?
  /// The limit on one attempt, instead of the session's.
  public var timeout: Duration?

  /// The longest single wait: before a retry, if it is less than the session's own limit, and for
  /// the published limit.
  ///
  /// If the published limit requires a longer wait, nothing is sent, and
  /// ``SessionError/rateLimited(retryAfter:)`` is thrown immediately. Without a value, the request
  /// waits at most ten minutes for the limit.
  public var maximumWait: Duration?

  /// The limit on a body that is read as a whole, in bytes, instead of the session's.
  public var maximumResponseSize: Int?

  /// True if the URL itself is a secret, as a link that anybody can open.
  ///
  /// Logs, traces and spans then show its origin only. It is not sent to the account's own server,
  /// so it counts for none of that server's limits.
  public var isLink = false
  /// True if a redirect to another origin leads to such a link; see ``isLink``.
  public var leadsToLink = false

  /// Called before each wait of a second or more; `false` refuses it.
  ///
  /// The request then ends with the response that asks for the wait, or with
  /// ``SessionError/rateLimited(retryAfter:)``.
  package var onWait: (@Sendable (RequestWait) -> Bool)?

  /// Records whether any part of the request may have been written.
  package var writeReport: WriteReport?

  /// The credentials in the request, which no message may repeat.
  package var sent: SentCredentials?

  /// The limit on one attempt, instead of the session's, once ``writeReport`` says that any part of
  /// it may have been written.
  ///
  /// It is for a request with a single-use value: to give up costs more than to wait.
  package var answerTimeout: Duration?

  /// True if the response's body is read as a whole before the response is returned.
  var isCollected = true

  let origin: Origin
  let target: String
  let wireURL: String
  private let authority: String

  /// Creates a request to an absolute `http` or `https` URL.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` for another scheme, a URL without a host,
  ///   one with a user or password in it, or control characters anywhere.
  public init(
    method: HTTPRequest.Method = .get, url: URL, fields: HTTPFields = [:], body: RequestBody? = nil
  ) throws(SessionError) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let origin = Origin(parts)
    else { throw .invalidRequest(reason: "the URL is not an absolute http or https URL") }
    guard parts.user == nil, parts.password == nil else {
      throw .invalidRequest(reason: "a URL must not contain a user name or a password")
    }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    guard (origin.host + target).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .invalidRequest(reason: "a URL must not contain control characters or unescaped ones")
    }
    self.origin = origin
    authority = (parts.encodedHost ?? origin.host) + (parts.port.map { ":\($0)" } ?? "")
    wireURL = "\(origin.scheme)://\(authority)\(target)"
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    isSafeToRetry = [.get, .head, .put, .delete, .options, .trace].contains(method)
  }

  /// Creates a request with a body in memory.
  ///
  /// - Throws: as ``init(method:url:fields:body:)``.
  public init(
    method: HTTPRequest.Method = .get, url: URL, fields: HTTPFields = [:], body: [UInt8]
  ) throws(SessionError) {
    try self.init(method: method, url: url, fields: fields, body: .bytes(body))
  }

  /// Creates a request that carries a value as JSON.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)``, also if the value cannot be encoded.
  public init(
    method: HTTPRequest.Method = .post, url: URL, fields: HTTPFields = [:],
    json value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws(SessionError) {
    let body: Data
    do {
      body = try encoder.encode(value)
    } catch {
      throw .invalidRequest(reason: "cannot encode the body as JSON")
    }
    try self.init(method: method, url: url, fields: fields, body: [UInt8](body))
    self.fields[.contentType] = "application/json"
  }

  /// Sets a header field whose value comes from elsewhere.
  ///
  /// ``fields`` takes any text and replaces forbidden characters by blanks; this throws instead.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` for a name that is no token or a value with
  ///   control characters (RFC 9110 section 5.5).
  public mutating func setField(_ name: String, to value: String) throws(SessionError) {
    guard let name = HTTPField.Name(name) else {
      throw .invalidRequest(reason: "a header field's name is not a token")
    }
    guard HTTPField.isValidValue(value) else {
      throw .invalidRequest(
        reason: "the header field \(name.rawName) must not contain control characters")
    }
    fields[name] = value
  }

  /// The request line and the header fields; the URL alone decides where it goes.
  package var head: HTTPRequest {
    HTTPRequest(
      method: method, scheme: origin.scheme, authority: authority, path: target,
      headerFields: fields)
  }

  var isReplayable: Bool { body?.isReplayable ?? true }

  /// True if both the request and its response are held in memory, so that no body is streamed.
  var isExchangedAsAWhole: Bool {
    guard isCollected else { return false }
    guard let body else { return true }
    // A larger body is sent in pieces, so that a server that does not read holds little up.
    if case .bytes(let bytes) = body.content { return bytes.count <= UploadChunks.size }
    return false
  }

  var canBeRepeated: Bool { isSafeToRetry && isReplayable }

  func moved(to url: URL, method: HTTPRequest.Method) throws(SessionError) -> Request {
    var moved = try Request(method: method, url: url, fields: fields, body: body)
    moved.authorization = authorization
    moved.isSafeToRetry = isSafeToRetry
    moved.tag = tag
    moved.timeout = timeout
    moved.maximumWait = maximumWait
    moved.maximumResponseSize = maximumResponseSize
    moved.writeReport = writeReport
    moved.sent = sent
    moved.answerTimeout = answerTimeout
    moved.isCollected = isCollected
    moved.isLink = isLink || (leadsToLink && moved.origin != origin)
    moved.leadsToLink = leadsToLink
    return moved
  }

  /// Throws an error for fields that would change the message's framing rather than its content.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)``.
  func validate() throws(SessionError) {
    for field in fields where Self.frame.contains(field.name) {
      throw .invalidRequest(reason: "\(field.name.rawName) is set by the session itself")
    }
  }

  func completed(with defaults: HTTPFields) -> Request {
    guard !defaults.isEmpty else { return self }
    var request = self
    for field in defaults where fields[field.name] == nil && !Self.frame.contains(field.name) {
      request.fields.append(field)
    }
    return request
  }

  static let frame: Set<HTTPField.Name> = Set(
    ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "TE", "Trailer"]
      .compactMap { HTTPField.Name($0) })
}

/// A tag on requests, with which some of a session's requests are cancelled together.
public struct RequestTag: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The text of the tag.
  public let rawValue: String

  /// Creates a tag.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Creates a tag from a literal.
  public init(stringLiteral value: String) { rawValue = value }
}

/// A wait of a request before it is sent, or sent again.
package struct RequestWait: Sendable, Equatable {
  /// The reasons for a wait.
  package enum Reason: Sendable {
    /// The server asked for it.
    case askedByServer
    /// The limit that the provider publishes allows no request yet.
    case publishedLimit
    /// The last attempt failed.
    case failedAttempt
  }

  /// The reason.
  package let reason: Reason
  /// The length of the wait.
  package let duration: Duration
}
