import FileLocking
import Foundation
package import Logging
package import Models
package import Networking
package import Storage

/// Brings an account's invoices into the database, and nothing twice.
///
/// Rows, cursor and run record of a page are committed in one transaction, so that a run can be
/// interrupted anywhere; the next one goes on from there.
public struct InvoiceSync: Sendable {
  static let resource = "invoices"

  private let account: String
  private let lockPath: String
  private let lockTimeout: Duration
  private let runOnce: @Sendable (SyncOptions) async throws -> SyncReport

  package init(
    account: String, provider: some InvoiceProvider, session: Session, database: InvoiceDatabase,
    lockFolder: String, lockTimeout: Duration = .seconds(60),
    now: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) },
    logger: Logger = Logger(label: "appcore.sync")
  ) {
    self.account = account
    self.lockPath = lockFolder + "/sync-" + account + "-" + Self.resource + ".lock"
    self.lockTimeout = lockTimeout
    runOnce = { options in
      try await SyncRun(
        account: account, provider: provider, session: session, database: database,
        options: options, now: now, log: SyncLog(account: account, logger: logger)
      ).run()
    }
  }

  /// Runs a sync to its end.
  ///
  /// - Parameters:
  ///   - full: whether to read everything again instead of what has changed.
  ///   - progress: called after each page that is stored.
  /// - Returns: the report, also of a run that is partial because the server asked to come back
  ///   later or a row could not be read.
  /// - Throws: ``SyncError``, and the errors of the session, the authenticator and the database.
  ///   What was stored before stays.
  public func run(
    full: Bool = false, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    do {
      // Two runs at once would not harm the rows, but would count each other's work as their own.
      return try await FileLock.withLock(at: lockPath, timeout: lockTimeout) {
        try await runOnce(SyncOptions(full: full, progress: progress))
      }
    } catch FileLockError.heldElsewhere(let path) where path == lockPath {
      throw SyncError.alreadyRunning(account: account)
    }
  }
}

/// What a caller asks of one run.
struct SyncOptions: Sendable {
  let full: Bool
  let progress: @Sendable (SyncProgress) -> Void
}
