import AppCore
import ArgumentParser
import Foundation
import Models
import Providers

struct SetupCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Create a configuration, sign in and run the first sync.",
    discussion: """
      Asks for each answer that no option gives. --sandbox does all of it with made-up invoices, in \
      a folder of its own, and touches no other configuration. With --no-input, setup signs in only \
      with --token-stdin; otherwise it writes the configuration.
      """)

  static let examples = [
    "setup",
    "setup --sandbox              # without an account",
    "setup --provider xero --client-id ID --no-input",
  ]

  @OptionGroup var answers: SetupAnswers

  @Flag(help: "Try it with made-up invoices from a server on this machine.")
  var sandbox = false

  @Flag(help: "Replace a configuration that exists, and keep it under another name.")
  var force = false

  @Flag(help: "Skip the first sync.")
  var noSync = false

  @OptionGroup var accountOption: AccountOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if global.json {
      throw ValidationError("setup has no --json; use appcore login and appcore sync instead.")
    }
    if sandbox, global.config != nil {
      throw ValidationError("--sandbox has a configuration of its own, so it excludes --config.")
    }
    let others = [
      ("--force", force), ("--no-sync", noSync), ("--account", accountOption.account != nil),
    ]
    if sandbox, let given = answers.given.first ?? others.first(where: \.1)?.0 {
      throw ValidationError("--sandbox gives every answer itself, so it excludes \(given).")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    guard !sandbox else {
      return try await SandboxSetup(global: global, environment: environment).run()
    }
    let terminal = environment.terminal.with(global)
    let loader = environment.loader
    let path = loader.filePath(global.config)
    let account = accountOption.account ?? "default"
    if !force, FileManager.default.fileExists(atPath: path) {
      throw existing(path, account, loader.providers)
    }
    let dialogue = SetupDialogue(
      environment: environment, terminal: terminal, asks: !global.noInput)
    var plan = try await dialogue.plan(answers, account: account, path: path)
    var created: [String] = []
    let earlier: String?
    do {
      try await SetupStore(environment: environment, terminal: terminal, asks: !global.noInput)
        .select(answers.secretStore, for: &plan.draft, beside: path, created: &created)
      earlier = force ? try ConfigurationDraft.keepCopy(of: path) : nil
      if let earlier { created.append(earlier) }
      try plan.write(to: path, replaces: force, created: &created)
    } catch {
      // No configuration names them, and a key that is left would look like one that opens logins.
      for file in created { try? FileManager.default.removeItem(atPath: file) }
      throw error
    }
    if let key = plan.draft.keyFile, created.contains(key) {
      terminal.note("Wrote a new key to \(printable(key)).")
    }
    terminal.note("Wrote \(printable(path)).")
    if let earlier { terminal.note("The earlier configuration is now \(printable(earlier)).") }
    guard !global.noInput || plan.login.method.isUnattended else {
      let options: [[String]] = [
        accountOption.account.map { ["--account", $0] } ?? [],
        answers.organisation.map { ["--organisation", $0] } ?? [],
        answers.device ? ["--device"] : [], answers.noBrowser ? ["--no-browser"] : [],
      ]
      return terminal.note(Hint("Next, sign in", .init(["login"] + options.flatMap(\.self))))
    }
    var login = plan.login
    login.organisation = answers.organisation
    try await SetupRun(login: login, syncs: !noSync, global: global, account: account)
      .run(in: environment)
    terminal.note(
      Hint("Next", ["invoices", "list"]).then("Later, fetch what has changed", ["sync", "all"]))
  }

  /// Returns the error for a configuration that exists, with the lines to add by hand.
  private func existing(
    _ path: String, _ account: String, _ providers: [any Provider]
  ) -> ConfigurationError {
    let name = account == "default" ? "NAME" : account
    let provider = answers.client.provider?.lowercased()
    let profile = providers.first { $0.name == provider }?.profile
    let hasClient = answers.client.clientID != nil || profile?.signsInWithBrowser != false
    let values =
      ["provider: \(provider ?? "NAME")"]
      + (hasClient ? ["clientID: \(answers.client.clientID ?? "ID")"] : [])
      + (answers.client.clientSecretFile.map { ["clientSecretFile: \($0)"] } ?? [])
    return ConfigurationError(
      source: path,
      problem: "there is a configuration already",
      hint: Hint("To sign in with it", ["login"])
        .then(
          "To add an account, put this below accounts: \(name): "
            + "{ \(values.joined(separator: ", ")) }; then", ["login", "--account", name]
        )
        .then(
          "To begin anew, and keep the file under another name",
          .init(["setup"] + (global.config.map { ["--config", $0] } ?? []) + ["--force"])))
  }
}

/// The last steps of a setup, with the new configuration: the sign-in and the first sync.
struct SetupRun: Sendable {
  let login: LoginFlow.Choices
  let syncs: Bool
  let global: GlobalOptions
  let account: String

  func run(in environment: CommandEnvironment) async throws {
    let arguments = try SyncArguments.parse([])
    try await CommandContext.run(global, account: account, in: environment) { context in
      do {
        guard try await LoginFlow(context: context, choices: login).run(), syncs else { return }
      } catch {
        let command = context.core.configuration.signInCommand(account: account)
        context.terminal.note(Hint("The configuration is complete. To sign in later", command))
        throw error
      }
      context.terminal.note("First sync:")
      try await SyncSequence(context, arguments).run(nil)
    }
  }
}
