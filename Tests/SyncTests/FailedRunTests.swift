import Foundation
import InMemoryLogging
import Logging
import Storage
import Sync
import SyncSupport
import Synchronization
import Testing

/// Runs that fail, and their record in the database.
@Suite(.timeLimit(.minutes(10))) struct FailedRunTests {
  @Test("a run whose end cannot be recorded logs a warning with the cause")
  func unrecorded() async throws {
    let database = Mutex<String?>(nil)
    let server = ListServer(rows: 25) { _, _ in
      guard let path = database.withLock({ $0 }) else { return }
      try? FileManager.default.removeItem(atPath: path)
    }
    let handler = InMemoryLogHandler()
    let fixture = try await ListFixture(
      .sweep, server, logger: Logger(label: "test") { _ in handler })
    let path = fixture.database.path
    database.withLock { $0 = path }
    await #expect(throws: StorageError.self) { _ = try await fixture.sync.run() }
    let warnings = handler.entries.filter { $0.level == .warning }
    #expect(warnings.map { "\($0.message)" } == ["cannot record the end of the run"])
    #expect(
      warnings.first?.metadata["reason"]
        == "\(path) was renamed or replaced while appcore used it")
    try await fixture.stop()
  }
}
