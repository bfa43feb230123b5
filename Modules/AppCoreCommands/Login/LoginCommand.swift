import AppCore
import ArgumentParser
import Authentication
import Foundation
import Models

/// `appcore login`.
struct LoginCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to an account.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @Option(
    help: ArgumentHelp("The provider.", valueName: "name"), completion: ConfiguredValues.providers)
  var provider: String?

  @Option(
    name: .customLong("client-id"), help: ArgumentHelp("The client identifier.", valueName: "id"))
  var clientID: String?

  @Option(
    help: ArgumentHelp("A file that holds the client secret.", valueName: "file"),
    completion: .file())
  var clientSecretFile: String?

  @Option(
    name: .customLong("scope"),
    help: ArgumentHelp("Request this scope; may be repeated.", valueName: "scope"))
  var scopes: [String] = []

  @Flag(help: "Use the client-credentials grant (servers and CI; no browser).")
  var clientCredentials = false

  @Flag(help: "Show a code to enter on another device, for machines without a browser.")
  var device = false

  @Flag(help: "Read a token, or a token endpoint's JSON response, from standard input.")
  var tokenStdin = false

  @Flag(help: "Print the address to visit without opening a browser.")
  var noBrowser = false

  @Flag(
    help:
      "Confirm that the sign-in belongs to the organisation already stored."
  )
  var sameOrganisation = false

  func validate() throws {
    guard [clientCredentials, device, tokenStdin].count(where: \.self) <= 1 else {
      throw ValidationError(
        "--client-credentials, --device and --token-stdin exclude each other.")
    }
    guard !global.noInput || clientCredentials || tokenStdin else {
      throw ValidationError(
        "--no-input needs --client-credentials or --token-stdin: other methods ask the user.")
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    let method = self
    try await CommandContext.run(
      global, account: accountOption.account, in: environment,
      adjusting: adjustment(in: environment)
    ) { context in
      let status = try await context.core.signIn(
        context.account, with: try await method.signInMethod(context),
        unlocksStore: !method.global.noInput,
        onUnlocking: {
          context.terminal.note(
            "Waiting up to two minutes for the keyring to be unlocked.")
        })
      if method.clientID != nil || method.clientSecretFile != nil {
        context.terminal.note(
          "Every renewal needs this client: set clientID and "
            + "clientSecretFile of accounts.\(context.account) in the configuration as well.")
      }
      try await OrganisationCheck(
        context, isSame: method.sameOrganisation, asks: !method.global.noInput
      )
      .run()
      try await context.terminal.print(
        LoginDocument(account: status.account, scopes: status.scopes, expiresAt: status.expiresAt),
        text: "Signed in as '\(status.account)'.")
    }
  }

  private func signInMethod(_ context: CommandContext) async throws -> SignInMethod {
    if clientCredentials { return .clientCredentials }
    if tokenStdin {
      let text = String(decoding: try await context.environment.standardInput(), as: UTF8.self)
      guard let tokens = TokenSet(pasted: text) else {
        throw ValidationError("Standard input holds no token.")
      }
      return .tokens(tokens)
    }
    let delegate = TerminalSignIn(
      terminal: context.terminal, opensBrowser: !noBrowser && !global.noInput,
      searchPath: context.environment.variables["PATH"])
    return device ? .deviceCode(delegate: delegate) : .authorizationCode(delegate: delegate)
  }

  /// Returns a closure that applies the options to the account's configuration.
  private func adjustment(
    in environment: CommandEnvironment
  ) -> (inout CoreConfiguration, _ account: String) -> Void {
    { configuration, account in
      var entry =
        configuration.accounts[account]
        ?? AccountConfiguration(provider: configuration.defaultProvider)
      if let provider { entry.provider = provider }
      if let clientID { entry.clientID = clientID }
      if let clientSecretFile {
        // A relative path on the command line starts from the user's current folder.
        entry.clientSecretFile =
          clientSecretFile.hasPrefix("/")
          ? clientSecretFile : environment.currentDirectory + "/" + clientSecretFile
      }
      if !scopes.isEmpty { entry.scopes = scopes }
      configuration.accounts[account] = entry
    }
  }
}

private struct LoginDocument: Encodable {
  let schemaVersion = 1
  let account: String
  let scopes: [String]
  let expiresAt: Nullable<Timestamp>

  init(account: String, scopes: [String], expiresAt: Date?) {
    self.account = account
    self.scopes = scopes
    self.expiresAt = Nullable(expiresAt.map { Timestamp($0).truncatedToSecond })
  }
}
