import AppCore
import ArgumentParser
import Authentication

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

  @Flag(help: "Remove a login of another server or client too; it is not revoked.")
  var force = false

  func run(in environment: CommandEnvironment) async throws {
    if all, accountOption.account != nil {
      throw ValidationError("--all and --account exclude each other.")
    }
    let (isForAll, forgets, forces) = (all, forgetInvoices, force)
    try await CommandContext.run(
      global, account: accountOption.account, in: environment
    ) { context in
      let names = isForAll ? context.core.configuration.accounts.keys.sorted() : [context.account]
      var entries: [LogoutDocument.Entry] = []
      for name in names {
        let report = try await context.core.signOut(
          name, removesOtherLogin: forces, delegate: TerminalSignIn(terminal: context.terminal))
        if forgets { try await context.core.forgetRecords(account: name) }
        entries.append(
          .init(
            account: name, wasSignedIn: report.wasSignedIn, revoked: report.isRevoked,
            forgotten: forgets))
      }
      if isForAll { context.core.forgetSecretStore() }
      try await context.terminal.print(
        LogoutDocument(accounts: entries), text: entries.map(\.text).joined(separator: "\n"))
    }
  }
}

private struct LogoutDocument: Encodable {
  let schemaVersion = 1
  let accounts: [Entry]

  struct Entry: Encodable {
    let account: String
    let wasSignedIn: Bool
    let revoked: Bool
    let forgotten: Bool

    var text: String {
      signOutText + (forgotten ? " Its invoices are deleted from this machine." : "")
    }

    private var signOutText: String {
      guard wasSignedIn else { return "'\(account)' was not signed in." }
      return revoked
        ? "Signed out of '\(account)'."
        : "Signed out of '\(account)' on this machine. The provider did not confirm it: "
          + "the tokens stay valid there until they expire, or until you revoke them."
    }
  }
}
