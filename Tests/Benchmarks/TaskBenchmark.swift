import Foundation
import Synchronization

/// The cost of the building blocks of waiting: tasks, groups, deadlines; one at a time.
struct TaskBenchmark {
  private let calls = 50_000
  private let rounds = 5

  /// On the tasks' own threads: on the main one, each step would also pay for going there and back.
  @concurrent func run() async throws {
    let steps: [(String, @Sendable () async throws -> Void)] = [
      ("await of a function that returns at once", { try await suspend() }),
      ("unstructured task, awaited", { await Task { await work() }.value }),
      (
        "the same, with a cancellation handler",
        {
          let task = Task { await work() }
          await withTaskCancellationHandler {
            await task.value
          } onCancel: {
            task.cancel()
          }
        }
      ),
      (
        "immediate unstructured task, awaited",
        { await Task.immediate { await work() }.value }
      ),
      (
        "continuation resumed at once, cancellation handler",
        {
          await withTaskCancellationHandler {
            await withCheckedContinuation { $0.resume() }
          } onCancel: {
          }
        }
      ),
      (
        "continuation resumed by a task",
        { await withCheckedContinuation { continuation in Task { continuation.resume() } } }
      ),
      (
        "group of one child",
        {
          await withTaskGroup(of: Void.self) { group in
            group.addTask { await work() }
            await group.next()
          }
        }
      ),
      ("deadline: group of two, cancelled sleep", { try await withDeadline { await work() } }),
      (
        "two deadlines, one inside the other",
        { try await withDeadline { try await withDeadline { await work() } } }
      ),
      ("deadline: one task that sleeps, cancelled", { await withTimer { await work() } }),
      ("locked dictionary: insert and remove", { registry.once() }),
      ("ContinuousClock.now", { keep(ContinuousClock.now) }),
    ]
    var wall = steps.map { _ in [Double]() }
    var processor = wall
    for _ in 0..<rounds {
      for (index, step) in steps.enumerated() {
        let before = Load.processorTime
        let begin = ContinuousClock.now
        for _ in 0..<calls { try await step.1() }
        wall[index].append((ContinuousClock.now - begin) / .microseconds(1) / Double(calls))
        processor[index].append((Load.processorTime - before) / Double(calls))
      }
    }
    let table = MarkdownTable(
      title: "One at a time, median of \(rounds) rounds of \(calls)",
      columns: ["µs", "CPU µs on all threads"])
    for (index, step) in steps.enumerated() {
      table.row(step.0, wall[index].median.digits(2), processor[index].median.digits(2))
    }
  }
}

@inline(never) private func suspend() async throws {}
@concurrent @inline(never) private func work() async {}
@inline(never) private func keep(_ value: ContinuousClock.Instant) {}

/// As a session bounded an operation in time: a child that works, one that sleeps.
private func withDeadline(_ body: @escaping @Sendable () async throws -> Void) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await body() }
    group.addTask { try await Task.sleep(for: .seconds(60)) }
    defer { group.cancelAll() }
    try await group.next()
  }
}

/// The work where it is, and an unstructured task that would cancel it.
private func withTimer(_ body: @escaping @Sendable () async -> Void) async {
  let timer = Task { try await Task.sleep(for: .seconds(60)) }
  await body()
  timer.cancel()
}

/// The cost of a shared list of deadlines for an operation: one entry added, one removed.
private final class Registry: Sendable {
  private let entries = Mutex<(next: Int, open: [Int: ContinuousClock.Instant])>((0, [:]))

  func once() {
    let id = entries.withLock { entries in
      entries.next += 1
      entries.open[entries.next] = .now + .seconds(60)
      return entries.next
    }
    entries.withLock { _ = $0.open.removeValue(forKey: id) }
  }
}

private let registry = Registry()
