import SystemSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SharedOutcomeTests {
  @Test("the first result counts, and a later one is refused")
  func first() async throws {
    let outcome = SharedOutcome<Int>()
    #expect(!outcome.isResolved)
    #expect(outcome.resolve(.success(1)))
    #expect(!outcome.resolve(.success(2)))
    #expect(outcome.isResolved)
    #expect(try await outcome.value() == 1)
  }

  @Test("a cancelled waiter leaves, and the others wait on")
  func cancellation() async throws {
    let outcome = SharedOutcome<Int>()
    let leaving = Task { try await outcome.value() }
    let staying = Task { try await outcome.value() }
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.joined }
    #expect(!outcome.isResolved)
    outcome.resolve(.success(1))
    #expect(try await staying.joined == 1)
  }
}
