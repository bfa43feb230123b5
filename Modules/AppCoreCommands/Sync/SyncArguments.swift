import AppCore
import ArgumentParser
import Models
import Sync

/// The options of every sync.
struct SyncArguments: ParsableArguments {
  @Flag(help: "Read everything again; records no longer listed count as deleted.")
  var full = false

  @Flag(help: "Compare everything with the server after the sync, and correct differences.")
  var verify = false

  @Flag(help: "Show what would change without storing it.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Read the changes since this date, even those already read.", valueName: "date"),
    transform: FilterValue.instant)
  var since: Timestamp?

  @Option(help: ArgumentHelp("Stop after N records, at the end of a page.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp("Stop after this long.", valueName: "time"),
    transform: Self.duration)
  var maxDuration: Duration?

  @Option(
    help: ArgumentHelp(
      "Wait at most this long for a rate limit; 60s by default.", valueName: "time"),
    transform: Self.duration)
  var maxWait: Duration?

  @Flag(help: "Exit with 75 immediately if another process syncs the same list.")
  var noWait = false

  @Option(help: "Show progress on standard error; json prints an object for each event.")
  var progress = ProgressChoice.auto

  @Flag(help: "Allow this run to delete more than sync.maximumDeletedPercent.")
  var allowMassDeletion = false

  @Flag(
    help:
      "Confirm that the sign-in belongs to the organisation already stored."
  )
  var sameOrganisation = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    if since != nil, full || verify {
      throw ValidationError("--since cannot be combined with --full or --verify.")
    }
  }

  var options: SyncOptions {
    var options = SyncOptions()
    options.isFull = full
    options.verifies = verify
    options.isDryRun = dryRun
    options.since = since
    options.isSameOrganisation = sameOrganisation
    options.limit = limit
    options.maximumDuration = maxDuration
    if noWait { options.maximumLockWait = .zero }
    if let maxWait { options.maximumWait = maxWait }
    if allowMassDeletion { options.maximumDeletedPercent = 100 }
    return options
  }

  private static func duration(_ text: String) throws -> Duration {
    guard let duration = Duration(configurationText: text) else {
      throw ValidationError(
        "'\(text)' is not a duration from 1ms to 24h; use one such as 30s, 5m or 2h")
    }
    return duration
  }
}
