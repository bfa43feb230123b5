public import Foundation
public import HTTPTypes

/// A request that a session can send, more than once if need be.
public struct Request: Sendable {
  /// The choice of whether the session's authorizer adds credentials.
  public enum AuthorizationPolicy: Sendable, Hashable {
    /// It does, where the session has one.
    case required
    /// It does not.
    case none
  }

  /// The method.
  public let method: HTTPRequest.Method
  /// The URL it goes to.
  public let url: URL
  /// The header fields, those of the session and its authorizer not yet among them.
  public var fields: HTTPFields
  /// The body, if it has one.
  public var body: RequestBody?
  /// True if credentials are added.
  public var authorization = AuthorizationPolicy.required
  /// True if sending it twice does what sending it once does (RFC 9110 section 9.2.2).
  public var isSafeToRetry: Bool
  /// By what it can be cancelled together with others; see ``Session/cancel(_:)``.
  public var tag: RequestTag?
  /// Takes the place of the session's bound on one attempt as a whole.
  public var timeout: Duration?

  /// Bounds each wait: before it is sent again, where that is less than the session's own bound,
  /// and for the published limit.
  ///
  /// Where the published limit asks for more, nothing is sent, and
  /// ``SessionError/rateLimited(retryAfter:)`` is thrown immediately. Without it, ten minutes are
  /// waited for the limit at the most.
  public var maximumWait: Duration?

  /// Takes the place of the session's bound on a body that is read as a whole, in bytes.
  public var maximumResponseSize: Int?

  /// Told whether anything of it may have been written.
  package var writeReport: WriteReport?

  /// True if the response's body is read as a whole before the response is handed on.
  var isCollected = true

  let origin: Origin
  /// Path and query.
  let target: String
  /// The whole URL, as it goes on the wire.
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
    else { throw .invalidRequest(reason: "an absolute http or https URL is needed") }
    guard parts.user == nil, parts.password == nil else {
      throw .invalidRequest(reason: "a URL must not hold a user or a password")
    }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    guard (origin.host + target).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .invalidRequest(reason: "a URL must not hold control or unescaped characters")
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
        reason: "the header field \(name.rawName) must not hold control characters")
    }
    fields[name] = value
  }

  /// The request line and the header fields; the URL alone decides where it goes.
  package var head: HTTPRequest {
    HTTPRequest(
      method: method, scheme: origin.scheme, authority: authority, path: target,
      headerFields: fields)
  }

  /// True if its body, where it has one, can be sent again.
  var isReplayable: Bool { body?.isReplayable ?? true }

  /// True if both it and its response are held in memory, so that nothing is carried piece by
  /// piece.
  var isExchangedAsAWhole: Bool {
    guard isCollected else { return false }
    guard let body else { return true }
    // What is larger goes in pieces, so that a server that does not read holds little back.
    if case .bytes(let bytes) = body.content { return bytes.count <= UploadChunks.size }
    return false
  }

  /// True if it may be sent again after the server may have received it.
  var canBeRepeated: Bool { isSafeToRetry && isReplayable }

  /// The same to another place.
  func moved(to url: URL, method: HTTPRequest.Method) throws(SessionError) -> Request {
    var moved = try Request(method: method, url: url, fields: fields, body: body)
    moved.authorization = authorization
    moved.isSafeToRetry = isSafeToRetry
    moved.tag = tag
    moved.timeout = timeout
    moved.maximumWait = maximumWait
    moved.maximumResponseSize = maximumResponseSize
    moved.writeReport = writeReport
    moved.isCollected = isCollected
    return moved
  }
}

/// A mark on requests, by which some of a session's are cancelled together.
public struct RequestTag: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The text of the mark.
  public let rawValue: String

  /// Creates a tag.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Creates a tag from a literal.
  public init(stringLiteral value: String) { rawValue = value }
}
