import AppCore
import Documents
import Models
import Storage
import Sync

// The report as text for people.
extension SyncReportDocument {
  /// Returns the report as lines of text.
  func text(calling program: HintProgram) -> String {
    var lines = [headline]
    if let found = verification.value {
      lines.append(
        "Compared with the server: \(found.missing) were missing, \(found.different) different, "
          + "\(found.surplus) too many.")
    }
    if lacksTimeZone, inserted > 0 {
      lines.append(
        "Days are those of UTC, because \(provider) names no time zone; set "
          + "accounts.\(account).timeZone, such as Europe/Berlin.")
    }
    if unreadable > newlyUnreadable {
      let known = unreadable - newlyUnreadable
      lines.append(
        "\(count(known)) reported before still cannot be read; \(program.text(["status"])) names "
          + (known == 1 ? "it." : "them."))
    }
    for change in changes?.prefix(20) ?? [] { lines.append(change.text) }
    if let changes, changes.count > 20 {
      lines.append("  and \((changes.count - 20).grouped) more; see --json")
    }
    return lines.joined(separator: "\n")
  }

  /// The report as part of a line about an account, such as
  /// `invoices: 250 new (239 not deleted)`.
  var summary: String {
    let counted = "\(stored.grouped) not deleted"
    if isDryRun { return "\(resource): would " + (planned ?? "change nothing") }
    let changed = parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    guard isComplete else { return "a part of the \(resource): \(changed) (\(counted))" }
    return parts.isEmpty
      ? "\(resource): up to date (\(counted))" : "\(resource): \(changed) (\(counted))"
  }

  private var parts: [String] {
    [
      (inserted, "new"), (updated, "changed"), (deleted, "deleted"),
      (newlyUnreadable, "unreadable"),
    ]
    .filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
  }

  private var headline: String {
    let counted = count(stored) + " not deleted"
    if isDryRun { return planned.map { "Would \($0)" } ?? "Would change nothing (\(counted))" }
    if parts.isEmpty, result == SyncReport.Result.complete.rawValue {
      return "Up to date (\(counted))"
    }
    let work =
      "\(HumanText.count(pages, "page")), \(HumanText.count(requests, "request")), "
      + "\(durationSeconds) s"
    return (isComplete ? "Synced \(resource): " : "Synced a part of the \(resource): ")
      + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))
      + " (\(stored.grouped) not deleted; \(work))"
  }

  /// The changes that a dry run found, such as `add 601 invoices, delete 2`.
  private var planned: String? {
    let parts = [(inserted, "add"), (updated, "change"), (deleted, "delete")].filter { $0.0 > 0 }
    guard let first = parts.first else { return nil }
    let others = parts.dropFirst().map { "\($0.1) \($0.0.grouped)" }
    return (["\(first.1) \(count(first.0))"] + others).joined(separator: ", ")
  }

  private func count(_ number: Int) -> String {
    Resource(rawValue: resource).map { HumanText.count(number, $0) }
      ?? HumanText.count(number, "record")
  }
  private var isComplete: Bool { result == SyncReport.Result.complete.rawValue }
}
