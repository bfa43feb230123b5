import AppCore
import CAppCore
import Sync

extension SyncOptions {
  /// Reads a caller's choices.
  ///
  /// - Throws: ``Misuse``.
  init(_ choices: appcore_sync_options) throws {
    self.init()
    isFull = choices.full != 0
    verifies = choices.verify != 0
    isDryRun = choices.dry_run != 0
    isSameOrganisation = choices.same_organisation != 0
    if choices.allow_mass_deletion != 0 { maximumDeletedPercent = 100 }
    if choices.no_wait != 0 { maximumLockWait = .zero }
    guard choices.limit >= 0, choices.max_duration_ms >= 0, choices.max_wait_ms >= 0 else {
      throw Misuse.badArgument(
        message: "limit, max_duration_ms and max_wait_ms must not be negative")
    }
    if choices.limit > 0 { limit = Int(choices.limit) }
    if choices.max_duration_ms > 0 { maximumDuration = .milliseconds(choices.max_duration_ms) }
    if choices.max_wait_ms > 0 { maximumWait = .milliseconds(choices.max_wait_ms) }
    guard let text = try CText.optional(choices.since, "since") else { return }
    guard !isFull, !verifies else {
      throw Misuse.badArgument(message: "since cannot be combined with full or verify")
    }
    since = try QueryText.value { try FilterValue.instant(text) }
  }
}
