import Foundation
import Networking
import SecureStore
import SystemSupport
import TestSupport
import Testing

@testable import Authentication

/// Callers that leave during an exchange, at a server that answers only when the test lets it.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct SharedRenewalTests {
  private static let tokens = #"{"access_token":"a1","refresh_token":"r1","expires_in":1800}"#

  private let answers = Gate()

  /// A server that holds its answer back until the test releases it.
  private static func fixture(_ answers: Gate) async throws -> WireFixture {
    try await WireFixture([[.pause(until: answers), .tokens(tokens)]]) { _ in
    } session: {
      $0.timeout.idle = .seconds(3_600)
      $0.timeout.request = .seconds(3_600)
    }
  }

  private func fixture() async throws -> WireFixture {
    try await Self.fixture(answers)
  }

  // Edge cases 9 and 12
  @Test("the caller that started an exchange can leave, and the others get the new token")
  func initiatorLeaves() async throws {
    let fixture = try await fixture()
    let authenticator = fixture.authenticator
    let initiator = fixture.asking()
    // No other caller has asked yet, so the exchange at the server is the initiator's own.
    try await fixture.server.requests(become: 1)
    let flight = try #require(await authenticator.defaultLogin?.flight)
    let others = (0..<50).map { _ in Task.immediate { try await flight.value() } }
    let caller = fixture.asking()

    initiator.cancel()
    // The server has not answered, so the caller returns because of the cancellation.
    await #expect(throws: CancellationError.self) { _ = try await initiator.joined }
    #expect(await authenticator.defaultLogin?.flight === flight)

    answers.open()
    for other in others { #expect(try await other.joined.accessToken == Secret("a1")) }
    #expect(try await caller.joined.accessToken == Secret("a1"))
    #expect(fixture.sentTokens == ["r0"])
    #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
  }

  // Edge cases 10 and 12
  @Test("an exchange is completed and stored after its last caller has left")
  func lastWaiterLeaves() async throws {
    let fixture = try await fixture()
    let authenticator = fixture.authenticator
    let callers = (0..<3).map { _ in Task { try await authenticator.credential(for: "default") } }
    try await fixture.server.requests(become: 1)
    for caller in callers { caller.cancel() }
    for caller in callers {
      await #expect(throws: CancellationError.self) { _ = try await caller.joined }
    }
    #expect(await authenticator.defaultLogin?.flight != nil)
    #expect(try await fixture.stored()?.refreshToken == Secret("r0"))

    answers.open()
    try await eventually("the new pair is stored") {
      try await fixture.stored()?.refreshToken == Secret("r1")
    }
    try await eventually("the exchange is over") {
      await authenticator.defaultLogin?.flight == nil
    }
    #expect(try await fixture.record()?.pendingExchange == nil)
    // Later callers use the stored pair, here and in another process.
    #expect(await fixture.failure() == nil)
    let next = try fixture.next()
    #expect(try await next.credential(for: "default").accessToken == Secret("a1"))
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge case 11
  @Test("a caller that was cancelled before it asked leaves the other callers alone")
  func cancelledBeforeAsking() async throws {
    let fixture = try await fixture()
    let authenticator = fixture.authenticator
    func cancelledCaller() -> Task<Credential, any Error> {
      Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await authenticator.credential(for: "default")
      }
    }
    // First during an exchange, and then with another caller that stays.
    let first = cancelledCaller()
    await #expect(throws: CancellationError.self) { _ = try await first.joined }
    let caller = fixture.asking()
    try await fixture.server.requests(become: 1)
    for _ in 0..<20 {
      let late = cancelledCaller()
      await #expect(throws: CancellationError.self) { _ = try await late.joined }
    }
    answers.open()
    #expect(try await caller.joined.accessToken == Secret("a1"))
    #expect(fixture.sentTokens == ["r0"])
  }

  // Edge case 12
  @Test("a waiter is resumed once when its cancellation races the result")
  func cancelAgainstResolve() async throws {
    // A continuation that is resumed twice ends the process; one that never is runs into the time
    // limit.
    for round in 0..<1_000 {
      let outcome = SharedOutcome<Int>()
      let cancelled = (0..<4).map { _ in Task.immediate { try await outcome.value() } }
      let staying = (0..<4).map { _ in Task.immediate { try await outcome.value() } }
      // These race to be registered as well.
      let late = (0..<4).map { _ in Task { try await outcome.value() } }
      async let resolving: Void = { outcome.resolve(.success(round)) }()
      async let cancelling: Void = {
        for waiter in cancelled + late { waiter.cancel() }
      }()
      _ = await (resolving, cancelling)
      for waiter in staying { #expect(try await waiter.joined == round) }
      for waiter in cancelled + late {
        do {
          #expect(try await waiter.joined == round)
        } catch {
          #expect(error is CancellationError)
        }
      }
      // A later caller finds the first result, and no other.
      outcome.resolve(.success(-1))
      #expect(try await outcome.value() == round)
    }
  }

  // Edge case 12
  @Test(
    "callers that stay are served, and one pair is stored, when others leave as the answer arrives")
  func cancelAgainstAnswer() async throws {
    for _ in 0..<20 {
      let gate = Gate()
      let fixture = try await Self.fixture(gate)
      let authenticator = fixture.authenticator
      let leaving = (0..<8).map { _ in
        Task { try await authenticator.credential(for: "default") }
      }
      let staying = fixture.asking()
      try await fixture.server.requests(become: 1)
      async let answering: Void = { gate.open() }()
      async let cancelling: Void = { for caller in leaving { caller.cancel() } }()
      _ = await (answering, cancelling)
      #expect(try await staying.joined.accessToken == Secret("a1"))
      for caller in leaving {
        do {
          #expect(try await caller.joined.accessToken == Secret("a1"))
        } catch {
          #expect(error is CancellationError)
        }
      }
      #expect(fixture.sentTokens == ["r0"])
      #expect(try await fixture.stored()?.refreshToken == Secret("r1"))
    }
  }
}
