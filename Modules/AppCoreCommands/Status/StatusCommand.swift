import AppCore
import ArgumentParser
import ErrorCodes
import Foundation
import Presentation
import SystemSupport

struct StatusCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show accounts, logins, last syncs, database and keyring.",
    discussion: """
      Exits with 1 if an account needs you: to sign in, to unlock or start the keyring, to correct \
      the configuration, to solve what made a sync fail (access denied, mass deletion, an unclear \
      organisation), or to find out why none was complete for longer than sync.maximumAge. With --notify it shows this as a desktop notification, prints nothing and \
      exits with 0.
      """)

  static let examples = [
    "status", "status --json | jq -r '.accounts[].name'", "status --notify",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountsOption: AccountsOption

  @Option(help: ArgumentHelp("Show the last N runs of each resource.", valueName: "n"))
  var runs: Int?

  @Flag(help: "Show a desktop notification if an account needs you.")
  var notify = false

  func validate() throws {
    if let runs, runs < 1 { throw ValidationError("--runs has to be 1 or more.") }
    if notify, global.json || runs != nil {
      throw ValidationError("--notify prints nothing; leave out --json and --runs.")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    // Without an option, every account is shown.
    let isForAll = accountsOption.names.isEmpty
    try await CommandContext.run(global, accounts: accountsOption, in: environment) { context in
      let names = isForAll ? nil : context.accounts
      if notify { return try await ActionNotification(names, in: context).show() }
      let report = try await StatusReport(
        of: context.core, accounts: names, runs: runs,
        database: try await context.openedDatabase(),
        configuration: global.config ?? environment.variables["APPCORE_CONFIG"]
          ?? Directories(environment: environment.variables).configuration + "/config.yaml")
      // The text is filtered as a whole, so it has no colours.
      let text = StatusText(
        configuration: context.core.configuration, now: environment.time.wall(),
        zone: environment.timeZone,
        style: TableStyle(.never, context.terminal, environment.variables),
        program: context.terminal.program)
      try await context.terminal.print(
        StatusDocument(report), text: text.text(of: report), wraps: true)
      if report.accounts.contains(where: \.state.needsUser) {
        throw CommandEnded(status: .unclassified)
      }
    }
  }
}
