import Authentication
import Networking
import Synchronization
import SystemSupport

extension ApplicationCore {
  /// Closes everything in order: the sessions, the renewals under way, and the database.
  ///
  /// From this call on, no exchange with an authorization server begins, and a session or database
  /// that is asked for fails with ``CoreError/closed``. Once it returns, the
  /// process can create another core for the same store of logins. Closing continues even if the
  /// calling task is cancelled; ``hurry()`` shortens it.
  ///
  /// A renewed login that neither the store nor its sealed file takes is tried again until
  /// ``hurry()``: it would end with the process.
  ///
  /// - Parameter onWaiting: called when closing begins to wait for some work.
  /// - Throws: `AuthenticationError.notSaved` if renewed logins exist only in this process, and
  ///   `AuthenticationError.keptSealed` if the next one stores them; everything else is still
  ///   closed.
  public func close(
    onWaiting: @escaping @Sendable (PendingWork) -> Void = { _ in }
  ) async throws {
    authenticator.refuseExchanges()
    isClosed.withLock { $0 = true }
    // A program that was asked to end calls this from a cancelled task.
    try await Task { try await closeEverything(onWaiting) }.value
  }

  /// Makes ``close(onWaiting:)`` wait only for a renewal whose exchange has begun, and for its
  /// storing.
  ///
  /// It can be called from any thread, before or while the core is closed, and any number of times.
  public func hurry() {
    hurried.resolve(.success(()))
  }

  private func closeEverything(_ onWaiting: @escaping @Sendable (PendingWork) -> Void) async throws
  {
    await opener.refuse()
    let sessions = allSessions
    for session in sessions { onWaiting(.requests(session: session.name)) }
    await hurried.unlessResolved {
      await withTaskGroup { group in
        for session in sessions { group.addTask { await session.shutdown() } }
      }
    }
    let drained: Result<Void, any Error>
    do {
      drained = .success(
        try await authenticator.drain(hurried: hurried) { work in
          switch work {
          case .renewal(let account): onWaiting(.renewal(account: account))
          case .unsavedLogin(let account): onWaiting(.unsavedLogin(account: account))
          }
        })
    } catch {
      drained = .failure(error)
    }
    authenticator.releaseStore()
    let session = authenticationSession
    await hurried.unlessResolved { await session.shutdown() }
    let closed = SharedOutcome<Void>()
    if await opener.isOpen {
      onWaiting(.database)
      await hurried.unlessResolved { [opener] in
        do { closed.resolve(.success(try await opener.close())) } catch {
          closed.resolve(.failure(error))
        }
      }
    }
    // If nobody waited for the database, treat it as closed: what was committed is durable.
    closed.resolve(.success(()))
    try drained.get()
    try await closed.value()
  }
}
