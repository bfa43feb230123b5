import Documents
import Networking
import Storage
import Testing

@testable import Sync

/// The codes of failed runs, which `status --json` shows.
@Suite(.timeLimit(.minutes(1))) struct RunCauseTests {
  @Test("a failed run is recorded with the code of its failure")
  func codes() {
    let errors: [any Error] = [
      SyncError.credentialsRejected(), SyncError.accessDenied(status: 403),
      SyncError.serverFailed(status: 503), SyncError.serverFailed(status: 404),
      SyncError.organisationUnclear(available: []), SyncError.massDeletion(records: 2, of: 3),
      SyncError.alreadyRunning(account: "a"), SyncError.signInChanged(account: "a"),
      SessionError.connectionFailed(origin: nil, underlying: CancellationError()),
      SessionError.closed(session: "s"),
      SessionError.insufficientScope(needed: nil, origin: nil),
      StorageError.sourceMismatch(account: "a", holding: "1", stored: "x", offered: "y"),
      StorageError.busy(path: "/x"), StorageError.full(path: "/x"),
    ]
    for error in errors {
      #expect(RunCause(error, SignInSource()).code == Failure(error).code, "\(error)")
    }
  }
}
