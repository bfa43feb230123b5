import AppCore
import ArgumentParser
import Authentication
import Foundation
import Models
import Providers
import SecureStore
import Synchronization

struct SetupCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Create a configuration, sign in and run the first sync.",
    discussion: """
      Asks for each answer that no option gives. If there is a configuration already, --account NAME \
      adds an account to it, in a file of its own. --sandbox does all of it with made-up invoices, in \
      a folder of its own, and touches no other configuration. With --no-input, setup signs in only \
      with --token-stdin; for the sign-in in a browser, it writes the configuration alone.
      """)

  static let examples = [
    "setup",
    "setup --sandbox              # without an account",
    "setup --account shop         # add an account",
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
    let path = environment.loader.filePath(global.config)
    let isNew = force || !FileManager.default.fileExists(atPath: path)
    let account = accountOption.account ?? "default"
    guard Account.isValid(name: account) else {
      throw ValidationError("--account: \(ConfigurationError.nameExpectation).")
    }
    let providers =
      try await isNew
      ? environment.loader.providers : providersToAdd(to: path, in: environment)
    let dialogue = SetupDialogue(
      environment: environment, terminal: terminal, asks: !global.noInput, providers: providers)
    var plan: SetupDialogue.Plan
    var created: [String] = []
    let saved: SavedAccount
    do {
      // Before any question: nobody types a secret that then cannot be kept.
      let keyFile =
        isNew
        ? try await SetupStore(environment: environment, terminal: terminal, asks: !global.noInput)
          .select(answers.secretStore, beside: path, created: &created) : nil
      plan = try await dialogue.plan(answers, account: account)
      plan.account.draft.keyFile = keyFile
      saved = try await plan.account.save(to: path, replaces: force)
    } catch {
      // No configuration names them, and a key that is left would look like one that opens logins.
      for file in created { try? FileManager.default.removeItem(atPath: file) }
      throw error
    }
    if let key = plan.account.draft.keyFile, created.contains(key) {
      terminal.note("Wrote a new key to \(printable(key)).")
    }
    terminal.note("Wrote \(printable(saved.file)).")
    if isNew { noteSharing(of: path, in: environment, terminal) }
    if let earlier = saved.earlierFile {
      terminal.note("The earlier configuration is now \(printable(earlier)).")
    }
    let option = accountOption.account.map { ["--account", $0] } ?? []
    // The account may name its organisation already.
    let organisation = plan.account.draft.tenantID == nil ? answers.organisation : nil
    guard !global.noInput || plan.login.method.isUnattended else {
      let options: [[String]] = [
        option, organisation.map { ["--organisation", $0] } ?? [],
        answers.device ? ["--device"] : [], answers.noBrowser ? ["--no-browser"] : [],
      ]
      return terminal.note(Hint("Next, sign in", .init(["login"] + options.flatMap(\.self))))
    }
    var login = plan.login
    login.organisation = organisation
    try await SetupRun(
      login: login, asksAgain: !global.noInput && !answers.tokenStdin, syncs: !noSync,
      global: global, account: account
    )
    .run(in: environment)
    let last = isNew ? [] : option
    terminal.note(
      Hint("Next", .init(["invoices", "list"] + last))
        .then("Later, fetch what has changed", .init(["sync", "all"] + last)))
  }

  /// Says that a configuration besides the usual one has its database and its logins too.
  private func noteSharing(
    of path: String, in environment: CommandEnvironment, _ terminal: Terminal
  ) {
    var variables = environment.variables
    variables["APPCORE_CONFIG"] = nil
    let usual = ConfigurationLoader(environment: variables).filePath()
    guard usual != path, FileManager.default.fileExists(atPath: usual),
      environment.variables["APPCORE_DATABASE"] == nil
    else { return }
    terminal.note(
      "This configuration uses the same database and the same store of logins as "
        + "\(printable(usual)), so accounts of one name are one account. To keep them apart, set "
        + "database and secretStore.service in it.")
  }

  /// Checks, before any question, that an account can be added to a configuration that exists, and
  /// returns the providers that it can name: also those that the configuration describes.
  private func providersToAdd(
    to path: String, in environment: CommandEnvironment
  ) async throws -> [any Provider] {
    let setup = ["setup"] + (global.config.map { ["--config", $0] } ?? [])
    var another = Hint.Command(setup + ["--account"])
    another.placeholder = "NAME"
    let adding = another
    guard let name = accountOption.account else {
      throw ConfigurationError(
        source: path, problem: "there is a configuration already",
        hint: Hint("To sign in with it", ["login"]).then("To add an account", adding)
          .then(
            "To begin anew, and keep the file under another name", .init(setup + ["--force"])))
    }
    if answers.secretStore != nil {
      throw ValidationError(
        "--secret-store is for a new configuration; in \(printable(path)), set secretStore.")
    }
    let providers = Mutex<[any Provider]>([])
    try await CommandContext.run(global, in: environment) { context in
      guard context.core.configuration.accounts[name] == nil else {
        throw ConfigurationError(
          source: path, problem: "there is an account '\(name)' already",
          hint: Hint("To sign in with it", ["login", "--account", name])
            .then("To add another one", adding))
      }
      _ = try await context.core.secretStore.checkAvailability()
      providers.withLock { $0 = context.core.configuration.allProviders }
    }
    return providers.withLock { $0 }
  }
}

/// The last steps of a setup, with the new configuration: the sign-in and the first sync.
struct SetupRun: Sendable {
  let login: LoginFlow.Choices
  /// True to ask for another token if the provider refuses the one that was typed.
  var asksAgain = false
  let syncs: Bool
  let global: GlobalOptions
  let account: String

  func run(in environment: CommandEnvironment) async throws {
    let arguments = try SyncArguments.parse([])
    try await CommandContext.run(global, account: account, in: environment) { context in
      do {
        guard try await signIn(in: context), syncs else { return }
      } catch {
        context.terminal.endProgress()
        let command = context.core.configuration.signInCommand(account: account)
        context.terminal.note(Hint("The configuration is complete. To sign in later", command))
        throw error
      }
      context.terminal.note("First sync:")
      try await SyncSequence(context, arguments).run(nil)
      let others = await context.core.accounts(withSourceOf: account)
      guard let other = others.first else { return }
      context.terminal.note(
        Hint(
          "appcore: account '\(other)' reads the same organisation, whose records are stored twice "
            + "now. To remove the new account, first",
          ["logout", "--account", account, "--forget-invoices"]
        ).then("Then", ["organisations", "remove", account]))
    }
  }

  /// Signs in, and asks again for a token that the provider refuses.
  private func signIn(in context: CommandContext) async throws -> Bool {
    var choices = login
    while true {
      do { return try await LoginFlow(context: context, choices: choices).run() } catch let error
        as AuthenticationError
      {
        guard case .signInFailed(_, reason: .tokenRefused(_), _) = error, asksAgain,
          case .tokens = choices.method
        else { throw error }
        let configuration = context.core.configuration
        context.terminal.post(printable(configuration.sentence(for: error)) + ".")
        await context.terminal.flush()
        let name = configuration.tokenName(account: account)
        guard
          let token = try await context.environment.prompts(LoginFlow.tokenQuestion(name), true),
          !token.isEmpty
        else { throw error }
        choices.method = .tokens(token)
      }
    }
  }
}
