import AppCore
import Authentication
import Documents
import ErrorCodes
import Foundation
import Models
import Providers
import Storage
import Sync

/// The text of `appcore status`, with times as people write them.
struct StatusText {
  let now: Date
  let zone: TimeZone
  var style = TableStyle.plain
  /// The program that the commands in hints call.
  var program = HintProgram()

  func text(of document: StatusDocument) -> String {
    let lines =
      (isTable(document) ? table(of: document.accounts) : document.accounts.flatMap(lines)) + [
        "database     \(printable(document.database))"
          + (document.databaseExists ? "" : " (none yet)"),
        "logins       \(printable(document.keyring))"
          + (document.keyringHint.map { "\n             \(printable(program.text($0)))" } ?? ""),
        "config       \(printable(document.configuration))",
      ]
    return lines.joined(separator: "\n")
  }

  func lines(of account: StatusDocument.Account) -> [String] {
    let expiry =
      account.expiresAt.value.map { end in
        ", access token \(end.date > now ? "expires" : "expired") \(time(end))"
      } ?? ""
    let isKnown = account.login != StatusDocument.Account.unknownLogin
    var lines = [
      "\(printable(account.name)) (\(printable(account.provider.value ?? "?")))",
      "  login      \(sandbox(account))\(isKnown ? account.login + expiry : "unknown; see logins below")"
        + (account.endsAt == nil ? "" : "; it cannot be renewed")
        + (account.sharedLogin.value.map { " (shared with '\(printable($0))')" } ?? "")
        + signIn(account),
    ]
    if isKnown, let tokens = tokens(of: account) { lines.append("  tokens     \(tokens)") }
    if let message = account.providerMessage {
      lines.append("  message    the provider says: \(printable(message))")
    }
    if let problem = account.problem.value { lines.append("  problem    \(printable(problem))") }
    if let remedy = account.remedy {
      lines.append("  to do      \(printable(program.text(remedy)))")
    }
    for resource in Resource.allCases {
      guard let summary = summary(of: resource, account) else { continue }
      let label = "  " + resource.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
      lines.append(label + summary)
      lines += unreadable(resource, of: account)
      lines += (account.runs?[resource.rawValue] ?? []).map { "    " + history($0) }
    }
    if account.isLoginOnly {
      lines.append("  syncs      none of its own; other accounts use its login")
    }
    return lines
  }

  /// The last renewal or sign-in; `nil` if there was none.
  private func tokens(of account: StatusDocument.Account) -> String? {
    guard var tokens = account.outcome?.text(time) else { return nil }
    if let holder = account.lockHolder.value { tokens += ", process \(holder) is renewing" }
    if let skew = account.clockSkewSeconds.value, abs(skew) > 5 {
      tokens += ", server's clock \(skew) s ahead"
    }
    return tokens
  }

  /// The number of stored records and the last sync; `nil` if the provider does not list them.
  func summary(of resource: Resource, _ account: StatusDocument.Account) -> String? {
    guard !account.isLoginOnly, let stored = account.stored[resource.rawValue] else { return nil }
    return sandbox(account) + (stored == 0 ? "none" : "\(stored.grouped) not deleted") + "; "
      + (account.lastSyncs[resource.rawValue].map(text) ?? "never synced")
  }

  /// The first records that cannot be read, each with its place and the reason.
  private func unreadable(_ resource: Resource, of account: StatusDocument.Account) -> [String] {
    guard let count = account.unreadable[resource.rawValue], count > 0 else { return [] }
    let shown = account.unreadableRecords[resource.rawValue, default: []].prefix(3)
    return ["             \(count.grouped) cannot be read:"]
      + shown.map {
        "             " + printable("\($0.id): \($0.path): \($0.reason)")
          + ", since \(time($0.since))"
      } + (count > shown.count ? ["             and \((count - shown.count).grouped) more"] : [])
  }

  /// The mark of an account whose books are made up, which no line may hide.
  func sandbox(_ account: StatusDocument.Account) -> String {
    account.environment == ProviderEnvironment.sandbox.rawValue ? "sandbox, " : ""
  }

  /// The command that ends the need of a sign-in; empty if there is none.
  private func signIn(_ account: StatusDocument.Account) -> String {
    // The configuration comes first.
    guard account.problem.value == nil else { return "" }
    let states: [AccountStatus.State] = [.signedOut, .rejected]
    guard states.map(\.rawValue).contains(account.login) else { return "" }
    let other = account.otherServer.map { "; the stored one is of \(printable($0)), to replace it" }
    return (other ?? "; sign in with") + ": " + printable(program.text(account.signInCommand))
  }

  /// A run in words, such as `complete 2 min ago (14:09)`.
  private func text(of run: StatusDocument.LastSync) -> String {
    let at = time(run.endedAt.value ?? run.startedAt)
    let after = "after \(run.records.grouped); run again to continue"
    switch run.state {
    case SyncState.Run.running.rawValue:
      return "running since \(at), \(run.records.grouped) so far"
    case SyncState.Run.interrupted.rawValue: return "interrupted \(at) \(after)"
    case SyncState.Run.died.rawValue: return "died, begun \(at), \(after)"
    case SyncState.Run.complete.rawValue: return "complete \(at)"
    default: return "\(run.state) \(at): \(cause(of: run))"
    }
  }

  /// The cause of a run that is partial or failed, and the time of the next try.
  private func cause(of run: StatusDocument.LastSync) -> String {
    let next = run.retryAt.value.flatMap { $0.date > now ? ", next try \(time($0))" : nil } ?? ""
    guard let stored = run.errorCode.value else { return "unknown cause" + next }
    switch ErrorCode(rawValue: stored) {
    case .rateLimited?: return "rate limit" + next
    case .serverBusy?: return "the provider's server was busy" + next
    // The message names the organisations, each with its identifier.
    case .organisationUnclear?: return "an organisation has to be chosen"
    // Whatever holds of the store now has a line of its own.
    case let code? where code.concernsSecretStore: return "the logins could not be read" + next
    default: break
    }
    switch SyncReport.Ending(rawValue: stored) {
    case .unreadable?: return "some records cannot be read"
    case .duration?: return "--max-duration reached; run again to continue"
    case .limit?: return "--limit reached; run again to continue"
    case .continued?: return "read by several runs; run again to be sure"
    case .rateLimit?, .serverBusy?, nil: return printable(run.cause.value ?? stored) + next
    }
  }

  /// A run as a line of the history.
  private func history(_ run: StatusDocument.LastSync) -> String {
    let counts = [(run.inserted, "new"), (run.updated, "changed"), (run.deleted, "deleted")]
      .filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let end = run.endedAt.value.map {
      Duration.microseconds($0.microsecondsSinceEpoch - run.startedAt.microsecondsSinceEpoch)
    }
    let parts: [String?] = [
      time(run.startedAt), run.state,
      counts.isEmpty ? "nothing new" : counts.joined(separator: ", "),
      end.map { HumanText.short($0) },
      run.errorCode.value.map { _ in cause(of: run) },
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
  }

  private func time(_ instant: Timestamp) -> String {
    HumanText.instant(instant, from: now, in: zone)
  }
}
