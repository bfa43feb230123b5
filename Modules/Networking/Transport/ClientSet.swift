import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization

/// The clients of one session: one for direct ways and one for each proxy; and the same for streams.
///
/// The client counts silence while it holds a server back as well, so streams have clients that do
/// not, and an ``Operation`` that does.
final class ClientSet: Sendable {
  private struct Kind: Hashable {
    let proxy: Proxy?
    let isStreaming: Bool
  }

  private struct Way: Hashable {
    let origin: Origin
    let isStreaming: Bool
  }

  private struct State {
    var clients: [Kind: HTTPClient] = [:]
    /// Which of them leads where; asked for at every request.
    var ways: [Way: HTTPClient] = [:]
    var isClosed = false
  }

  private let configuration: SessionConfiguration
  private let proxy: @Sendable (Request) throws -> Proxy?
  private let state = Mutex(State())
  private let session: String

  init(session: String, configuration: SessionConfiguration) {
    self.session = session
    self.configuration = configuration
    switch configuration.proxy {
    case .none: proxy = { _ in nil }
    case .server(let server): proxy = { _ in server }
    case .environment:
      let environment = ProxyEnvironment()
      proxy = { try environment.proxy(for: $0.url) }
    }
  }

  /// The client for a request.
  ///
  /// - Throws: ``SessionError``.
  func client(for request: Request) throws -> HTTPClient {
    try state.withLock { state in
      guard !state.isClosed else { throw SessionError.closed(session: session) }
      let way = Way(origin: request.origin, isStreaming: !request.isCollected)
      if let client = state.ways[way] { return client }
      let kind = Kind(proxy: try proxy(request), isStreaming: way.isStreaming)
      let client = state.clients[kind] ?? makeClient(kind)
      state.clients[kind] = client
      state.ways[way] = client
      return client
    }
  }

  /// How long is waited for connections to close: far more than those take that stand.
  private static let patience = Duration.seconds(1)

  /// Closes all connections.
  ///
  /// Attempts to make one cannot be ended; they end by themselves, at the latest when the time for
  /// that is up, and nobody waits for them.
  func shutdown() async {
    let clients = state.withLock { state in
      state.isClosed = true
      defer { (state.clients, state.ways) = ([:], [:]) }
      return Array(state.clients.values)
    }
    let isClosed = SharedOutcome<Void>()
    Task {
      await withTaskGroup { group in
        for client in clients { group.addTask { @Sendable in try? await client.shutdown() } }
      }
      isClosed.resolve(.success(()))
    }
    let limit = Task {
      try await Task.sleep(for: Self.patience)
      isClosed.resolve(.success(()))
    }
    try? await isClosed.value()
    limit.cancel()
  }

  private func makeClient(_ kind: Kind) -> HTTPClient {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.additionalTrustRoots = configuration.extraCACertificates.map { .file($0) }
    tls.minimumTLSVersion = configuration.minimumTLSVersion == .tls13 ? .tlsv13 : .tlsv12
    var settings = HTTPClient.Configuration(
      tlsConfiguration: tls,
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: TimeAmount(configuration.timeout.connect),
        read: kind.isStreaming ? nil : TimeAmount(configuration.timeout.idle)),
      decompression: .enabled(limit: .ratio(configuration.maximumDecompressionRatio)))
    settings.httpVersion = .http1Only
    // Spans are made by a link of ours, which knows what must not be told.
    settings.tracing.tracer = nil
    settings.proxy = kind.proxy.map { proxy in
      .server(
        host: proxy.host, port: proxy.port,
        authorization: proxy.credentials.map {
          .basic(username: $0.user, password: $0.password)
        })
    }
    // Repeating belongs to the retry link, which counts and bounds it.
    settings.connectionPool.retryConnectionEstablishment = false
    settings.connectionPool.idleTimeout = TimeAmount(configuration.connections.keepAlive)
    // What has its turn must not wait again for a connection.
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
      configuration.concurrency, 1)
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
  }
}
