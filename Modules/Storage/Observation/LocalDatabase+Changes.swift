import Foundation
import GRDB
import Synchronization
import SystemSupport

extension LocalDatabase {
  /// Returns a stream with an element for each commit, by this process or another one.
  ///
  /// It waits in the kernel for writes to the file (inotify(7)) and costs nothing while there are
  /// none. Several commits within an interval yield one element. The state at the first look, a
  /// moment after the call, yields none; ``observe(_:every:)`` misses nothing.
  ///
  /// If the file is replaced, the stream yields an element and goes on with the file that is there
  /// then. Open the database again before you read.
  ///
  /// - Parameter interval: the shortest time between two elements. Where the kernel has no watch
  ///   left, and for a database in memory, the time between two looks.
  /// - Throws: ``StorageError``, while the stream is iterated.
  public func changes(
    every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<Void, any Error> {
    following(every: interval) { _, _, isFirst in isFirst ? nil : () }
  }

  /// Returns a stream with an element now, and after each change of records by this process or
  /// another one; a sync that found nothing new adds none.
  ///
  /// A reader who reads the records after each element misses nothing.
  ///
  /// - Throws: ``StorageError``, while the stream is iterated.
  package func changesFromNow() -> AsyncThrowingStream<RecordState, any Error> {
    following(every: .milliseconds(20)) { database, known, _ in
      let state = try await database.recordState()
      return state == known ? nil : state
    }
  }

  /// Returns a stream of the invoices that a query finds: now, and after each change by any
  /// process, also those of a file that replaces this one.
  ///
  /// - Throws: ``StorageError``, while the stream is iterated.
  public func observe(
    _ query: InvoiceQuery, every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<[StoredInvoice], any Error> {
    following(every: interval) { database, known, _ in
      let found = try await database.invoices(matching: query)
      return found == known ? nil : found
    }
  }

  /// Returns a stream of what `look` returns, at first and after each commit.
  ///
  /// `look` receives the database at the path and the last element of the stream; it returns `nil`
  /// to add none.
  func following<Element: Sendable>(
    every interval: Duration,
    _ look:
      @escaping @Sendable (
        _ database: LocalDatabase, _ known: Element?, _ isFirst: Bool
      ) async throws -> Element?
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          try await StorageError.translating(path) {
            let commits = CommitWatch(path: isInMemory ? nil : path, interval: interval)
            var (database, known, isFirst) = (self, nil as Element?, true)
            while true {
              let connection = try await database.observer()
              // Read before the look, so that no commit between the two is missed.
              var version: Int? = try await connection.version
              while let seen = version {
                if let found = try await look(database, known, isFirst) {
                  continuation.yield(found)
                  known = found
                }
                if !isFirst { try await Task.sleep(for: interval) }
                isFirst = false
                version = try await database.version(after: seen, connection, commits)
              }
              database = try await database.replacement(commits)
            }
          }
        } catch is CancellationError {
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Waits for a commit, and returns the version after it; `nil` if the file was replaced.
  private func version(
    after known: Int, _ connection: any DatabaseWriter, _ commits: CommitWatch
  ) async throws -> Int? {
    try await commits.next { () -> Int?? in
      guard !isReplaced else { return .some(nil) }
      let version = try await connection.version
      return version == known ? nil : .some(version)
    }
  }

  /// Waits until there is a file at the path again that can be read, and opens it.
  private func replacement(_ commits: CommitWatch) async throws -> LocalDatabase {
    // It may be in the middle of its creation; whoever creates it also repairs it.
    try await commits.next {
      let found = try? await LocalDatabase.openUnchanged(at: path)
      return found?.isReplaced == false ? found : nil
    }
  }

  private func recordState() async throws -> RecordState {
    let counts = try await read { db in
      try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT (SELECT coalesce(sum(inserted + updated + deleted), 0) FROM run),
              (SELECT coalesce(group_concat(row || ' ' || source, char(10)), '') FROM account)
            """)
      ).map { ($0[0] as Int64, $0[1] as String) }
    }
    return RecordState(file: file, changes: counts?.0 ?? 0, accounts: counts?.1 ?? "")
  }

  /// Opens a separate connection: a connection's own commits do not change its version.
  private func observer() async throws -> any DatabaseWriter {
    guard !isInMemory else { return pool }
    let path = path
    return try await BlockingWork.run {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      return try DatabaseQueue(path: path, configuration: configuration)
    }
  }
}

/// The state of all records: two states differ if a sync has changed a record between them, an
/// account was forgotten, or the file was replaced.
///
/// Each run counts what it changes, in the transaction that changes it.
package struct RecordState: Sendable, Equatable {
  let file: FileIdentity?
  let changes: Int64
  let accounts: String
}

extension DatabaseWriter {
  /// A number that changes whenever another connection commits.
  ///
  /// For a database in memory, it changes with each change by the only connection.
  fileprivate var version: Int {
    get async throws {
      try await unsafeRead {
        try (Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0) + $0.totalChangesCount
      }
    }
  }
}

/// The wait for the next commit to a database file, by any process.
///
/// It waits for writes to the file or its log, and then looks: SQLite does not notify other
/// connections.
struct CommitWatch {
  private let interval: Duration
  private let watch: FolderWatch?
  private let wakes: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  /// True if there was a write since the last look.
  private let isWritten = SharedFlag()

  /// - Parameters:
  ///   - path: the file, with all links resolved; `nil` for a database in memory.
  ///   - interval: the time between two looks if the file cannot be watched.
  init(path: String?, interval: Duration) {
    self.interval = interval
    let (wakes, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.wakes, self.signal) = (wakes, signal)
    watch = path.flatMap { [isWritten] path in
      let file = URL(filePath: path)
      let names: Set = [file.lastPathComponent, file.lastPathComponent + "-wal"]
      let folder = file.deletingLastPathComponent().path(percentEncoded: false)
      return FolderWatch(folder: folder, writtenFiles: names) { written in
        guard written.map(names.contains) ?? true else { return }
        isWritten.set()
        signal.yield()
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
    let shortest = Duration.milliseconds(5)
    var pause: Duration?
    while true {
      // Before the look: a write during it is followed by another one.
      if isWritten.take() { pause = shortest }
      if let found = try await find() { return found }
      // A transaction writes without pause, and each look costs some time.
      if pause != nil { try await Task.sleep(for: shortest) }
      try await awaitWrite(atMost: pause)
      pause = pause.flatMap { $0 < .seconds(1) ? $0 * 2 : nil }
    }
  }

  /// Waits for a write, or until the time is over; without a limit, only for a write.
  private func awaitWrite(atMost limit: Duration?) async throws {
    guard watch != nil else { return try await Task.sleep(for: interval) }
    let timer = limit.map { limit in
      Task { [signal] in
        try await Task.sleep(for: limit)
        signal.yield()
      }
    }
    defer { timer?.cancel() }
    for await _ in wakes { break }
    try Task.checkCancellation()
  }
}

/// A flag that one thread sets, and another one takes.
private final class SharedFlag: Sendable {
  private let isSet = Atomic(false)

  func set() { isSet.store(true, ordering: .releasing) }

  func take() -> Bool { isSet.exchange(false, ordering: .acquiringAndReleasing) }
}
