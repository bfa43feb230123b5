public import Foundation
public import HTTPTypes

/// A request that a session can send, more than once if need be.
public struct Request: Sendable {
  /// Whether the session's authorizer adds credentials.
  public enum AuthorizationPolicy: Sendable, Hashable {
    /// It does, where the session has one.
    case required
    /// It does not.
    case none
  }

  /// What is to be done.
  public let method: HTTPRequest.Method
  /// Where it goes.
  public let url: URL
  /// The header fields, those of the session and its authorizer not yet among them.
  public var fields: HTTPFields
  /// The body; held in memory, so that it can be sent again.
  public var body: [UInt8]?
  /// Whether credentials are added.
  public var authorization = AuthorizationPolicy.required
  /// Whether sending it twice does what sending it once does (RFC 9110 section 9.2.2).
  public var isSafeToRetry: Bool

  private let authority: String
  private let target: String

  /// Creates a request to an absolute `http` or `https` URL.
  ///
  /// - Throws: ``SessionError/invalidRequest(reason:)`` for another scheme, a URL without a host,
  ///   one with a user or password in it, or control characters anywhere.
  public init(
    method: HTTPRequest.Method = .get, url: URL, fields: HTTPFields = [:], body: [UInt8]? = nil
  ) throws(SessionError) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = parts.encodedHost, !host.isEmpty
    else { throw .invalidRequest(reason: "an absolute http or https URL is needed") }
    guard parts.user == nil, parts.password == nil else {
      throw .invalidRequest(reason: "a URL must not hold a user or a password")
    }
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    guard (host + target).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .invalidRequest(reason: "a URL must not hold control or unescaped characters")
    }
    authority = host + (parts.port.map { ":\($0)" } ?? "")
    self.target = target
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    isSafeToRetry = [.get, .head, .put, .delete, .options, .trace].contains(method)
  }

  /// The request line and the header fields; the URL alone decides where it goes.
  package var head: HTTPRequest {
    HTTPRequest(
      method: method, scheme: url.scheme?.lowercased(), authority: authority, path: target,
      headerFields: fields)
  }

  /// Where it goes, as credentials and logs see it.
  var origin: Origin? { Origin(url) }
}

/// A response that has arrived as a whole.
public struct Response: Sendable {
  /// Status and header fields.
  public let head: HTTPResponse
  /// The body, decompressed.
  public let body: [UInt8]
  /// Where it came from, after redirects.
  public let url: URL
  /// How many times the request was sent.
  public package(set) var attempts = 1
  /// How long was waited between attempts.
  public package(set) var waited: Duration = .zero
}
