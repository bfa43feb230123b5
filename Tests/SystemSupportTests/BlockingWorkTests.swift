import Dispatch
import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BlockingWorkTests {
  private struct Refused: Error, Equatable {}

  // A global or concurrent queue of Dispatch fails this: its threads are those of the tasks.
  @Test("tasks make progress while eight calls for each core block")
  func progress() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount * 8
    let entered = Counter()
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Bool.self) { calls in
      for _ in 0..<count {
        calls.addTask {
          await BlockingWork.run {
            entered.increment()
            // If tasks starve, no task opens the gate, so the call itself has to end.
            let limit = DispatchTime.now() + Patience.limit / .seconds(1)
            return gate.wait(timeout: limit) == .success
          }
        }
      }
      try await eventually("all calls block") { entered.value == count }
      let steps = Counter()
      await withTaskGroup { tasks in
        for _ in 0..<100 {
          tasks.addTask {
            await Task.yield()
            steps.increment()
          }
        }
      }
      #expect(steps.value == 100)
      for _ in 0..<count { gate.signal() }
      for try await wasReleased in calls { #expect(wasReleased) }
    }
  }

  @Test("a call returns its value or throws its error")
  func results() async throws {
    #expect(await BlockingWork.run { 1 } == 1)
    await #expect(throws: Refused.self) { try await BlockingWork.run { throw Refused() } }
  }

  @Test("hundreds of concurrent calls all return")
  func many() async {
    let results = await withTaskGroup(of: Int.self) { calls in
      for number in 0..<500 { calls.addTask { await BlockingWork.run { number } } }
      return await calls.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(results.count == 500)
  }

  // A lock that such an object holds would otherwise still be held when its next owner asks.
  @Test("a call releases what its work holds before its caller goes on")
  func release() async {
    for _ in 0..<20_000 {
      var held: Held? = Held()
      weak let remains = held
      await BlockingWork.run { [held] in withExtendedLifetime(held) {} }
      held = nil
      guard remains == nil else {
        Issue.record("the work still holds the object")
        return
      }
    }
  }

  private final class Held: Sendable {}
}
