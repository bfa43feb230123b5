import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The last link: sends requests with AsyncHTTPClient.
///
/// It speaks HTTP/1.1; the guide <doc:HTTPVersions> explains why. Redirects are off, because the
/// client would send custom fields along.
struct TransportMiddleware: Middleware {
  let clients: ClientSet
  let configuration: SessionConfiguration
  let counters: SessionCounters
  let name: String

  func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
    let operation = next.operation
    // A link that ignored the cancellation may still pass the request on.
    try Task.checkCancellation()
    counters.update { $0.requests += 1 }
    do {
      let (client, loop) = try clients.take(for: request)
      defer { clients.release(loop) }
      let limit = request.maximumResponseSize ?? configuration.maximumResponseSize
      var response =
        request.isExchangedAsAWhole
        ? try await exchange(request, over: client, limit, operation)
        : try await stream(request, over: client, limit, operation)
      response.sent = request.sent
      return response
    } catch {
      let failure = error as? TransportFailure ?? TransportFailure(error)
      throw failure.error(
        origin: request.origin, session: name, ratio: configuration.maximumDecompressionRatio)
    }
  }

  private func exchange(
    _ request: Request, over client: HTTPClient, _ limit: Int, _ operation: Operation
  ) async throws -> StreamingResponse {
    var body: HTTPClient.Body?
    if case .bytes(let bytes) = request.body?.content {
      body = .byteBuffer(ByteBuffer(bytes: bytes))
    }
    let wire = try HTTPClient.Request(
      url: request.wireURL, method: .init(rawValue: request.method.rawValue),
      headers: headers(of: request), body: body)
    let exchange = BufferedExchange(
      limit: limit, operation: operation, report: request.writeReport)
    let head: HTTPResponseHead
    let bytes: [UInt8]
    do {
      (head, bytes) = try await operation.run(endedBy: exchange.end(with:)) {
        try await exchange.run(wire, over: client)
      }
    } catch {
      throw TransportFailure(error, isHeadWritten: exchange.isHeadWritten)
    }
    counters.update { $0.bytesReceived += bytes.count }
    let read = Self.head(head.status, head.headers)
    guard !read.isEncoded || bytes.isEmpty else { throw UnknownEncoding() }
    return StreamingResponse(head: read, body: ResponseBody(bytes), url: request.url)
  }

  private func stream(
    _ request: Request, over client: HTTPClient, _ limit: Int, _ operation: Operation
  ) async throws -> StreamingResponse {
    if !request.isCollected { operation.begins(connect: configuration.timeout.connect) }
    var wire = HTTPClientRequest(url: request.wireURL)
    wire.method = .init(rawValue: request.method.rawValue)
    wire.headers = headers(of: request)
    wire.body = request.body.map { Self.body($0, operation) }
    request.writeReport?.attemptBegan()
    let response: HTTPClientResponse
    do {
      response = try await client.execute(wire, deadline: .distantFuture)
      request.writeReport?.attemptEnded(wasWritten: true)
    } catch {
      request.writeReport?.attemptEnded(wasWritten: !TransportFailure(error).isBeforeWriting)
      throw error
    }
    operation.headArrived()
    // The client did not request another protocol, and the following bytes would not be HTTP.
    guard response.status != .switchingProtocols else { throw UnaskedUpgrade() }
    let head = Self.head(response.status, response.headers)
    let body = TransportBody(
      body: response.body, limit: limit, ratio: configuration.maximumDecompressionRatio,
      operation: operation, counters: counters, origin: request.origin, session: name)
    // Only a response that the caller wants to read is streamed: another one should neither hold
    // the connection nor have to be closed.
    guard request.isCollected || !head.status.isSuccessful else {
      return StreamingResponse(head: head, body: ResponseBody(body), url: request.url)
    }
    let bytes = try await body.collect(
      status: head.status.code,
      announced: head.headerFields[.contentLength].flatMap { Int($0) })
    guard !head.isEncoded || bytes.isEmpty else { throw UnknownEncoding() }
    return StreamingResponse(head: head, body: ResponseBody(bytes), url: request.url)
  }

  private func headers(of request: Request) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers.reserveCapacity(request.fields.count + 2)
    for field in request.fields { headers.add(name: field.name.rawName, value: field.value) }
    if request.fields[.userAgent] == nil {
      headers.add(name: "User-Agent", value: configuration.userAgent)
    }
    // The client would also ask for `deflate`, of which it reads only one of the two forms that
    // servers send: with the header of zlib (RFC 9110 section 8.4.1.2), but not without.
    if request.fields[.acceptEncoding] == nil {
      headers.add(name: "Accept-Encoding", value: "gzip")
    }
    return headers
  }

  private static func body(_ body: RequestBody, _ operation: Operation) -> HTTPClientRequest.Body {
    switch body.content {
    case .bytes(let bytes) where bytes.count <= UploadChunks.size: .bytes(bytes)
    case .bytes(let bytes):
      .stream(
        UploadChunks(ResponseBody(MemoryChunks(bytes: bytes)), operation),
        length: .known(Int64(bytes.count)))
    case .file(let path, let size):
      .stream(
        UploadChunks(ResponseBody(FileChunks(path: path, size: size)), operation),
        length: .known(Int64(size)))
    case .stream(let length, let chunks):
      .stream(
        UploadChunks(chunks, operation), length: length.map { .known(Int64($0)) } ?? .unknown)
    }
  }

  /// Returns the received head without the fields that are wrong for a decompressed body.
  private static func head(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) -> HTTPResponse {
    var head = HTTPResponse(status: .init(code: Int(status.code)))
    for (name, value) in headers {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: value))
    }
    if let encoding = head.headerFields[.contentEncoding]?.lowercased(),
      ["gzip", "deflate"].contains(encoding)
    {
      head.headerFields[.contentEncoding] = nil
      head.headerFields[.contentLength] = nil
    }
    return head
  }
}

extension HTTPResponse.Status {
  fileprivate var isSuccessful: Bool { kind == .successful }
}

extension HTTPResponse {
  /// True if the body is compressed in a way that was not asked for, such as `br` or `x-gzip`.
  fileprivate var isEncoded: Bool {
    guard let encoding = headerFields[.contentEncoding]?.lowercased() else { return false }
    return encoding != "identity" && !encoding.isEmpty
  }
}

/// An error for a body in an encoding that was not asked for, which nobody could read.
struct UnknownEncoding: Error {}
