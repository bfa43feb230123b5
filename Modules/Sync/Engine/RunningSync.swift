/// A sync under way, with its progress as an asynchronous sequence.
///
/// The run continues whether or not anyone reads the progress.
public struct RunningSync: Sendable {
  /// The events of the run, for one reader; a slow reader misses the oldest ones.
  public let progress: AsyncStream<SyncProgress>
  private let task: Task<SyncReport, any Error>

  /// The report, once the run has ended.
  ///
  /// If the calling task is cancelled, the run is too, and what it has stored stays.
  ///
  /// - Throws: as ``ResourceSync/run(_:progress:)``.
  public var report: SyncReport {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Cancels the run.
  public func cancel() { task.cancel() }

  init(
    _ run:
      @escaping @Sendable (@escaping @Sendable (SyncProgress) -> Void) async throws -> SyncReport
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncProgress.self, bufferingPolicy: .bufferingNewest(256))
    progress = stream
    task = Task {
      defer { continuation.finish() }
      return try await run { continuation.yield($0) }
    }
  }
}

extension ResourceSync {
  /// Starts a sync, and returns it with its progress as an asynchronous sequence.
  ///
  /// - Parameter options: the kind and the bounds of the run.
  public func start(_ options: SyncOptions = SyncOptions()) -> RunningSync {
    RunningSync { progress in try await run(options, progress: progress) }
  }
}
