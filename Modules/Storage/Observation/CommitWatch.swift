import Foundation
import SystemSupport

/// The wait for the next commit to a database file, by any process.
///
/// It waits for writes to the file, its log or its lock, and then compares versions: SQLite does
/// not notify other connections.
struct CommitWatch {
  private let interval: Duration
  private let watch: FolderWatch?
  private let writes: AsyncStream<Void>

  /// - Parameters:
  ///   - path: the file, with all links resolved; `nil` for a database in memory.
  ///   - interval: the time between two looks if the file cannot be watched.
  init(path: String?, interval: Duration) {
    self.interval = interval
    let (writes, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.writes = writes
    watch = path.flatMap { path in
      let file = URL(filePath: path)
      // The names of the log and of the lock begin with that of the file.
      let name = file.lastPathComponent
      let folder = file.deletingLastPathComponent().path(percentEncoded: false)
      return FolderWatch(folder: folder, eachWrite: true) { written in
        if written?.hasPrefix(name) ?? true { signal.yield() }
      }
    }
  }

  /// Waits until the version differs from a known one, and returns it.
  ///
  /// - Throws: `CancellationError`, and what `version` throws.
  func next(after known: Int, _ version: () async throws -> Int) async throws -> Int {
    // What was committed before the last look needs no further write.
    var newest = try await version()
    while newest == known {
      try await awaitWrite()
      newest = try await settled(known, version)
    }
    return newest
  }

  private func awaitWrite() async throws {
    guard watch != nil else { return try await Task.sleep(for: interval) }
    for await _ in writes { break }
    try Task.checkCancellation()
  }

  /// Looks several times, because other connections see a commit a moment after its last write.
  private func settled(_ known: Int, _ version: () async throws -> Int) async throws -> Int {
    var pause = Duration.milliseconds(5)
    while true {
      let newest = try await version()
      guard newest == known, watch != nil, pause < .seconds(1) else { return newest }
      try await Task.sleep(for: pause)
      pause *= 2
    }
  }
}
