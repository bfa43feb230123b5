import Foundation
import GRDB
import SystemSupport

extension LocalDatabase {
  /// Tells that something was committed, by this process or another one.
  ///
  /// SQLite tells a connection only when it asks, so this asks every so often, which reads a few bytes
  /// of shared memory. Several commits between two looks are one element. Nothing is told of the state
  /// at the first look, which comes a moment after the call; ``observe(_:every:)`` misses nothing.
  ///
  /// - Parameter interval: between two looks.
  /// - Throws: while it is followed, ``StorageError``.
  public func changes(
    every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<Void, any Error> {
    following(every: interval) { _, isFirst in isFirst ? nil : () }
  }

  /// The invoices that a query finds, now and whenever that changes, by whichever process.
  ///
  /// - Throws: while it is followed, ``StorageError``.
  public func observe(
    _ query: InvoiceQuery, every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<[StoredInvoice], any Error> {
    following(every: interval) { known, _ in
      let found = try await invoices(matching: query)
      return found == known ? nil : found
    }
  }

  /// What a look finds, at first and after each commit; it is given what was told last, and `nil` tells
  /// nothing.
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
  private func observer() async throws -> DatabaseQueue {
    let path = path
    return try await BlockingWork.run {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      return try DatabaseQueue(path: path, configuration: configuration)
    }
  }
}

extension DatabaseQueue {
  /// Differs whenever another connection has committed something.
  fileprivate var version: Int {
    get async throws {
      try await unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
  }
}
