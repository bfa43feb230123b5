import Synchronization

#if canImport(Testing)
  package import Testing
#endif

/// The servers, sessions and programs that a test has started; all are stopped when it ends,
/// whatever its end, the last first.
package final class CleanUp: Sendable {
  @TaskLocal private static var current: CleanUp?

  private let works = Mutex<[@Sendable () async -> Void]>([])

  /// Calls `stop` when the test ends in whose suite the trait `.cleansUp` is; of other suites, the
  /// tests stop by themselves what they have started.
  package static func atEnd(_ stop: @escaping @Sendable () async -> Void) {
    current?.works.withLock { $0.append(stop) }
  }

  package static func around(_ body: @Sendable () async throws -> Void) async throws {
    let cleanUp = CleanUp()
    let result: Result<Void, any Error>
    do {
      result = .success(try await $current.withValue(cleanUp) { try await body() })
    } catch {
      result = .failure(error)
    }
    while let stop = cleanUp.works.withLock({ $0.popLast() }) { await stop() }
    try result.get()
  }
}

#if canImport(Testing)
  /// Stops what each test of a suite has started; see ``CleanUp``.
  package struct CleansUp: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    @concurrent
    package func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      try await CleanUp.around(function)
    }
  }

  extension Trait where Self == CleansUp {
    /// Stops what each test has started.
    package static var cleansUp: Self { Self() }
  }

  extension Trait where Self == ConditionTrait {
    /// Runs the tests only where a ``PrivateKeyring`` can be started.
    package static var needsKeyring: Self {
      .enabled(if: PrivateKeyring.isAvailable, "dbus or gnome-keyring is not installed")
    }
  }
#endif
