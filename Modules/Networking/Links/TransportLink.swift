import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Sends over AsyncHTTPClient and reads the whole body, within the session's bounds.
///
/// It speaks HTTP/1.1: over HTTP/2 a GOAWAY can leave requests of this client hanging, and nothing
/// here needs multiplexing. Redirects are off, since the client would carry custom fields along.
final class TransportLink: Link {
  private let client: HTTPClient
  private let configuration: SessionConfiguration
  private let counters: SessionCounters
  private let name: String
  private let log: Logger

  init(name: String, configuration: SessionConfiguration, counters: SessionCounters, log: Logger) {
    self.name = name
    self.configuration = configuration
    self.counters = counters
    self.log = log
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.additionalTrustRoots = configuration.extraCACertificates.map { .file($0) }
    var settings = HTTPClient.Configuration(
      tlsConfiguration: tls,
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: TimeAmount(configuration.timeout.connect),
        read: TimeAmount(configuration.timeout.idle)),
      decompression: .enabled(limit: .size(configuration.maximumResponseSize)))
    settings.httpVersion = .http1Only
    // Repeating belongs to the retry link, which counts and bounds it.
    settings.connectionPool.retryConnectionEstablishment = false
    // Admission bounds what runs at once; a smaller pool would make admitted requests wait again.
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.concurrency
    client = HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
  }

  func send(_ request: Request) async throws -> Response {
    let start = ContinuousClock.now
    counters.update { $0.requests += 1 }
    do {
      let response = try await client.execute(wire(request), deadline: .distantFuture)
      let body = try await collect(response.body)
      log.debug(
        "received",
        metadata: [
          "method": "\(request.method.rawValue)", "status": "\(response.status.code)",
          "url": "\(loggable(request))", "took": "\(start.duration(to: .now))",
        ])
      var head = HTTPResponse(status: .init(code: Int(response.status.code)))
      for (name, value) in response.headers {
        guard let name = HTTPField.Name(name) else { continue }
        head.headerFields.append(HTTPField(name: name, value: value))
      }
      return Response(head: head, body: body, url: request.url)
    } catch {
      let failure = TransportFailure(error).error(
        origin: request.origin, session: name, limit: configuration.maximumResponseSize)
      log.debug(
        "no response",
        metadata: [
          "method": "\(request.method.rawValue)", "url": "\(loggable(request))",
          "error": "\(failure)", "took": "\(start.duration(to: .now))",
        ])
      throw failure
    }
  }

  func shutdown() async {
    try? await client.shutdown()
  }

  private func wire(_ request: Request) -> HTTPClientRequest {
    let head = request.head
    var wire = HTTPClientRequest(
      url: "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")")
    wire.method = .init(rawValue: head.method.rawValue)
    wire.headers = HTTPHeaders(head.headerFields.map { ($0.name.rawName, $0.value) })
    if head.headerFields[.userAgent] == nil {
      wire.headers.add(name: "User-Agent", value: configuration.userAgent)
    }
    if let body = request.body { wire.body = .bytes(body) }
    return wire
  }

  private func collect(_ body: HTTPClientResponse.Body) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await part in body {
      bytes.append(contentsOf: part.readableBytesView)
      guard bytes.count <= configuration.maximumResponseSize else {
        throw SessionError.responseTooLarge(limit: configuration.maximumResponseSize)
      }
    }
    let count = bytes.count
    counters.update { $0.bytesReceived += count }
    return bytes
  }

  /// Origin and path; a query can hold what must not be logged.
  private func loggable(_ request: Request) -> String {
    let path = (request.head.path ?? "/").prefix { $0 != "?" }
    return (request.origin.map(String.init(describing:)) ?? "") + path
  }
}
