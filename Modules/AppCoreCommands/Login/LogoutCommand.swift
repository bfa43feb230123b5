import AppCore
import ArgumentParser
import Authentication
import Presentation

struct LogoutCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Revoke a login and remove it from this machine; invoices stay.")

  static let examples = [
    "logout",
    "logout --account old-shop --forget-invoices",
    "logout --account acme-ltd --unused",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Flag(help: "Sign out of every account.")
  var all = false

  @Flag(
    help: """
      Delete the account's invoices and contacts from this machine too; with --all, also those of \
      accounts that are not configured any more, unless another configuration file is named that \
      uses the usual database.
      """)
  var forgetInvoices = false

  @Flag(help: "Remove even a login of another server or client, without revoking it.")
  var force = false

  @Flag(help: "Remove only a login that a shared one replaced, without revoking it.")
  var unused = false

  func validate() throws {
    if unused, all || forgetInvoices || force {
      throw ValidationError("--unused cannot be combined with --all, --forget-invoices or --force.")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    if all, accountOption.account != nil {
      throw ValidationError("--all and --account exclude each other.")
    }
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      guard !unused else {
        let account = context.account
        let isRemoved = try await context.core.removeUnusedLogin(account: account)
        return try await context.terminal.print(
          LogoutDocument([.init(account: account, unusedRemoved: isRemoved)]),
          text: Self.text(ofUnused: account, isRemoved: isRemoved))
      }
      if !global.noInput, !all, !(try await mayEnd(context)) { return }
      try await signOut(in: context)
    }
  }

  /// Asks the user at a terminal if the login that other accounts use may end.
  private func mayEnd(_ context: CommandContext) async throws -> Bool {
    let (core, account) = (context.core, context.account)
    let others = core.configuration.accounts(usingLoginOf: account).filter { $0 != account }
    guard context.environment.isInputTerminal, !others.isEmpty,
      (try? await core.authenticator.storedLogin(of: core.configuration.login(of: account))) != nil
    else { return true }
    let names = HumanText.some(others.map { "'\($0)'" })
    await context.terminal.flush()
    let answer = try await context.environment.asks(
      "This ends the login of \(names) too. Continue? [y/N] ")
    if answer == false { context.terminal.note("Kept the login.") }
    return answer ?? true
  }

  /// Signs out of an account or of all, and reports what was done even if something failed.
  private func signOut(in context: CommandContext) async throws {
    let (core, account) = (context.core, context.account)
    let outcome = try await context.waiting(
      all ? "Signing out of every account…" : "Signing out of '\(account)'…"
    ) { ticker in
      let delegate = TerminalSignIn(terminal: context.terminal, ticker: ticker)
      return all
        ? try await core.signOutOfAllAccounts(
          removesOtherLogins: force, forgetsRecords: forgetInvoices,
          forgetsRemovedAccounts: forgetInvoices && context.ownsDatabase(global),
          delegate: { _ in delegate })
        : try await core.signOut(
          account, removesOtherLogin: force, forgetsRecords: forgetInvoices, delegate: delegate)
    }
    if outcome.failures.isEmpty || !outcome.logins.isEmpty || !outcome.unusedLogins.isEmpty
      || !outcome.forgottenAccounts.isEmpty
    {
      let forgetsRecords =
        !outcome.forgottenAccounts.isEmpty || outcome.logins.contains(where: \.areRecordsForgotten)
      let texts =
        outcome.logins.map { $0.text(isForAll: all) }
        + outcome.unusedLogins.map { Self.text(ofUnused: $0, isRemoved: true) }
        + outcome.forgottenAccounts.map {
          "The records of '\(printable($0))', which is not configured any more, are deleted too."
        } + (forgetsRecords ? context.keptFilesTexts : [])
      try await context.terminal.print(
        LogoutDocument(outcome), text: texts.joined(separator: "\n"))
    }
    // The failure of the only account need not name it.
    if !all, let failed = outcome.failures.first { throw failed.error }
    if let failures = outcome.failures(in: core.configuration) { throw failures }
  }

  private static func text(ofUnused account: String, isRemoved: Bool) -> String {
    isRemoved
      ? "Removed the unused login of '\(account)' from this machine."
      : "'\(account)' has no unused login."
  }
}

extension EndedLogin {
  /// - Parameter isForAll: true if this also deletes the records of the accounts in `sharedBy`.
  fileprivate func text(isForAll: Bool) -> String {
    let others = HumanText.some(sharedBy.map { "'\($0)'" })
    let owners = sharedBy.isEmpty || !isForAll ? "" : " and those of \(others)"
    return signOutText
      + (sharedBy.isEmpty || !report.wasSignedIn ? "" : " This ends the login of \(others) too.")
      + (areRecordsForgotten ? " Its invoices\(owners) are deleted from this machine." : "")
  }

  private var signOutText: String {
    guard report.wasSignedIn else { return "'\(account)' was not signed in." }
    return report.isRevoked
      ? "Signed out of '\(account)'."
      : "Signed out of '\(account)' on this machine. The provider did not confirm it: "
        + "its tokens or key stay valid until they expire, or until you revoke them there."
  }
}
