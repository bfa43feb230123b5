import Dispatch
import Foundation
import Synchronization

/// Runs blocking calls, each on a thread that does nothing else meanwhile.
///
/// The cooperative pool has one thread per core. On Linux, the global queues of Dispatch and every
/// concurrent queue share its threads: as many blocked calls as there are cores stop all tasks.
/// These threads are not Dispatch's, and their number is not limited, so calls never wait for each
/// other.
package enum BlockingWork {
  /// Runs `work` on such a thread and waits for its result.
  ///
  /// Cancellation does not interrupt it. What `work` alone holds, such as a locked file, is
  /// released before the caller goes on.
  package static func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
      BlockingThread.run {
        let result = Result(catching: work)
        return { continuation.resume(returning: result) }
      }
    }
    return try result.get()
  }
}

/// A thread that waits a few seconds for its next job before it ends.
///
/// Starting a thread costs more than reading a piece of a file, and files are read in many pieces.
private final class BlockingThread: Sendable {
  /// A blocking call, which returns what its thread does once it has released the call itself.
  typealias Job = @Sendable () -> () -> Void

  /// The threads without a job; the one that ran last receives the next job.
  private static let idle = Mutex<[BlockingThread]>([])
  private static let patience = 5.0

  private let job = Mutex<Job?>(nil)
  private let hasJob = DispatchSemaphore(value: 0)

  static func run(_ job: @escaping Job) {
    let found = idle.withLock { $0.popLast() }
    let thread = found ?? BlockingThread()
    thread.job.withLock { $0 = job }
    thread.hasJob.signal()
    guard found == nil else { return }
    BlockedSignals.whileStartingThreads { Thread.detachNewThread { thread.loop() } }
  }

  private func loop() {
    while true {
      // A thread that was claimed at the last moment has a job now or will have one soon.
      if hasJob.wait(timeout: .now() + Self.patience) == .timedOut {
        let leaves = Self.idle.withLock { idle in
          idle.firstIndex { $0 === self }.map { idle.remove(at: $0) } != nil
        }
        if leaves { return }
        hasJob.wait()
      }
      // The job may hold a file open, so its caller goes on after it is released.
      let goOn = takeJob()?()
      goOn?()
      Self.idle.withLock { $0.append(self) }
    }
  }

  private func takeJob() -> Job? {
    job.withLock { job in
      defer { job = nil }
      return job
    }
  }
}
