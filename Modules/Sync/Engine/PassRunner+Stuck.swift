import Storage

// A run that cannot resume where an earlier one stopped.
extension PassRunner {
  /// Lets the next run begin the list again if this one could not get beyond the page at which it
  /// resumed, because the server always fails there.
  ///
  /// Otherwise each run would resume there, and no change on earlier pages would ever be read.
  func restartIfStuck(
    at begin: (checkpoint: RunCheckpoint, isNew: Bool), _ error: any Error, _ report: SyncReport
  ) async {
    guard !begin.isNew, begin.checkpoint.pass != .changes, report.pages == 0, !options.isDryRun,
      Self.isOfPage(error)
    else { return }
    let cursor = begin.checkpoint.cursor
    // If this fails too, the next run resumes as this one did.
    do {
      try await writer.beginSweep(
        at: try await everything(known: cursor, isInterrupted: true), source: source(of: cursor))
    } catch {
      writer.log.cannotRestart(error)
    }
  }

  /// Returns true if an error may come from the page alone, so that the server has no outage.
  private static func isOfPage(_ error: any Error) -> Bool {
    switch error {
    case SyncError.unreadable: true
    case SyncError.accessDenied(let status, _): status == 404
    case SyncError.unknownAddress: true
    case SyncError.serverFailed(let status, _): (400...500).contains(status)
    default: false
    }
  }
}
