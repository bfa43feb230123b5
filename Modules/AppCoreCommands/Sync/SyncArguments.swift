import AppCore
import ArgumentParser
import Models
import Sync

/// What every sync can be told.
struct SyncArguments: ParsableArguments {
  @Flag(help: "Read everything again; what is not listed any more counts as deleted.")
  var full = false

  @Flag(help: "Compare everything with the server after the sync, and put right what differs.")
  var verify = false

  @Flag(help: "Tell what would change; store nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Read what has changed since then, whatever was read before.", valueName: "date"),
    transform: Self.instant)
  var since: Timestamp?

  @Option(help: ArgumentHelp("Stop after so many records, at the end of a page.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp("Stop when so much time has passed.", valueName: "time"),
    transform: Self.duration)
  var maxDuration: Duration?

  @Option(
    help: ArgumentHelp(
      "Wait so long in one go where the server asks for it; 60s by default.", valueName: "time"),
    transform: Self.duration)
  var maxWait: Duration?

  @Flag(help: "Delete as much as a complete list of the server's no longer holds.")
  var allowMassDeletion = false

  @Flag(
    help:
      "Say that a new sign-in is of the organisation whose records the account holds, where the provider does not tell."
  )
  var sameOrganisation = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit has to be 1 or more.") }
    if since != nil, full || verify {
      throw ValidationError("--since goes with neither --full nor --verify.")
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
    if let maxWait { options.maximumWait = maxWait }
    if allowMassDeletion { options.maximumDeletedPercent = 100 }
    return options
  }

  private static func instant(_ text: String) throws -> Timestamp {
    guard let instant = Timestamp(text) ?? CalendarDate(text)?.midnight else {
      throw ValidationError("'\(text)' is neither YYYY-MM-DD nor YYYY-MM-DDThh:mm:ssZ")
    }
    return instant
  }

  private static func duration(_ text: String) throws -> Duration {
    guard let duration = Duration(configurationText: text) else {
      throw ValidationError("'\(text)' is no time such as 500ms, 30s, 5m or 2h")
    }
    return duration
  }
}

extension CalendarDate {
  /// Its first instant in UTC.
  fileprivate var midnight: Timestamp {
    Timestamp(microsecondsSinceEpoch: Int64(daysSinceEpoch) * 86_400_000_000)
  }
}
