import Foundation
import Synchronization

/// The thread that writes the program's output, in the order in which it is queued.
///
/// A slow reader may block this thread, but not the threads that tasks run on. Unlike
/// `BlockingWork`, it is a single thread, so that lines keep their order. It lives as long as there
/// is something to write.
final class OutputThread: Sendable {
  static let shared = OutputThread()

  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
    var waiting = 0
    /// Number of texts that were dropped because there was no room.
    var lost = 0
  }

  /// The largest number of bytes that may wait for the reader of standard error.
  private static let room = 4 << 20
  private let state = Mutex(State())

  /// Queues a text for standard error, without waiting for the reader.
  ///
  /// If too much is queued, the text is dropped; a later line reports the number of dropped texts.
  func post(_ text: [UInt8], to stream: any TextSink) {
    let count = text.count
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
      let note = "appcore: \(lost) lines were left out here\n"
      if lost > 0 { _ = stream.write(Array(note.utf8)) }
    }
  }

  /// Runs work that may wait for a reader, after everything queued before.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      enqueue { continuation.resume(returning: body()) }
    }
  }

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
