/// Whether a run stores what it reads.
package enum RunMode: Sendable, Hashable {
  /// Pages are stored, and counted in the record of the run.
  case stored(RunID)
  /// Nothing is stored; the run reports what would change.
  case dryRun
}

/// The identity of a run.
package struct RunID: Sendable, Hashable {
  let rawValue: Int64
}

/// What every statement of a run is bound to.
struct RunScope: Sendable {
  let account: String
  let resource: String
  let mode: RunMode

  var isDryRun: Bool { mode == .dryRun }
}
