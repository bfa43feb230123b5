import Foundation
import Networking
import TestSupport

/// The cost of `Session.send`, compared with the bare client that it uses, and with wrk and curl.
struct HTTPBenchmark {
  /// The same for all: as many connections as concurrent requests.
  static let connections = 64

  func run() async throws {
    let server = try await NginxServer.start(
      files: ["short.json": Self.json(1_024), "long.json": Self.json(65_536)])
    for (name, size) in [("short", 1_024), ("long", 65_536)] {
      guard let url = URL(string: "\(server.url)/\(name).json") else { return }
      for concurrency in [1, Self.connections] {
        let bare = BareClient(url: url)
        let session = try SessionClient(url: url)
        let contenders =
          [
            bare.contender(bytes: size), bare.delegateContender(bytes: size),
            session.contender("Session.send", bytes: size),
          ] + [WrkProgram(url: url)?.contender, CurlProgram(url: url)?.contender].compactMap { $0 }
        try await Comparison(contenders: contenders)
          .run("\(size) bytes over HTTP/1.1", concurrency: concurrency)
        try await bare.shutdown()
        await session.shutdown()
      }
    }
    await server.stop()
  }

  static func json(_ size: Int) -> String {
    let frame = #"{"text":""}"#
    return #"{"text":""# + String(repeating: "x", count: size - frame.utf8.count) + #""}"#
  }
}

/// A session as a benchmark uses it.
struct SessionClient {
  private let session: Session
  private let request: Request

  init(
    url: URL, authorizer: (any RequestAuthorizer)? = nil, middleware: [any Middleware] = [],
    networkMiddleware: [any Middleware] = [],
    isObserved: Bool = false,
    _ adjust: (inout SessionConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = SessionConfiguration()
    configuration.concurrency = HTTPBenchmark.connections
    adjust(&configuration)
    let observer: (@Sendable (HTTPExchange) -> Void)? = isObserved ? { @Sendable _ in } : nil
    session = Session(
      name: "benchmark", configuration: configuration, authorizer: authorizer,
      middleware: middleware, networkMiddleware: networkMiddleware, observer: observer)
    request = try Request(url: url)
  }

  func contender(_ name: String, bytes: Int) -> Comparison.Contender {
    let (session, request) = (session, request)
    return .init(name: name) { load in
      try await load.run(expecting: bytes) { try await session.send(request).body.count }
    }
  }

  func shutdown() async { await session.shutdown() }
}
