import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization
import SystemSupport

/// The clients of one session: for direct connections and for each proxy, one on each event loop;
/// and one for streams.
///
/// A client on one loop avoids a change of threads; the loop with the fewest requests is chosen.
/// The client also counts silence while it holds a server back. So streams have clients that do
/// not, and an ``Operation`` that does.
final class ClientSet: Sendable {
  private enum Use: Hashable {
    case exchange(loop: Int)
    case upload
    /// A request whose answer may take longer than the silence that others allow.
    case awaited
    case stream

    var loop: Int? { if case .exchange(let loop) = self { loop } else { nil } }
  }

  private struct Kind: Hashable {
    let proxy: Proxy?
    let use: Use
  }

  private struct Way: Hashable {
    let origin: Origin
    let use: Use
  }

  private struct State {
    var clients: [Kind: HTTPClient] = [:]
    var ways: [Way: HTTPClient] = [:]
    var load: [Int]
    var isClosed = false

    func use(for request: Request) -> Use {
      guard request.isCollected else { return .stream }
      guard request.isExchangedAsAWhole else { return .upload }
      guard request.answerTimeout == nil else { return .awaited }
      // The first of the least busy loops, so that successive requests share one connection.
      return .exchange(loop: load.indices.min { load[$0] < load[$1] } ?? 0)
    }
  }

  private let configuration: SessionConfiguration
  private let proxy: @Sendable (Request) throws -> Proxy?
  private let state: Mutex<State>
  private let session: String
  private let loops: [any EventLoop]

  init(session: String, configuration: SessionConfiguration) {
    self.session = session
    self.configuration = configuration
    loops = BlockedSignals.whileStartingThreads {
      Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
    }
    state = Mutex(State(load: loops.map { _ in 0 }))
    switch configuration.proxy {
    case .none: proxy = { _ in nil }
    case .server(let server): proxy = { _ in server }
    case .environment:
      let environment = ProxyEnvironment()
      proxy = { try environment.proxy(for: $0.url) }
    }
  }

  /// Returns a client for a request, until it is released.
  ///
  /// - Throws: ``SessionError``.
  func take(for request: Request) throws -> (client: HTTPClient, loop: Int?) {
    try state.withLock { state in
      guard !state.isClosed else { throw SessionError.closed(session: session) }
      let use = state.use(for: request)
      let way = Way(origin: request.origin, use: use)
      let client: HTTPClient
      if let known = state.ways[way] {
        client = known
      } else {
        let kind = Kind(proxy: try proxy(request), use: use)
        client = state.clients[kind] ?? makeClient(kind)
        state.clients[kind] = client
        state.ways[way] = client
      }
      if let loop = use.loop { state.load[loop] += 1 }
      return (client, use.loop)
    }
  }

  func release(_ loop: Int?) {
    guard let loop else { return }
    state.withLock { $0.load[loop] -= 1 }
  }

  /// The longest wait for connections to close, far longer than established ones need.
  private static let patience = Duration.seconds(1)

  /// Closes all connections.
  ///
  /// Attempts to connect cannot be ended. They end by themselves, at the latest at their time
  /// limit, and nothing waits for them.
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
        read: [.stream, .awaited].contains(kind.use)
          ? nil : TimeAmount(configuration.timeout.idle)),
      decompression: .enabled(limit: .ratio(configuration.maximumDecompressionRatio)))
    settings.httpVersion = .http1Only
    // A link of the session creates the spans, because it knows what must not be shown.
    settings.tracing.tracer = nil
    settings.proxy = kind.proxy.map { proxy in
      .server(
        host: proxy.host, port: proxy.port,
        authorization: proxy.credentials.map {
          .basic(username: $0.user, password: $0.password)
        })
    }
    // The retry link counts and limits repetitions.
    settings.connectionPool.retryConnectionEstablishment = false
    settings.connectionPool.idleTimeout = TimeAmount(configuration.connections.keepAlive)
    // A request that has its permit must not wait again for a connection.
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
      configuration.concurrency, 1)
    let group: any EventLoopGroup =
      kind.use.loop.map { loops[$0] } ?? MultiThreadedEventLoopGroup.singleton
    return HTTPClient(eventLoopGroup: group, configuration: settings)
  }
}
