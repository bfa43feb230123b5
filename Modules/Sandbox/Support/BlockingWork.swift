import Dispatch

/// Runs calls that block or compute for long on threads of their own.
///
/// The cooperative pool has a thread per core; one that waits for a disk or a socket is one that
/// serves no request.
enum BlockingWork {
  private static let queue = DispatchQueue(label: "sandbox.blocking", attributes: .concurrent)

  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}
