import Foundation
import HTTPTypes
import Networking
import SystemSupport
import TestSupport

/// Two sessions on one clock that differ in every value of their configurations.
struct SessionPair: Sendable {
  let clock = ManualClock()
  let one: Session
  let two: Session
  /// The proxy of the first; the second has none.
  let proxy: ProxyServer
  let authorities: [TestCertificates]

  /// Makes the two.
  ///
  /// - Parameters:
  ///   - connect: the time for a connection, by the real clock.
  ///   - idle: the time between two pieces, by the real clock but for streams.
  init(
    connect: (one: Duration, two: Duration) = (.seconds(600), .seconds(700)),
    idle: (one: Duration, two: Duration) = (.seconds(600), .seconds(700))
  ) async throws {
    proxy = try await ProxyServer()
    authorities = [try TestCertificates(), try TestCertificates()]
    var configuration = SessionConfiguration()
    configuration.timeout.connect = connect.one
    configuration.timeout.idle = idle.one
    configuration.timeout.request = .seconds(20)
    configuration.timeout.operation = .seconds(30_000)
    configuration.concurrency = 2
    configuration.rateLimits = [RateLimit(requests: 5, interval: .seconds(7))]
    configuration.connections.perHost = 1
    configuration.connections.keepAlive = .milliseconds(200)
    configuration.retry.attempts = 2
    configuration.retry.maxWait = .seconds(3)
    configuration.retry.totalWait = .seconds(2)
    configuration.retry.baseDelay = .seconds(1)
    configuration.redirects = .none
    configuration.maximumResponseSize = 5_000
    configuration.maximumDecompressionRatio = 20
    configuration.proxy = .server(Proxy(host: proxy.host, port: proxy.port))
    configuration.minimumTLSVersion = .tls13
    configuration.extraCACertificates = [authorities[0].authorityFile]
    configuration.headers = [.acceptLanguage: "de"]
    configuration.userAgent = "one/1"
    one = Self.session("one", configuration, clock)

    configuration.timeout.connect = connect.two
    configuration.timeout.idle = idle.two
    configuration.timeout.request = .seconds(25)
    configuration.timeout.operation = .seconds(40_000)
    configuration.concurrency = 3
    configuration.rateLimits = [RateLimit(requests: 6, interval: .seconds(11))]
    configuration.connections.perHost = 2
    configuration.connections.keepAlive = .seconds(60)
    configuration.retry.attempts = 3
    configuration.retry.maxWait = .seconds(9)
    configuration.retry.totalWait = .seconds(12)
    configuration.retry.baseDelay = .seconds(2)
    configuration.redirects = .follow(max: 1)
    configuration.maximumResponseSize = 10_000
    configuration.maximumDecompressionRatio = 1_100
    configuration.proxy = .none
    configuration.minimumTLSVersion = .tls12
    configuration.extraCACertificates = [authorities[1].authorityFile]
    configuration.headers = [.acceptLanguage: "fr"]
    configuration.userAgent = "two/2"
    configuration.isBackground = true
    two = Self.session("two", configuration, clock)
  }

  private static func session(
    _ name: String, _ configuration: SessionConfiguration, _ clock: ManualClock
  ) -> Session {
    Session(
      name: name, configuration: configuration, logger: .silent,
      time: TimeSource(clock, wall: { Date() }, random: { 1 }))
  }

  /// Begins a request, which comes as far as it can before this returns.
  func begin(
    _ session: Session, _ server: FaultServer, _ path: String = "/", isSafeToRetry: Bool = true
  ) throws -> Task<String, Never> {
    guard let url = URL(string: server.url + path) else { throw CocoaError(.coderInvalidValue) }
    var request = try Request(url: url)
    request.isSafeToRetry = isSafeToRetry
    return Task.immediate { [request] in await outcome { try await session.send(request) } }
  }

  /// Sends the same by both at the same time.
  func both(_ server: FaultServer, _ path: String = "/") async throws -> [String] {
    let one = try begin(one, server, path, isSafeToRetry: false)
    let two = try begin(two, server, path, isSafeToRetry: false)
    return [await one.joined, await two.joined]
  }

  /// Returns the number of requests of a session that a server has seen.
  func count(_ session: Session, at server: FaultServer) -> Int {
    server.requests.count { $0.contains("\(session.configuration.userAgent)\r\n") }
  }
}

/// A request by another session comes and goes: what was on its way before has arrived.
func comeAndGo(_ server: FaultServer) async throws {
  guard let url = URL(string: server.url + "/quick") else { throw CocoaError(.coderInvalidValue) }
  let session = Session(name: "other", configuration: SessionConfiguration())
  _ = try await session.send(try Request(url: url))
  await session.shutdown()
}
