import Models
import Storage
import Sync

// The report as text for people, and the failure of a run that is not complete.
extension SyncReportDocument {
  /// The report as lines of text.
  ///
  /// - Parameter clock: writes an instant as a time of day.
  func text(clock: (Timestamp) -> String) -> String {
    var lines = [headline]
    if let found = verification.value {
      lines.append(
        "Compared with the server: \(found.missing) were missing, \(found.different) different, "
          + "\(found.surplus) too many.")
    }
    for change in changes?.prefix(20) ?? [] { lines.append(change.text) }
    if let changes, changes.count > 20 {
      lines.append("  and \(HumanText.grouped(changes.count - 20)) more; see --json")
    }
    if let ending = ending.value, let note = note(ending, clock) { lines.append(note) }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    let counted = HumanText.count(stored, noun)
    if isDryRun { return planned.map { "Would \($0)" } ?? "Would change nothing (\(counted))" }
    let parts = [
      (inserted, "new"), (updated, "changed"), (deleted, "deleted"), (unreadable, "unreadable"),
    ].filter { $0.0 > 0 }.map { "\(HumanText.grouped($0.0)) \($0.1)" }
    if parts.isEmpty, result == SyncReport.Result.complete.rawValue {
      return "Up to date (\(counted))"
    }
    let work =
      "\(HumanText.count(pages, "page")), \(HumanText.count(requests, "request")), "
      + "\(durationSeconds) s"
    return (isComplete ? "Synced \(resource): " : "Synced a part of the \(resource): ")
      + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))
      + " (\(HumanText.grouped(stored)) \(inserted > stored ? "not deleted" : "stored"); \(work))"
  }

  /// The changes that a dry run found, such as `add 601 invoices, delete 2`.
  private var planned: String? {
    let parts = [(inserted, "add"), (updated, "change"), (deleted, "delete")].filter { $0.0 > 0 }
    guard let first = parts.first else { return nil }
    let others = parts.dropFirst().map { "\($0.1) \(HumanText.grouped($0.0))" }
    return (["\(first.1) \(HumanText.count(first.0, noun))"] + others).joined(separator: ", ")
  }

  private func note(_ ending: SyncReport.Ending, _ clock: (Timestamp) -> String) -> String? {
    switch ending {
    case .rateLimit:
      retryAt.value.map { "Rate limit reached; try again \(clock($0)). \(continuation)" }
    case .duration: "Stopped after --max-duration. \(continuation)"
    case .limit: "Stopped after --limit. \(continuation)"
    case .continued:
      "Several runs have read the list; the next run reads all of it again to be sure."
    case .unreadable: nil
    }
  }

  private var noun: String {
    resource == Resource.contacts.rawValue ? "contact" : "invoice"
  }
  private var isComplete: Bool { result == SyncReport.Result.complete.rawValue }
  private var isDryRun: Bool { changes != nil }
  private var continuation: String {
    isDryRun ? "A dry run keeps nothing." : "The next sync continues from here."
  }
  private var kept: String {
    isDryRun ? "A dry run stores nothing." : "What was read is stored."
  }

  /// The failure that reports why the run is partial; `nil` if it is complete.
  var failure: Failure? {
    if let excess {
      var failure = Failure(SyncError.massDeletion(records: excess.deleted, of: excess.of))
      failure.resource = resource
      return failure
    }
    guard let ending = ending.value else { return nil }
    var failure = failure(ending)
    failure.resource = resource
    if ending == .unreadable { failure.records = failures }
    return failure
  }

  private func failure(_ ending: SyncReport.Ending) -> Failure {
    switch ending {
    case .unreadable:
      Failure(
        .unreadableData, "unreadable-data", "\(unreadable) of the \(resource) cannot be read",
        "The others are stored; the next run tries these again.")
    case .rateLimit:
      Failure(
        .tryAgainLater, "rate-limited",
        "the server, or the limit it publishes, asks to come back later",
        kept + (retryAt.value.map { " Run it again at \($0)" } ?? " Run it again")
          + ", or allow a longer --max-wait.")
    case .duration, .limit:
      Failure(
        .tryAgainLater, "budget-spent", "the run has read as much as it was allowed to",
        isDryRun ? continuation : kept + " " + continuation)
    case .continued:
      Failure(
        .tryAgainLater, "budget-spent", "the list was read to its end, but not by one run",
        kept + " A run that may read the whole list is complete.")
    }
  }
}
