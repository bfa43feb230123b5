import Dispatch
import Synchronization

/// The result of asynchronous work for a thread that may block.
final class Answer<Value: Sendable>: Sendable {
  typealias Work = @Sendable () async throws -> Value

  private let work: Mutex<Work?>
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  private init(_ work: @escaping Work) {
    self.work = Mutex(work)
  }

  /// Runs work on the cooperative pool, and blocks the calling thread until it ends.
  ///
  /// The caller is a thread of a C program. A thread of the pool would take a place of its own
  /// work.
  static func wait(for work: @escaping Work) throws -> Value {
    let answer = Answer(work)
    Task {
      let result = await answer.run()
      answer.result.withLock { $0 = result }
      answer.isThere.signal()
    }
    answer.isThere.wait()
    guard let result = answer.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }

  /// Runs the work and releases what it refers to, so that nothing of a closed core is left when
  /// the caller goes on.
  private func run() async -> Result<Value, any Error> {
    guard let work = work.withLock({ $0.take() }) else { return .failure(CancellationError()) }
    do { return .success(try await work()) } catch { return .failure(error) }
  }
}
