import Synchronization

/// The checks of a diagnosis that are under way, several of them concurrently.
final class RunningChecks: Sendable {
  private let timeout: Duration
  private let onChange: @Sendable (_ running: [String]) -> Void
  private let names = Mutex<[String]>([])

  /// - Parameters:
  ///   - timeout: the longest wait of ``boundedCheck(_:_:)``.
  ///   - onChange: takes the names of the running checks, the oldest first.
  init(timeout: Duration, onChange: @escaping @Sendable (_ running: [String]) -> Void) {
    self.timeout = timeout
    self.onChange = onChange
  }

  /// Returns the finding of a check.
  func check(_ name: String, _ body: () async throws -> String) async -> Finding {
    await running(name) { await Finding.check(name, body) }
  }

  /// Returns the finding of a check that waits for a server.
  func boundedCheck(
    _ name: String, _ body: @escaping @Sendable () async throws -> String
  ) async -> Finding {
    await running(name) { await Finding.check(name, within: timeout, body) }
  }

  /// Runs a part of the diagnosis that is named while it runs.
  func running(_ name: String, _ body: () async -> Finding) async -> Finding {
    change { $0.append(name) }
    let finding = await body()
    change { names in
      if let index = names.firstIndex(of: name) { names.remove(at: index) }
    }
    return finding
  }

  private func change(_ change: (inout [String]) -> Void) {
    // Under the lock, so that no change overtakes another.
    names.withLock { names in
      change(&names)
      onChange(names)
    }
  }
}
