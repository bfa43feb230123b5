import Foundation

/// Runs calls that block or compute for long, each on a thread of its own.
///
/// The cooperative pool has a thread per core; one that waits for a disk or a socket is one that
/// serves no request. On Linux a concurrent dispatch queue would not do: it shares its threads
/// with that pool, and enough blocked calls starve it.
enum BlockingWork {
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}
