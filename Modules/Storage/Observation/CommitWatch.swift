import Foundation
import SystemSupport

/// The wait for the next commit to a database file, by any process.
///
/// It waits for writes to the file, its log or its lock, and then looks: SQLite does not notify
/// other connections.
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

  /// Waits until `find` finds something, and returns it.
  ///
  /// It looks now, since what was written before the last look needs no further write, and after
  /// each write several times, because other connections see a commit a moment after its last one.
  ///
  /// - Throws: `CancellationError`, and what `find` throws.
  func next<Found>(_ find: () async throws -> Found?) async throws -> Found {
    if let found = try await find() { return found }
    while true {
      try await awaitWrite()
      var pause = Duration.milliseconds(5)
      while pause < .seconds(1) {
        if let found = try await find() { return found }
        guard watch != nil else { break }
        try await Task.sleep(for: pause)
        pause *= 2
      }
    }
  }

  private func awaitWrite() async throws {
    guard watch != nil else { return try await Task.sleep(for: interval) }
    for await _ in writes { break }
    try Task.checkCancellation()
  }
}
