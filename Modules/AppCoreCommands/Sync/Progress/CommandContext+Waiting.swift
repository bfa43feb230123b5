import Models
import Synchronization

extension CommandContext {
  /// Runs `work`, and shows on standard error what it waits for, as a sync does.
  ///
  /// - Parameters:
  ///   - text: what is waited for, such as `Asking Xero…`.
  ///   - work: takes the line, which has to be erased before a message is written.
  func waiting<Value>(
    _ text: String, _ work: (ProgressTicker) async throws -> Value
  ) async rethrows -> Value {
    try await waiting({ text }, work)
  }

  /// Runs `work`, and shows what it waits for now.
  func waiting<Value>(
    _ text: @escaping @Sendable () -> String, _ work: (ProgressTicker) async throws -> Value
  ) async rethrows -> Value {
    let ticker = ProgressTicker(
      ProgressStyle(.auto, self), terminal, time: environment.time
    ) { _, columns in
      ProgressLine.fitting([text()], columns)
    }
    return try await ticker.running { try await work(ticker) }
  }

  /// Runs `work`, which may show another text whenever it waits for something else.
  ///
  /// - Parameters:
  ///   - text: what is waited for at first.
  ///   - work: takes a function that shows a text.
  func waiting<Value>(
    first text: String, _ work: (_ show: @escaping @Sendable (String) -> Void) async throws -> Value
  ) async rethrows -> Value {
    let shown = SharedLine(text)
    let current: @Sendable () -> String = { shown.value.withLock { $0 } }
    return try await waiting(current) { _ in
      try await work { text in shown.value.withLock { $0 = text } }
    }
  }
}
