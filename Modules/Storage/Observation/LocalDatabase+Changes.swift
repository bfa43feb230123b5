import Foundation
import GRDB
import SystemSupport

extension LocalDatabase {
  /// Returns a stream with an element for each commit, by this process or another one.
  ///
  /// It waits in the kernel for writes to the file (inotify(7)) and costs nothing while there are
  /// none. Several commits within an interval yield one element. The state at the first look, a
  /// moment after the call, yields none; ``observe(_:every:)`` misses nothing.
  ///
  /// - Parameter interval: the shortest time between two elements. Where the kernel has no watch
  ///   left, and for a database in memory, the time between two looks.
  /// - Throws: ``StorageError``, while the stream is iterated.
  public func changes(
    every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<Void, any Error> {
    following(every: interval) { _, isFirst in isFirst ? nil : () }
  }

  /// Returns a stream of the invoices that a query finds: now, and after each change by any
  /// process.
  ///
  /// - Throws: ``StorageError``, while the stream is iterated.
  public func observe(
    _ query: InvoiceQuery, every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<[StoredInvoice], any Error> {
    following(every: interval) { known, _ in
      let found = try await invoices(matching: query)
      return found == known ? nil : found
    }
  }

  /// Returns a stream of what `look` returns, at first and after each commit.
  ///
  /// `look` receives the last element of the stream; it returns `nil` to add none.
  func following<Element: Sendable>(
    every interval: Duration,
    _ look: @escaping @Sendable (_ known: Element?, _ isFirst: Bool) async throws -> Element?
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [path] in
        do {
          try await StorageError.translating(path) {
            let connection = try await observer()
            let commits = CommitWatch(path: isInMemory ? nil : path, interval: interval)
            // Read before the first look, so that no commit between the two is missed.
            var version = try await connection.version
            var known = try await look(nil, true)
            if let known { continuation.yield(known) }
            while true {
              version = try await commits.next(after: version) { try await connection.version }
              if let found = try await look(known, false) {
                continuation.yield(found)
                known = found
              }
              try await Task.sleep(for: interval)
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
