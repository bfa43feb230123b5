/// The mode of a run: stored or dry run.
package enum RunMode: Sendable, Hashable {
  /// The run stores pages, and counts them in its run record.
  case stored(RunID)
  /// The run stores nothing, and reports what would change.
  case dryRun
}

/// The identity of a run.
package struct RunID: Sendable, Hashable {
  let rawValue: Int64
}

/// The account, resource and mode to which every statement of a run is bound.
struct RunScope: Sendable {
  let account: String
  let resource: String
  let mode: RunMode
  /// The identifiers of a first pass that began with an empty table; else `nil`.
  var firstPass: FirstPass?

  var isDryRun: Bool { mode == .dryRun }
}
