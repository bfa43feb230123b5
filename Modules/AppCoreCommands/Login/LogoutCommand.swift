import AppCore
import ArgumentParser
import Authentication
import Documents

/// `appcore logout`.
struct LogoutCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Revoke a login and remove it from this machine; invoices stay.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Flag(help: "Sign out of every account.")
  var all = false

  @Flag(help: "Delete the account's invoices and contacts from this machine too.")
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
    let (isForAll, onlyUnused) = (all, unused)
    let (forgets, forces, asks) = (forgetInvoices, force, !global.noInput)
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      guard !onlyUnused else {
        let entry = try await Self.removedUnused(context.account, in: context)
        return try await Self.print(LogoutDocument([entry]), in: context, isForAll: false)
      }
      if asks, !isForAll, !(try await Self.mayEnd(context)) { return }
      try await Self.signOut(isForAll: isForAll, in: context, forgets: forgets, forces: forces)
    }
  }

  private static func print(
    _ document: LogoutDocument, in context: CommandContext, isForAll: Bool
  ) async throws {
    try await context.terminal.print(
      document,
      text: document.accounts.map { $0.text(isForAll: isForAll) }.joined(separator: "\n"))
  }

  /// Asks the user at a terminal if the login that other accounts use may end.
  private static func mayEnd(_ context: CommandContext) async throws -> Bool {
    let (core, account) = (context.core, context.account)
    let others = core.configuration.accounts(usingLoginOf: account).filter { $0 != account }
    guard context.environment.isInputTerminal, !others.isEmpty,
      (try? await core.authenticator.storedLogin(of: core.configuration.login(of: account))) != nil
    else { return true }
    let names = HumanText.some(others.map { "'\($0)'" })
    await context.terminal.console.flush()
    let answer = try await context.environment.asks(
      "This ends the login of \(names) too. Continue? [y/N] ")
    if answer == false { context.terminal.note("Kept the login.") }
    return answer ?? true
  }

  /// Signs out of an account or of all, and reports what was done even if something failed.
  private static func signOut(
    isForAll: Bool, in context: CommandContext, forgets: Bool, forces: Bool
  ) async throws {
    let (core, account) = (context.core, context.account)
    let outcome = try await context.waiting(
      isForAll ? "Signing out of every account…" : "Signing out of '\(account)'…"
    ) { ticker in
      let delegate = TerminalSignIn(terminal: context.terminal, ticker: ticker)
      return isForAll
        ? try await core.signOutOfAllAccounts(
          removesOtherLogins: forces, forgetsRecords: forgets, delegate: { _ in delegate })
        : try await core.signOut(
          account, removesOtherLogin: forces, forgetsRecords: forgets, delegate: delegate)
    }
    let document = LogoutDocument(outcome)
    if outcome.failures.isEmpty || !document.accounts.isEmpty {
      try await print(document, in: context, isForAll: isForAll)
    }
    // The failure of the only account need not name it.
    if !isForAll, let failed = outcome.failures.first { throw failed.error }
    if let failures = outcome.failures(in: core.configuration) { throw failures }
  }

  /// Removes the account's own login, and keeps the one that it shares.
  private static func removedUnused(
    _ account: String, in context: CommandContext
  ) async throws -> LogoutDocument.Entry {
    LogoutDocument.Entry(
      account: account,
      unusedRemoved: try await context.core.removeUnusedLogin(account: account))
  }
}

extension LogoutDocument.Entry {
  /// - Parameter isForAll: true if this also deletes the records of the accounts in `sharedBy`.
  fileprivate func text(isForAll: Bool) -> String {
    if let unusedRemoved {
      return unusedRemoved
        ? "Removed the unused login of '\(account)' from this machine."
        : "'\(account)' has no unused login."
    }
    let others = HumanText.some(sharedBy.map { "'\($0)'" })
    let owners = sharedBy.isEmpty || !isForAll ? "" : " and those of \(others)"
    return signOutText
      + (sharedBy.isEmpty || !wasSignedIn ? "" : " This ends the login of \(others) too.")
      + (forgotten ? " Its invoices\(owners) are deleted from this machine." : "")
  }

  private var signOutText: String {
    guard wasSignedIn else { return "'\(account)' was not signed in." }
    return revoked
      ? "Signed out of '\(account)'."
      : "Signed out of '\(account)' on this machine. The provider did not confirm it: "
        + "its tokens or key stay valid until they expire, or until you revoke them there."
  }
}
