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

  @Test("a cancelled waiter of a task leaves until the task holds its waiters")
  func heldWaiters() async throws {
    let gate = Gate()
    let task = SharedTask {
      await gate.waitWhateverHappens()
      return 1
    }
    func waiter() -> Task<Int, any Error> {
      #expect(task.join())
      return Task { try await task.value() }
    }
    let (leaving, staying) = (waiter(), waiter())
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.joined }
    try task.holdWaiters()
    staying.cancel()
    gate.open()
    #expect(try await staying.joined == 1)
  }

  @Test("a task that every waiter has left is cancelled, and cannot hold any")
  func abandonedTask() async throws {
    let cancelled = SharedOutcome<Void>()
    let task = SharedTask {
      await withTaskCancellationHandler {
        try? await cancelled.value()
      } onCancel: {
        cancelled.resolve(.success(()))
      }
    }
    #expect(task.join())
    let waiter = Task { try await task.value() }
    waiter.cancel()
    try await cancelled.value()
    #expect(throws: CancellationError.self) { try task.holdWaiters() }
    #expect(!task.join())
  }
}
