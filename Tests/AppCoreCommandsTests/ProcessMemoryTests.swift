import Sync
import SystemSupport
import Testing

@testable import AppCoreCommands

/// The memory of a program that syncs.
@Suite(.timeLimit(.minutes(10))) struct ProcessMemoryTests {
  /// Returns the pages of files that are mapped, in KiB.
  private func files() throws -> Int {
    let status = try #require(KernelFile.text(at: "/proc/self/status"))
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  @Test("a sync of several pages goes on without the code of the start")
  func code() throws {
    ProcessMemory.noteCode()
    let before = try files()
    ProcessMemory.release(after: .stored(SyncProgress.Position(pages: 3, records: 3, position: 3)))
    #expect(try files() > before / 2)
    ProcessMemory.release(after: .stored(SyncProgress.Position(pages: 4, records: 4, position: 4)))
    #expect(try files() < before)
  }
}
