import Foundation
import Synchronization

/// The thread that writes what the program says, in the order in which it is said.
///
/// A reader may take its time; the threads that tasks run on may not. It is one thread, unlike
/// `BlockingWork`, because lines keep their order. It lives while there is something to write.
final class OutputThread: Sendable {
  static let shared = OutputThread()

  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
    /// What was said and is not written yet, in bytes.
    var waiting = 0
    /// How many texts there was no room for.
    var lost = 0
  }

  /// What may wait for a reader of standard error: more than any run says in a while.
  private static let room = 4 << 20
  private let state = Mutex(State())

  /// Says something on standard error and waits for nobody; a log that nobody reads is not kept for
  /// ever.
  func post(_ text: String, to stream: any TextSink) {
    let count = text.utf8.count
    let hasRoom = state.withLock { state in
      guard state.waiting + count <= Self.room else {
        state.lost += 1
        return false
      }
      state.waiting += count
      return true
    }
    guard hasRoom else { return }
    enqueue { [self] in
      _ = stream.write(text)
      let lost = state.withLock { state in
        state.waiting -= count
        guard state.waiting == 0 else { return 0 }
        defer { state.lost = 0 }
        return state.lost
      }
      if lost > 0 { _ = stream.write("appcore: \(lost) lines were left out here\n") }
    }
  }

  /// Does something that may wait for a reader, after everything that was said before.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      enqueue { continuation.resume(returning: body()) }
    }
  }

  /// Waits until everything that was said is written, or given up.
  func flush() async { await run {} }

  private func enqueue(_ job: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    let thread = Thread { [self] in while let job = next() { job() } }
    thread.name = "appcore.output"
    thread.start()
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
