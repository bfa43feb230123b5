import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Networking

/// The proof that a failed request was not written, and its absence.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct WriteReportTests {
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
  @Test("a request that a front end's link keeps from the transport may have been written")
  func ownWire() async throws {
    #expect(try await isUnwritten([]))
    #expect(try await isUnwritten([OwnWire(sendsItself: false)]))
    #expect(try await !isUnwritten([OwnWire(sendsItself: true)]))
  }

  // Edge case 31
  @Test("a written request with a single-use value waits longer than others, in every respect")
  func longAnswer() async throws {
    let (clock, gate) = (ManualClock(), Gate())
    defer { gate.open() }
    let server = try await FaultServer(
      FaultScript(responses: [[.pause(until: gate), .response("200 OK", body: "late")]]))
    var configuration = SessionConfiguration()
    configuration.proxy = .none
    configuration.retry.attempts = 1
    configuration.timeout.idle = .milliseconds(50)
    configuration.timeout.request = .seconds(20)
    let session = Session(
      name: "x", configuration: configuration, logger: .silent, time: clock.source)
    let report = WriteReport()
    var request = try Request(
      method: .post, url: try #require(URL(string: server.url)), body: Array("code".utf8))
    request.writeReport = report
    request.answerTimeout = .seconds(120)
    let answer = Task { [request] in try await session.send(request) }
    try await eventually("it is written") { report.mayBeWritten }
    try await server.requests(become: 1)
    try await clock.sleeper(of: .seconds(20))
    clock.advance(by: .seconds(25))
    try await clock.sleeper(of: .seconds(95))
    // Longer than the silence that ends any other request.
    let begin = ContinuousClock.now
    try await eventually("the silence has lasted") {
      begin.duration(to: .now) > .milliseconds(200)
    }
    gate.open()
    #expect(try await answer.value.body == Array("late".utf8))
  }

  // Edge case 31
  @Test("an attempt that its event loop ends late may still prove that nothing was written")
  func lateEnd() async throws {
    let clock = ManualClock()
    let report = WriteReport(time: clock.source)
    report.attemptBegan()
    let late = Task { await report.isUnwritten() }
    try await clock.awaitSleeper()
    clock.advance(by: .seconds(30))
    report.attemptEnded(wasWritten: false)
    #expect(await late.joined)
    report.attemptBegan()
    let endless = Task { await report.isUnwritten() }
    try await clock.awaitSleeper()
    clock.advance(by: WriteReport.patience)
    #expect(await !endless.joined)
  }
}
