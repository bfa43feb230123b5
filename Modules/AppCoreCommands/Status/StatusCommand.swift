import AppCore
import ArgumentParser
import Authentication
import Foundation
import Models
import SecureStore
import Storage
import SystemSupport

/// `appcore status`.
struct StatusCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show accounts, logins, last syncs, database and keyring.",
    discussion: """
      Exits with 1 if an account needs you: to sign in, or to correct the configuration.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Option(help: ArgumentHelp("Show the last N runs of each resource.", valueName: "n"))
  var runs: Int?

  func validate() throws {
    if let runs, runs < 1 { throw ValidationError("--runs has to be 1 or more.") }
  }

  func run(in environment: CommandEnvironment) async throws {
    let (account, runs, path) = (accountOption.account, runs, global.config)
    try await CommandContext.run(global, account: account, in: environment) { context in
      let core = context.core
      let keyring = await Self.keyring(core)
      let database = try await context.openedDatabase()
      let names = account.map { [$0] } ?? core.configuration.accounts.keys.sorted()
      var accounts: [StatusDocument.Account] = []
      var needsUser = false
      for name in names {
        let state = try await core.state(ofAccount: name, runs: runs ?? 1)
        needsUser = needsUser || state.needsUser
        accounts.append(
          StatusDocument.Account(
            state, invoices: try await database?.invoiceCount(account: name) ?? 0,
            showsRuns: runs != nil))
      }
      let document = StatusDocument(
        accounts: accounts, database: core.databasePath, databaseExists: database != nil,
        keyring: keyring,
        configuration: path ?? environment.variables["APPCORE_CONFIG"]
          ?? Directories(environment: environment.variables).configuration + "/config.yaml")
      let text = StatusText(now: environment.time.wall(), zone: environment.timeZone)
      try await context.terminal.print(document, text: text.text(of: document))
      if needsUser { throw CommandEnded(status: .unclassified) }
    }
  }

  private static func keyring(_ core: ApplicationCore) async -> String {
    do {
      return "\(try await core.secretStore.checkAvailability())"
    } catch {
      return "not available: \(error)"
    }
  }
}
