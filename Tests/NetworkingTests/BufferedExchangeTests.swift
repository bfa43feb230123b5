import AsyncHTTPClient
import Foundation
import SystemSupport
import TestSupport
import Testing

@testable import Networking

/// Requests that the client of the wire ends in ways of its own.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct BufferedExchangeTests {
  @Test("a client that is shut down refuses a request immediately")
  func refused() async throws {
    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    try await client.shutdown()
    let clock = TimeSource(ContinuousClock(), wall: { Date() }, random: { 1 })
    let operation = Networking.Operation(
      tag: nil, clock: clock, watch: DeadlineScheduler(clock: clock))
    let exchange = BufferedExchange(limit: 1, operation: operation)
    let request = try HTTPClient.Request(url: ClosedPort().url)
    await #expect(throws: HTTPClientError.alreadyShutdown) {
      _ = try await exchange.run(request, over: client)
    }
  }
}
