import Dispatch
import Synchronization

/// The result of asynchronous work for a thread that may block.
final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs work on the cooperative pool, and blocks the calling thread until it ends.
  ///
  /// The caller is a thread of a C program. A thread of the pool would take a place of its own
  /// work.
  static func wait(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let answer = Answer()
    Task {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      answer.result.withLock { $0 = result }
      answer.isThere.signal()
    }
    answer.isThere.wait()
    guard let result = answer.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
