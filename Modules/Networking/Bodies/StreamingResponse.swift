public import Foundation
public import HTTPTypes

/// A response whose body has not been read yet.
public struct StreamingResponse: Sendable {
  /// Status and header fields.
  public let head: HTTPResponse
  /// The body, decompressed.
  public let body: ResponseBody
  /// The URL of the response, after redirects.
  public let url: URL
  /// The number of times that the request was sent.
  public package(set) var attempts = 1
  /// The time spent waiting between attempts.
  public package(set) var waited: Duration = .zero
  /// The credentials of the request.
  var sent: SentCredentials?

  /// Creates a response, for middleware that answers requests itself.
  public init(head: HTTPResponse, body: ResponseBody, url: URL) {
    self.head = head
    self.body = body
    self.url = url
  }
}
