public import Foundation
public import HTTPTypes

/// A response that has arrived as a whole.
public struct Response: Sendable {
  /// Status and header fields.
  public let head: HTTPResponse
  /// The body, decompressed.
  public let body: [UInt8]
  /// The URL of the response, after redirects.
  public let url: URL
  /// The number of times that the request was sent.
  public let attempts: Int
  /// The time spent waiting between attempts.
  public let waited: Duration
  /// The credentials of the request.
  private let sent: SentCredentials?

  /// The server's own words, if it explains a refusal; see ``ProviderMessage``.
  public var providerMessage: ProviderMessage? {
    ProviderMessage(body: body, fields: head.headerFields, removing: sent)
  }

  /// Creates a response, for tests of code that uses a session.
  public init(head: HTTPResponse, body: [UInt8], url: URL) {
    self.init(StreamingResponse(head: head, body: ResponseBody(body), url: url), body: body)
  }

  init(_ response: StreamingResponse, body: [UInt8]) {
    head = response.head
    self.body = body
    url = response.url
    attempts = response.attempts
    waited = response.waited
    sent = response.sent
  }
}
