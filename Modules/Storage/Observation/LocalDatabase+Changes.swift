import Foundation
import GRDB
import SystemSupport

extension LocalDatabase {
  /// Reports that something was committed, by this process or another one.
  ///
  /// SQLite notifies no other connection, so this polls, which reads a few bytes of shared memory.
  /// Several commits between two polls are one element. The state at the first poll, a moment after
  /// the call, is no element; ``observe(_:every:)`` misses nothing.
  ///
  /// - Parameter interval: the time between two polls.
  /// - Throws: while the stream is iterated, ``StorageError``.
  public func changes(
    every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<Void, any Error> {
    following(every: interval) { _, isFirst in isFirst ? nil : () }
  }

  /// Reports the invoices that a query finds, now and whenever that changes, by whichever process.
  ///
  /// - Throws: while the stream is iterated, ``StorageError``.
  public func observe(
    _ query: InvoiceQuery, every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<[StoredInvoice], any Error> {
    following(every: interval) { known, _ in
      let found = try await invoices(matching: query)
      return found == known ? nil : found
    }
  }

  /// Reports what a look finds, at first and after each commit; a look is given what was reported
  /// last, and `nil` reports nothing.
  func following<Element: Sendable>(
    every interval: Duration,
    _ look: @escaping @Sendable (_ known: Element?, _ isFirst: Bool) async throws -> Element?
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [path] in
        do {
          try await StorageError.translating(path) {
            let connection = try await observer()
            // Known before the first look, so that nothing falls between the two.
            var version = try await connection.version
            var known = try await look(nil, true)
            if let known { continuation.yield(known) }
            while true {
              try await Task.sleep(for: interval)
              let newest = try await connection.version
              guard newest != version else { continue }
              version = newest
              guard let found = try await look(known, false) else { continue }
              continuation.yield(found)
              known = found
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

  /// A connection of its own: what a connection commits itself does not change its version.
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
  /// Differs whenever another connection has committed something, or, of a database in memory,
  /// whenever its only connection has changed something.
  fileprivate var version: Int {
    get async throws {
      try await unsafeRead {
        try (Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0) + $0.totalChangesCount
      }
    }
  }
}
