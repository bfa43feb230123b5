import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Networking

/// Whether a request that has failed may have been written.
@Suite(.timeLimit(.minutes(10))) struct WriteReportTests {
  /// Sends by means of its own, and loses the answer; or hands the request on.
  private struct OwnWire: Middleware {
    let sendsItself: Bool

    func send(_ request: Request, next: MiddlewareChain) async throws -> StreamingResponse {
      guard sendsItself else { return try await next.send(request) }
      throw SessionError.connectionLost(origin: request.origin, underlying: CancellationError())
    }
  }

  private func isUnwritten(_ links: [any Middleware]) async throws -> Bool {
    let port = try ClosedPort()
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.retry.attempts = 1
    let session = Session(
      name: "x", configuration: configuration, networkMiddleware: links, logger: .silent)
    let report = WriteReport()
    var request = try Request(method: .post, url: try #require(URL(string: port.url)))
    request.writeReport = report
    _ = await sessionError { [request] in _ = try await session.send(request) }
    await session.shutdown()
    return await report.isUnwritten()
  }

  // Edge case 19
  @Test("what a front end's link keeps from the transport may have been written")
  func ownWire() async throws {
    #expect(try await isUnwritten([]))
    #expect(try await isUnwritten([OwnWire(sendsItself: false)]))
    #expect(try await !isUnwritten([OwnWire(sendsItself: true)]))
  }
}
