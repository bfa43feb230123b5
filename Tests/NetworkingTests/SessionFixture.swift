import Foundation
import HTTPTypes
import Networking
import SystemSupport
import TestSupport
import Testing

/// A session on a clock that the test moves, and a raw server.
struct SessionFixture {
  let server: FaultServer
  let session: Session
  let clock: ManualClock

  init(
    _ script: FaultScript, authorizer: (any RequestAuthorizer)? = nil,
    middleware: [any Middleware] = [], networkMiddleware: [any Middleware] = [],
    random: Double = 1, now: Date = Date(),
    _ adjust: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    adjust(&configuration)
    server = try await FaultServer(script)
    clock = ManualClock()
    session = Session(
      name: "test", configuration: configuration, authorizer: authorizer, middleware: middleware,
      networkMiddleware: networkMiddleware,
      time: TimeSource(clock, wall: { now }, random: { random }))
    CleanUp.atEnd { [self] in
      await session.shutdown()
      await server.stop()
    }
  }

  func request(_ method: HTTPRequest.Method = .get, _ path: String = "/") throws -> Request {
    try Request(method: method, url: try #require(URL(string: server.url + path)))
  }
}

/// The ``SessionError`` that comes of something, or `nil`.
func sessionError<Value>(_ body: () async throws -> Value) async -> SessionError? {
  do {
    _ = try await body()
    return nil
  } catch { return error as? SessionError }
}

extension SessionError? {
  /// The name of the case, with the values that tests compare.
  var kind: String {
    switch self {
    case nil: "none"
    case .timedOut(let phase, _): "timedOut(\(phase))"
    case .rateLimited(let wait): "rateLimited(\(wait / .seconds(1)))"
    case .proxyAuthenticationRequired: "proxyAuthenticationRequired"
    // The name of the case, which a mirror has of those with values alone.
    case let error?: Mirror(reflecting: error).children.first?.label ?? "\(error)"
    }
  }
}
