import Foundation
import GRDB

extension LocalDatabase {
  /// Tells that something was committed, by this process or another one.
  ///
  /// SQLite tells a connection only when it asks, so this asks every so often, which reads a few bytes
  /// of shared memory. Several commits between two looks are one element; nothing is told of the
  /// state at the beginning.
  ///
  /// - Parameter interval: between two looks.
  /// - Throws: while it is followed, ``StorageError``.
  public func changes(
    every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [path] in
        do {
          try await StorageError.translating(path) {
            let connection = try await observer()
            var known = try await connection.version
            while true {
              try await Task.sleep(for: interval)
              let version = try await connection.version
              if version != known { continuation.yield() }
              known = version
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

  /// The invoices that a query finds, now and whenever that changes, by whichever process.
  ///
  /// - Throws: while it is followed, ``StorageError``.
  public func observe(
    _ query: InvoiceQuery, every interval: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<[StoredInvoice], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do {
          // From before the first look on, so that nothing falls between the two.
          let changes = changes(every: interval)
          var known = try await invoices(matching: query)
          continuation.yield(known)
          for try await _ in changes {
            let found = try await invoices(matching: query)
            if found != known { continuation.yield(found) }
            known = found
          }
          continuation.finish()
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
    try await locked {
      let path = path
      return try await DispatchQueue.blocking {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
      }
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
