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
  private let sent: SentCredentials?

  /// The server's own words, if it explains a refusal; see ``ProviderMessage``.
  public var providerMessage: ProviderMessage? {
    ProviderMessage(body: body, fields: head.headerFields, removing: sent)
  }

  /// Creates a response, for tests of code that uses a session.
  public init(head: HTTPResponse, body: [UInt8], url: URL) {
    self.init(StreamingResponse(head: head, body: ResponseBody(body), url: url), body: body)
  }

  /// Decodes the body as JSON; ``Request/maximumResponseSize`` limits its size.
  ///
  /// Numbers are decoded as the requested type: money does not belong in a `Double`.
  ///
  /// - Throws: ``SessionError/unexpectedBody(origin:underlying:)``.
  public func json<Value: Decodable>(
    _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
  ) throws(SessionError) -> Value {
    do {
      return try decoder.decode(type, from: Data(body))
    } catch {
      throw .unexpectedBody(origin: Origin(url), underlying: error)
    }
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
  var sent: SentCredentials?

  /// Creates a response, for middleware that answers requests itself.
  public init(head: HTTPResponse, body: ResponseBody, url: URL) {
    self.head = head
    self.body = body
    self.url = url
  }
}

/// The body of a response, in pieces as they arrive; the server waits while nobody reads.
///
/// It can be read once. Releasing it before its end closes the connection.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A piece of the body, never empty.
  public typealias Element = [UInt8]
  /// ``SessionError``, or `CancellationError` if the reading task is cancelled.
  public typealias Failure = any Error

  private enum Source: Sendable {
    case whole([UInt8])
    case pieces(@Sendable () -> AsyncIterator)
  }

  private let source: Source

  /// Creates a body from bytes.
  public init(_ bytes: [UInt8]) {
    source = .whole(bytes)
  }

  /// Creates a body from a sequence of pieces.
  public init(_ pieces: some AsyncSequence<[UInt8], any Error> & Sendable) {
    source = .pieces {
      var iterator = pieces.makeAsyncIterator()
      return AsyncIterator { try await iterator.next(isolation: #isolation) }
    }
  }

  var whole: [UInt8]? {
    if case .whole(let bytes) = source { bytes } else { nil }
  }

  var isWhole: Bool { whole != nil }

  /// Reads the rest of the body.
  ///
  /// - Throws: ``SessionError/responseTooLarge(limit:)`` if the rest is larger than `limit` bytes.
  public func collect(upTo limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in self {
      guard bytes.count + piece.count <= limit else {
        throw SessionError.responseTooLarge(limit: limit)
      }
      bytes += piece
    }
    return bytes
  }

  /// Starts reading.
  public func makeAsyncIterator() -> AsyncIterator {
    switch source {
    case .pieces(let make): return make()
    case .whole(let bytes):
      var rest = bytes.isEmpty ? nil : bytes
      return AsyncIterator {
        defer { rest = nil }
        return rest
      }
    }
  }

  /// An iterator over the pieces.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let read: () async throws -> [UInt8]?

    /// Returns the next piece, or `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
      try await read()
    }
  }
}
