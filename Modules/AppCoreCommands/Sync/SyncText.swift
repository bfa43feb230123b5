import AppCore
import Foundation
import Models
import Presentation
import Storage
import Sync

/// The report of a sync as text for people.
struct SyncText: Sendable {
  let report: SyncReport
  /// The number of records that are stored now and not deleted.
  let stored: Int
  /// The provider's words for statuses that appcore does not know, if the run has stored records.
  var unknownStatuses: [UnknownStatus] = []

  /// Returns the report as lines of text.
  func text(calling program: HintProgram) -> String {
    var lines = [headline]
    if let found = report.verification {
      lines.append(
        "Compared with the server: \(found.inserted) were missing, \(found.updated) different, "
          + "\(found.deleted) too many.")
    }
    if report.dayZone == .unknown, report.counts.inserted > 0 {
      lines.append(
        "Days are those of UTC, because \(report.provider) names no time zone; set "
          + "accounts.\(report.account).timeZone, such as Europe/Berlin, or UTC if that is right.")
    }
    if let scope = report.missingScope {
      let account = ["--account", report.account]
      let whole = ["sync", report.resource.rawValue, "--full"] + account
      lines.append(
        "A part of each record is missing, because the login lacks the scope \(scope). To add it, "
          + "run \(program.text(.init(["login", "--scope", scope] + account))), and then "
          + "\(program.text(.init(whole))).")
    }
    for status in unknownStatuses.prefix(3) {
      lines.append(
        "\(count(status.count)) \(status.count == 1 ? "has" : "have") the status "
          + "\(printable(status.word)), which appcore does not know: nothing counts as due of "
          + (status.count == 1 ? "it." : "them."))
    }
    if let rereading = report.rereading {
      lines.append(
        rereading == .timeZone
          ? "Everything was read again, because the account's time zone has changed."
          : "Everything was read again, because the description of \(report.provider), or the "
            + "way appcore reads it, has changed.")
    }
    let known = report.failureCount - report.newFailureCount
    if known > 0 {
      lines.append(
        "\(count(known)) reported before still cannot be read; \(program.text(["status"])) names "
          + (known == 1 ? "it." : "them."))
    }
    for change in report.changes.prefix(isDryRun ? 20 : 0) { lines.append(change.text) }
    if isDryRun, report.changes.count > 20 {
      lines.append("  and \((report.changes.count - 20).grouped) more; see --json")
    }
    return lines.joined(separator: "\n")
  }

  /// The report as part of a line about an account, such as
  /// `invoices: 250 new (239 excluding deleted)`.
  private var summary: String {
    let resource = report.resource
    let unknown = unknownStatuses.prefix(3).map {
      "; \($0.count.grouped) with the unknown status \(printable($0.word))"
    }
    let counted = "\(stored.grouped) excluding deleted" + unknown.joined()
    if isDryRun { return "\(resource): would " + (planned ?? "change nothing") }
    let changed = parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    guard isComplete else { return "a part of the \(resource): \(changed) (\(counted))" }
    return parts.isEmpty
      ? "\(resource): up to date (\(counted))" : "\(resource): \(changed) (\(counted))"
  }

  private var parts: [String] {
    Self.parts([
      (report.counts.inserted, "new"), (report.counts.updated, "changed"),
      (report.counts.deleted, "deleted"), (report.newFailureCount, "unreadable"),
    ])
  }

  private static func parts(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
  }

  private var headline: String {
    let counted = count(stored) + " excluding deleted"
    if isDryRun { return planned.map { "Would \($0)" } ?? "Would change nothing (\(counted))" }
    if parts.isEmpty, isComplete { return "Up to date (\(counted))" }
    let work =
      "\(HumanText.count(report.pages, "page")), \(HumanText.count(report.requests, "request")), "
      + "\(report.duration.inSeconds) s"
    return
      (isComplete ? "Synced \(report.resource): " : "Synced a part of the \(report.resource): ")
      + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))
      + " (\(stored.grouped) excluding deleted; \(work))"
  }

  /// The changes that a dry run found, such as `add 601 invoices, delete 2`.
  private var planned: String? {
    let counts = report.counts
    let parts = [
      (counts.inserted, "add"), (counts.updated, "change"), (counts.deleted, "delete"),
    ].filter { $0.0 > 0 }
    guard let first = parts.first else { return nil }
    let others = parts.dropFirst().map { "\($0.1) \($0.0.grouped)" }
    return (["\(first.1) \(count(first.0))"] + others).joined(separator: ", ")
  }

  private func count(_ number: Int) -> String { HumanText.count(number, report.resource) }

  private var isDryRun: Bool { report.result == .dryRun }
  private var isComplete: Bool { report.result == .complete }
}

// The syncs of several accounts.
extension SyncText {
  /// Returns an account's results in one line, after its title in so many columns.
  ///
  /// - Parameter configuration: names the provider in messages; `nil` to leave out the messages,
  ///   because the same reader gets them on standard error.
  static func line(
    about result: AccountSyncResult, _ texts: [SyncText], title: String, width: Int,
    in configuration: CoreConfiguration?
  ) -> String {
    // The failure of a report is part of its summary.
    let failed = result.outcomes.compactMap { outcome -> (resource: Resource?, message: String)? in
      guard case .failure(let error) = outcome.result, !(error is CancellationError) else {
        return nil
      }
      guard let configuration else { return (outcome.resource, "") }
      let failure = Failure(error, in: configuration, account: result.account)
      return (outcome.resource, ": " + printable(failure.message))
    }
    let messages = Set(failed.map(\.message))
    let failures =
      messages.count == 1
      ? messages.map { "failed\($0)" }
      : failed.map { ($0.resource.map { "\($0) " } ?? "") + "failed\($0.message)" }
    let parts =
      texts.map(\.summary) + failures + (result.ending == .interrupted ? ["interrupted"] : [])
    return printable(title).padding(toLength: width, withPad: " ", startingAt: 0) + "  "
      + (parts.isEmpty ? "nothing to sync" : parts.joined(separator: "; "))
  }

  /// Returns the report of all accounts in one line.
  static func total(of results: [AccountSyncResult], _ duration: Duration) -> String {
    let reports = results.flatMap(\.reports)
    let failed = results.count { $0.ending == .failed }
    let partial = results.count { $0.ending == .partial }
    let counts = reports.reduce(into: ChangeCounts()) { $0 += $1.counts }
    let parts = Self.parts([
      (counts.inserted, "new"), (counts.updated, "changed"), (counts.deleted, "deleted"),
    ])
    let complete = results.count - failed - partial
    let changes = parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    let problems = [(partial, "incomplete"), (failed, "failed")].filter { $0.0 > 0 }
      .map { "; \($0.0) \($0.1)" }.joined()
    return (reports.contains { $0.result == .dryRun } ? "Would sync " : "Synced ")
      + (complete == results.count ? "" : "\(complete) of ")
      + "\(HumanText.count(results.count, "account")): \(changes)\(problems) "
      + "(\(HumanText.count(reports.map(\.requests).reduce(0, +), "request")), "
      + "\(duration.inSeconds) s)"
  }
}

extension RecordChange {
  /// The record on one line with its only change, or with a line for each of its first changes.
  fileprivate var text: String {
    // The time of change differs with every other field, so it is left out beside one.
    let shownFields = fields.filter { $0.field != "updatedAt" || fields.count == 1 }
    let name = number ?? String(id.prefix(LocalDatabase.shortestPrefix))
    let names = [name, contact].compactMap(\.self).filter { !$0.isEmpty }
    let line = "  " + ([verb] + names.map { printable($0) }).joined(separator: "  ")
    let others = shownFields.count - 10 + omittedFields
    let changes = shownFields.prefix(10).map { field in
      "\(printable(field.field)) \(Self.shown(field.old)) → \(Self.shown(field.new))"
    }
    if changes.count == 1, omittedFields == 0 { return line + "  " + changes[0] }
    return
      ([line] + changes.map { "    " + $0 }
      + (others > 0 ? ["    and \(others) more fields"] : [])).joined(separator: "\n")
  }

  private var verb: String {
    switch kind {
    case .inserted: "add   "
    case .deleted: "delete"
    case .updated, .unchanged: "change"
    }
  }

  private static func shown(_ value: String?) -> String {
    value.map { $0.isEmpty ? "\"\"" : printable($0) } ?? "-"
  }
}
