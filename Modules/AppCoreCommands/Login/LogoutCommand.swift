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

  func run(in environment: CommandEnvironment) async throws {
    if all, accountOption.account != nil {
      throw ValidationError("--all and --account exclude each other.")
    }
    let (isForAll, forgets, forces) = (all, forgetInvoices, force)
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      let configuration = context.core.configuration
      var entries: [LogoutDocument.Entry] = []
      for name in isForAll ? configuration.logins : [context.account] {
        let report = try await context.core.signOut(
          name, removesOtherLogin: forces, delegate: TerminalSignIn(terminal: context.terminal))
        let sharing = configuration.accounts(usingLoginOf: name)
        if forgets {
          for account in isForAll ? sharing : [name] {
            try await context.core.forgetRecords(account: account)
          }
        }
        entries.append(
          LogoutDocument.Entry(
            account: name, report, forgotten: forgets, sharedBy: sharing.filter { $0 != name }))
      }
      if isForAll { context.core.forgetSecretStore() }
      try await context.terminal.print(
        LogoutDocument(entries),
        text: entries.map { $0.text(isForAll: isForAll) }.joined(separator: "\n"))
    }
  }
}

extension LogoutDocument.Entry {
  /// - Parameter isForAll: true if this also deletes the records of the accounts in `sharedBy`.
  fileprivate func text(isForAll: Bool) -> String {
    let others = HumanText.some(sharedBy.map { "'\($0)'" })
    let owner = sharedBy.isEmpty || !isForAll ? "Its" : "Their"
    return signOutText
      + (sharedBy.isEmpty || !wasSignedIn ? "" : " This ends the login of \(others) too.")
      + (forgotten ? " \(owner) invoices are deleted from this machine." : "")
  }

  private var signOutText: String {
    guard wasSignedIn else { return "'\(account)' was not signed in." }
    return revoked
      ? "Signed out of '\(account)'."
      : "Signed out of '\(account)' on this machine. The provider did not confirm it: "
        + "the tokens stay valid there until they expire, or until you revoke them."
  }
}
