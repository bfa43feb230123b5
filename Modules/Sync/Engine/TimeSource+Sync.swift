import Models
import Networking
import SystemSupport

extension TimeSource {
  /// The time of day.
  var now: Timestamp { Timestamp(wall()) }

  /// Runs work, and says when to come back where a published limit leaves it no room for longer than may
  /// be waited.
  func tellingLimit<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch SessionError.rateLimited(let wait) {
      throw SyncError.rateLimited(
        retryAt: now.adding(seconds: Int64((wait / .seconds(1)).rounded(.up))))
    }
  }
}
