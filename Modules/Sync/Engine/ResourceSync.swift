import Foundation
package import Logging
public import Models
package import Networking
package import Storage
package import SystemSupport

/// Syncs one resource of an account, such as its invoices, into the database.
///
/// Each page's records, checkpoint and run record are committed in one transaction, so a run can be
/// interrupted anywhere; the next one resumes there.
public struct ResourceSync: Sendable {
  /// The resource that it syncs.
  public let resource: Resource

  private let account: String
  /// `nil` for a database in memory, which no other process can open.
  private let lockPath: String?
  private let findQuestion: @Sendable () async throws -> OrganisationQuestion?
  private let proveOnce: @Sendable (SyncOptions) async throws -> ProvenOrganisation?
  private let lockTimeout: Duration
  private let runOnce:
    @Sendable (SyncOptions, @escaping @Sendable (SyncProgress) -> Void) async throws -> SyncReport

  /// Creates the sync of a feed.
  ///
  /// - Parameters:
  ///   - signIn: the sign-in whose organisation each run proves.
  ///   - settings: the user's settings, for runs whose options say nothing else.
  package init<Feed: ResourceFeed>(
    account: String, feed: Feed, session: Session, store: ResourceStore<Feed.Record>,
    signIn: SignInSource = SignInSource(),
    settings: SyncSettings = SyncSettings(), lockTimeout: Duration = .seconds(60),
    clock: TimeSource = .system, logger: Logger = Logger(label: "appcore.sync")
  ) {
    self.account = account
    resource = store.resource
    lockPath =
      store.database.isInMemory
      ? nil : Self.lockPath(of: store.resource, account: account, in: store.database)
    self.lockTimeout = lockTimeout
    let run: @Sendable (SyncOptions, @escaping @Sendable (SyncProgress) -> Void) -> SyncRun<Feed> =
      { options, progress in
        var options = options
        options.settings = settings
        return SyncRun(
          account: account, feed: feed, session: session, store: store, signIn: signIn,
          options: options, progress: progress, clock: clock,
          log: SyncLog(account: account, resource: store.resource, logger: logger))
      }
    runOnce = { try await run($0, $1).run() }
    proveOnce = { try await run($0) { _ in }.requireOrganisation() }
    findQuestion = {
      try await OrganisationQuestion(
        account: account, store.database, signIn, addresses: feed.traits.addresses,
        isIdentified: feed.traits.identifiesOrganisation)
    }
  }

  /// Returns the path of the lock of an account's sync, beside the database that all processes
  /// share.
  package static func lockPath(
    of resource: Resource, account: String, in database: LocalDatabase
  ) -> String {
    database.path + ".sync-" + account + "-" + resource.rawValue + ".lock"
  }

  /// Returns the question about a new sign-in that the user has to answer before a sync; `nil` if
  /// there is none.
  package func organisationQuestion() async throws -> OrganisationQuestion? {
    try await findQuestion()
  }

  /// Requires that the sign-in reads the organisation whose records the account holds, for a module
  /// that reads more of them; stores nothing.
  ///
  /// - Parameter options: the bounds of the requests.
  /// - Returns: a function that throws ``SyncError/signInChanged(account:)`` once another sign-in
  ///   has replaced the proved one.
  /// - Throws: as a run that is refused before it stores anything, such as
  ///   ``SyncError/organisationUnproven(account:holding:)``.
  package func requireOrganisation(
    _ options: SyncOptions
  ) async throws -> @Sendable () async throws -> Void {
    do {
      let proven = try await proveOnce(options)
      return { try await proven?.requireSameSignIn() }
    } catch is CursorExpired {
      throw Self.listNotFound
    }
  }

  /// Runs a sync to its end.
  ///
  /// - Parameters:
  ///   - options: the kind and the bounds of the run.
  ///   - progress: called with each event, on the thread that does the work; see
  ///     ``start(_:)`` for the events as an asynchronous sequence.
  /// - Returns: the report, also of a run that is partial because its time is up, the server asked
  ///   to retry later, or a record could not be read.
  /// - Throws: ``SyncError``, and the errors of the session, the authenticator and the database.
  ///   What was stored before stays.
  public func run(
    _ options: SyncOptions = SyncOptions(),
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    try options.check()
    do {
      guard let lockPath else { return try await runOnce(options, progress) }
      // Two concurrent runs would count each other's work as their own, and the sweep of one would
      // clear the rows that the other has seen.
      let timeout = options.maximumLockWait ?? lockTimeout
      let lock = try await FileLock.acquire(at: lockPath, timeout: timeout) {
        progress(.waitingForProcess(LockWait(for: lockPath, atMost: timeout)))
      }
      // The file's time of change says since when it is held.
      lock.noteTime()
      return try await lock.whileHeld { try await runOnce(options, progress) }
    } catch FileLockError.heldElsewhere(let path) where path == lockPath {
      throw SyncError.alreadyRunning(account: account)
    } catch let error as FileLockError where error.path == lockPath {
      // The lock stands beside the database, so its errors are reported as the database's.
      throw StorageError.inaccessible(path: error.path, underlying: error)
    } catch is CursorExpired {
      throw Self.listNotFound
    }
  }

  /// The error for a list that no longer exists.
  ///
  /// A request for the start of a list sends no cursor that could expire, so a 410 means the list.
  static var listNotFound: SyncError { .accessDenied(status: 410) }
}

/// A sync under way, with its progress as an asynchronous sequence.
///
/// The run continues whether or not anyone reads the progress.
public struct RunningSync: Sendable {
  /// The events of the run, for one reader; a slow reader misses the oldest ones.
  public let progress: AsyncStream<SyncProgress>
  private let task: Task<SyncReport, any Error>

  /// The report, once the run has ended.
  ///
  /// If the calling task is cancelled, the run is too, and what it has stored stays.
  ///
  /// - Throws: as ``ResourceSync/run(_:progress:)``.
  public var report: SyncReport {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Cancels the run.
  public func cancel() { task.cancel() }

  init(
    _ run:
      @escaping @Sendable (@escaping @Sendable (SyncProgress) -> Void) async throws -> SyncReport
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncProgress.self, bufferingPolicy: .bufferingNewest(256))
    progress = stream
    task = Task {
      defer { continuation.finish() }
      return try await run { continuation.yield($0) }
    }
  }
}

extension ResourceSync {
  /// Starts a sync, and returns it with its progress as an asynchronous sequence.
  ///
  /// - Parameter options: the kind and the bounds of the run.
  public func start(_ options: SyncOptions = SyncOptions()) -> RunningSync {
    RunningSync { progress in try await run(options, progress: progress) }
  }
}
