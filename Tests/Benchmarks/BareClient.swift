import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTPCompression
import NIOPosix

/// AsyncHTTPClient as a session configures it, and nothing around it.
struct BareClient {
  private let client: HTTPClient
  private let url: String

  init(url: URL) {
    var settings = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(10), read: .seconds(30)),
      decompression: .enabled(limit: .size(64 << 20)))
    settings.httpVersion = .http1Only
    settings.connectionPool.retryConnectionEstablishment = false
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = HTTPBenchmark.connections
    client = HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
    self.url = url.absoluteString
  }

  /// The interface for tasks: the head first, then the body in parts.
  func contender(bytes: Int) -> Comparison.Contender {
    let (client, url) = (client, url)
    return .init(name: "AsyncHTTPClient") { load in
      try await load.run(expecting: bytes) {
        let response = try await client.execute(
          HTTPClientRequest(url: url), deadline: .distantFuture)
        return try await response.body.collect(upTo: 64 << 20).readableBytes
      }
    }
  }

  /// The older interface: a delegate that collects, and one future for the whole response.
  func delegateContender(bytes: Int) -> Comparison.Contender {
    let (client, url) = (client, url)
    return .init(name: "AsyncHTTPClient, delegate") { load in
      try await load.run(expecting: bytes) {
        let request = try HTTPClient.Request(url: url)
        let response = try await client.execute(
          request: request, delegate: ResponseAccumulator(request: request)
        ).get()
        return response.body?.readableBytes ?? 0
      }
    }
  }

  func shutdown() async throws { try await client.shutdown() }
}
