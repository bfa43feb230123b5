import Dispatch
import Synchronization
import SystemSupport

/// The result of asynchronous work, for a thread that may block.
final class BlockingResult<Value: Sendable>: Sendable {
  typealias Work = @Sendable () async throws -> Value

  private let work: Mutex<Work?>
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  private init(_ work: @escaping Work) {
    self.work = Mutex(work)
  }

  /// Runs work on the cooperative pool, and blocks the calling thread until it ends.
  ///
  /// The caller is a thread of a C program. A thread of the pool could be the one that the work
  /// needs.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - isRunning: receives its task, for another thread that cancels it.
  static func wait(
    for work: @escaping Work, _ isRunning: (Task<Void, Never>) -> Void = { _ in }
  ) throws -> Value {
    let shared = BlockingResult(work)
    let task = BlockedSignals.whileStartingThreads {
      Task {
        let result = await shared.run()
        shared.result.withLock { $0 = result }
        shared.isThere.signal()
      }
    }
    isRunning(task)
    shared.isThere.wait()
    guard let result = shared.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }

  /// Runs the work and releases what it refers to, so that nothing of a closed core is left when
  /// the caller goes on.
  private func run() async -> Result<Value, any Error> {
    guard let work = work.withLock({ $0.take() }) else { return .failure(CancellationError()) }
    do { return .success(try await work()) } catch { return .failure(error) }
  }
}
