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
  }

  func request(_ method: HTTPRequest.Method = .get, _ path: String = "/") throws -> Request {
    try Request(method: method, url: try #require(URL(string: server.url + path)))
  }

  func stop() async {
    await session.shutdown()
    await server.stop()
  }
}

/// The ``SessionError`` that comes of something, or `nil`.
func sessionError<Value>(_ body: () async throws -> Value) async -> SessionError? {
  do {
    _ = try await body()
    return nil
  } catch { return error as? SessionError }
}
