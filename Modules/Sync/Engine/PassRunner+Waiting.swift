import Models
import Storage

// The waits that a server asks for, and the limits of the run.
extension PassRunner {
  /// Returns whether the next run would begin after the start of this one.
  ///
  /// The run continues to the end of an instant that fills several pages, and of changes in an
  /// order of their own: the next run could not resume inside them.
  func nextRunGoesOn(
    from checkpoint: RunCheckpoint, after start: RunCheckpoint
  ) async throws -> Bool {
    guard checkpoint.cursor != start.cursor else { return false }
    guard checkpoint.pass == .changes, changes == .watermark else { return true }
    let next = try await cursor(.changes(after: checkpoint.cursor))
    return !next.startsAtSameRecord(as: start.cursor)
  }

  /// Sends a request, and repeats it after each wait that the server asks for.
  ///
  /// - Returns: `nil` if the wait is longer than the run allows, or the run's time is up.
  mutating func obeying<Value>(
    _ report: inout SyncReport,
    _ ask: (inout PageReader<Feed>, RunBudget) async throws -> Value
  ) async throws -> Value? {
    var waits = 0
    while true {
      do {
        return try await ask(&reader, budget)
      } catch let error as SyncError where error.postponement != nil {
        reader.abandon()
        do {
          try await budget.wait(after: error, &waits, onWait: notifyOfWait)
        } catch let error as SyncError {
          guard let asked = error.postponement else { throw error }
          report.end(asked.ending, retryAt: asked.retryAt)
          return nil
        }
      } catch is CancellationError where !Task.isCancelled && budget.remaining == .zero {
        report.end(.duration, retryAt: budget.now)
        return nil
      }
    }
  }

  func notifyOfWait(_ wait: Duration) {
    writer.progress(
      .waiting(SyncProgress.Wait(reason: .rateLimit, duration: wait, from: budget.now)))
  }
}
