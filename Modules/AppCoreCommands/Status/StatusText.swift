import AppCore
import Authentication
import ErrorCodes
import Foundation
import Models
import Networking
import Presentation
import Providers
import Storage
import Sync
import SystemSupport

struct StatusText {
  let configuration: CoreConfiguration
  let now: Date
  let zone: TimeZone
  let style: TableStyle
  let program: HintProgram

  /// The number of accounts above which each has one line.
  private static let many = 10

  func text(of report: StatusReport) -> String {
    let accounts = report.accounts.map(\.state)
    let lines =
      accounts.count > Self.many && !report.showsRuns
      ? table(of: accounts) : accounts.flatMap { self.lines($0, showsRuns: report.showsRuns) }
    let end =
      report.removed.map { removed in
        let count = HumanText.count(
          removed.invoices + removed.payments + removed.contacts, "record")
        let remedy = Hint(
          "\(count) of an account that is not in this configuration; if no other file has it, delete "
            + "them with",
          ["organisations", "remove", removed.name, "--forget-invoices"])
        return "\(printable(removed.name))\n  removed    \(text(remedy))"
      } + [
        "database     \(printable(report.database))"
          + (report.databaseExists ? "" : " (none yet)"),
        "logins       \(printable(report.keyring))"
          + (report.keyringHint.map { "\n             \(text($0))" } ?? ""),
        "config       \(printable(report.configuration))",
      ]
    return (lines + end).joined(separator: "\n")
  }

  /// Returns a line for each of many accounts, and the details of those that need the user.
  private func table(of accounts: [AccountState]) -> [String] {
    // The first list of each kind that any account has: there is no room for all.
    let listed = Set(accounts.flatMap(\.syncs).map(\.resource))
    let shown = Resource.Kind.allCases.map { Resource($0) }.filter(listed.contains)
    let rows = accounts.map { account in
      let login = account.login?.state.rawValue ?? "unknown"
      return [
        TableCell(account.title),
        TableCell(sandbox(account) + login + (account.needsUser ? " !" : "")),
      ]
        + shown.map { TableCell(summary(of: $0, account) ?? "") }
    }
    let columns =
      [.account, TableColumn(name: "LOGIN")]
      + shown.map { TableColumn(name: $0.rawValue.uppercased(), shortest: 8) }
    let layout = TableLayout(columns, rows: rows, style: style)
    // Accounts that use the login of another need what that one needs.
    let needing = accounts.filter { account in
      switch account.login?.state {
      case _ where !account.needsUser: false
      case .valid?, .expired?: true
      case .signedOut?, .rejected?, nil: account.sharedLogin == nil
      }
    }
    return [layout.header] + rows.map(layout.line)
      + (needing.isEmpty ? [] : ["", "Needs you (!):"])
      + needing.flatMap { lines($0, showsRuns: false) } + [""]
  }

  private func lines(_ account: AccountState, showsRuns: Bool) -> [String] {
    let login = account.login
    let expiry =
      login?.expiresAt.map { end in
        ", access token \(end > now ? "expires" : "expired") \(time(Timestamp(end)))"
      } ?? ""
    var lines = [
      printable(account.heading),
      "  login      \(sandbox(account))"
        + (login.map { $0.state.rawValue + expiry } ?? "unknown; see logins below")
        + (login?.endsAt == nil ? "" : "; it cannot be renewed")
        + (account.sharedLogin.map { " (shared with '\(printable($0))')" } ?? "")
        + signIn(account),
    ]
    if let tokens = login.flatMap(tokens(of:)) { lines.append("  tokens     \(tokens)") }
    if let message = login?.providerMessage {
      lines.append("  message    the provider says: \(printable(message.text))")
    }
    if let problem = account.problem {
      lines.append("  problem    \(printable(problem.description))")
    }
    if let remedy = remedy(account) { lines.append("  to do      \(text(remedy))") }
    for sync in account.syncs {
      guard let summary = summary(of: sync.resource, account) else { continue }
      lines.append("  " + HumanText.line(sync.resource.words, summary))
      lines += unreadable(sync)
      if showsRuns { lines += sync.runs.map { "    " + history($0) } }
    }
    if account.isLoginOnly {
      lines.append("  syncs      none of its own; other accounts use its login")
    }
    return lines
  }

  /// The last renewal or sign-in; `nil` if there was none.
  private func tokens(of login: AccountStatus) -> String? {
    guard var tokens = login.lastOutcome?.sentence.text(time) else { return nil }
    if let holder = login.lockHolder { tokens += ", process \(holder) is renewing" }
    if let skew = login.clockSkew.map({ Int(clamping: $0) }), abs(skew) > 5 {
      tokens += ", server's clock \(skew) s ahead"
    }
    return tokens
  }

  /// The step that the user has to take besides signing in; `nil` for none.
  private func remedy(_ account: AccountState) -> Hint? {
    switch account.userAction {
    case .solve(let resource, _)?:
      account.syncs.first { $0.resource == resource }?.runs.first.map {
        HintAccount(account.name, in: configuration).hint(after: $0.record, of: resource)
      }
    case .correctConfiguration(let error)?: error.hint
    case .sync(let resource, _)?:
      Hint(
        "Read the \(resource) with",
        .init(
          ["sync", resource.rawValue]
            + HintAccount(account.name, in: configuration).option))
    case .signIn?, .openSecretStore?, nil: nil
    }
  }

  /// The number of stored records and the last sync; `nil` if the provider does not list them.
  private func summary(of resource: Resource, _ account: AccountState) -> String? {
    guard !account.isLoginOnly, let sync = account.syncs.first(where: { $0.resource == resource })
    else { return nil }
    return sandbox(account)
      + (sync.stored == 0 ? "none" : "\(sync.stored.grouped) excluding deleted")
      + "; " + (sync.runs.first.map(text) ?? "never synced") + lastComplete(sync)
  }

  /// The last complete sync, if the last one is not complete; empty otherwise.
  private func lastComplete(_ sync: SyncState) -> String {
    guard sync.runs.first?.state != .complete, let completeAt = sync.completeAt else { return "" }
    return "; last complete \(time(completeAt))"
  }

  /// The first records that cannot be read, each with its place and the reason.
  private func unreadable(_ sync: SyncState) -> [String] {
    let count = sync.unreadableCount
    guard count > 0 else { return [] }
    let shown = sync.unreadable.prefix(3)
    return ["             \(count.grouped) cannot be read:"]
      + shown.map {
        "             " + printable("\($0.id): \($0.path): \($0.reason)")
          + ", since \(time($0.since))"
      } + (count > shown.count ? ["             and \((count - shown.count).grouped) more"] : [])
  }

  /// The mark of an account whose books are made up, which no line may hide.
  private func sandbox(_ account: AccountState) -> String {
    account.environment == .sandbox ? "sandbox, " : account.isTestData ? "test data, " : ""
  }

  /// The command that ends the need of a sign-in; empty if there is none.
  private func signIn(_ account: AccountState) -> String {
    // The configuration comes first.
    guard account.problem == nil,
      account.login?.state == .signedOut || account.login?.state == .rejected
    else { return "" }
    let command = configuration.signInCommand(account: account.name)
      .adding(account.otherLogin == nil ? [] : ["--replace"])
    let other = account.otherLogin.map {
      "; the stored one is of \(printable($0.server)), to replace it"
    }
    return (other ?? "; sign in with") + ": " + printable(program.text(command).unbroken)
  }

  /// A run in words, such as `complete 2 min ago (14:09)`.
  private func text(of run: SyncState.RecordedRun) -> String {
    let record = run.record
    let at = time(record.endedAt ?? record.startedAt)
    let counts = record.counts
    let records =
      (counts.inserted + counts.updated + counts.unchanged + counts.deleted).grouped
    let after = "after \(records); run again to continue"
    switch run.state {
    case .running: return "running since \(at), \(records) so far"
    case .interrupted: return "interrupted \(at) \(after)"
    case .died: return "died, begun \(at), \(after)"
    case .complete: return "complete \(at)"
    case .partial, .failed: return "\(run.state.rawValue) \(at): \(cause(of: record))"
    }
  }

  /// The cause of a run that is partial or failed, and the time of the next try.
  private func cause(of run: RunRecord) -> String {
    let next = run.retryAt.flatMap { $0.date > now ? ", next try \(time($0))" : nil } ?? ""
    guard let stored = run.errorCode else { return "unknown cause" + next }
    switch run.code {
    case .rateLimited?: return "rate limit" + next
    case .serverBusy?: return "the provider's server was busy" + next
    // The message names the organisations, each with its identifier.
    case .organisationUnclear?: return "an organisation has to be chosen"
    // Whatever holds of the store now has a line of its own.
    case let code? where code.concernsSecretStore: return "the logins could not be read" + next
    default: break
    }
    switch run.ending {
    case .unreadable?: return "some records cannot be read"
    case .duration?: return "--max-duration reached; run again to continue"
    case .limit?: return "--limit reached; run again to continue"
    case .continued?: return "read by several runs; run again to be sure"
    case .rateLimit?, .serverBusy?, nil: return printable(run.cause ?? stored) + next
    }
  }

  /// A run as a line of the history.
  private func history(_ run: SyncState.RecordedRun) -> String {
    let record = run.record
    let counts = [
      (record.counts.inserted, "new"), (record.counts.updated, "changed"),
      (record.counts.deleted, "deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
    let end = record.endedAt.map {
      Duration.microseconds($0.microsecondsSinceEpoch - record.startedAt.microsecondsSinceEpoch)
    }
    let parts: [String?] = [
      time(record.startedAt), run.state.rawValue,
      counts.isEmpty ? "nothing new" : counts.joined(separator: ", "),
      end.map { HumanText.short($0) },
      record.errorCode.map { _ in cause(of: record) },
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
  }

  private func text(_ hint: Hint) -> String { printable(program.text(hint, time: time)) }

  private func time(_ instant: Timestamp) -> String {
    HumanText.instant(instant, from: now, in: zone)
  }
}

extension AccountState {
  /// The title and the provider, such as `shop (Acme Ltd, xero)`.
  fileprivate var heading: String {
    OrganisationNames.title(of: name, organisationName, provider)
  }
}
