import Documents
import Foundation
import Models

extension AccountSyncDocument {
  /// The account's results in one line, after its name in so many columns.
  func line(width: Int) -> String {
    // The failure of a report is part of its summary.
    let failed = failures.filter { failure in
      !reports.contains { $0.failure(in: nil)?.message == failure.message }
    }
    let messages = Set(failed.map(\.message))
    let parts =
      reports.map(\.summary)
      + (messages.count == 1
        ? messages.map { "failed: \(printable($0))" }
        : failed.map { ($0.resource.map { "\($0) " } ?? "") + "failed: \(printable($0.message))" })
      + (isInterrupted ? ["interrupted"] : [])
    return account.padding(toLength: width, withPad: " ", startingAt: 0) + "  "
      + (parts.isEmpty ? "nothing to sync" : parts.joined(separator: "; "))
  }
}

extension AccountSyncsDocument {
  /// The report of all accounts in one line.
  var text: String {
    let all = accounts.flatMap(\.reports)
    let failed = accounts.count(where: \.isFailed)
    let partial = accounts.count(where: \.isPartial)
    let isDryRun = all.contains { $0.changes != nil }
    let counts = [
      (all.map(\.inserted).reduce(0, +), "new"), (all.map(\.updated).reduce(0, +), "changed"),
      (all.map(\.deleted).reduce(0, +), "deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let complete = accounts.count - failed - partial
    let changes = counts.isEmpty ? "nothing new" : counts.joined(separator: ", ")
    let problems = [(partial, "incomplete"), (failed, "failed")].filter { $0.0 > 0 }
      .map { "; \($0.0) \($0.1)" }.joined()
    return (isDryRun ? "Would sync " : "Synced ")
      + (complete == accounts.count ? "" : "\(complete) of ")
      + "\(HumanText.count(accounts.count, "account")): \(changes)\(problems) "
      + "(\(HumanText.count(all.map(\.requests).reduce(0, +), "request")), \(durationSeconds) s)"
  }
}
