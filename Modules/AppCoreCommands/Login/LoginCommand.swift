import AppCore
import ArgumentParser
import Authentication
import Foundation
import Models

struct LoginCommand: CoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to an account.")

  static let examples = [
    "login",
    "login --account firm --organisation 'Acme Ltd'",
    "login --token-stdin < api-key.txt",
  ]

  @OptionGroup var global: GlobalOptions
  @OptionGroup var accountOption: AccountOption

  @OptionGroup var client: ClientOptions

  @Option(
    name: .customLong("scope"),
    help: ArgumentHelp("Request this scope as well; may be repeated.", valueName: "scope"))
  var scopes: [String] = []

  @Flag(help: "Use the client-credentials grant (servers and CI; no browser).")
  var clientCredentials = false

  @Flag(help: "Show a code to enter on another device, for machines without a browser.")
  var device = false

  @Flag(
    help:
      "Read a token or a token endpoint's JSON response from standard input or a hidden prompt."
  )
  var tokenStdin = false

  @Flag(help: "Print the address to visit without opening a browser.")
  var noBrowser = false

  @Flag(
    help:
      "Confirm that the sign-in belongs to the organisation already stored."
  )
  var sameOrganisation = false

  @Option(
    help: ArgumentHelp(
      "Use this organisation, if the login reaches several.", valueName: "name-or-id"))
  var organisation: String?

  @Flag(help: "Replace an earlier login without asking, even one of another server or client.")
  var replace = false

  @Option(
    help: ArgumentHelp("Wait at most this long for the browser; 5m by default.", valueName: "time"),
    transform: Self.duration)
  var timeout: Duration?

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
    let asks = environment.isInputTerminal && !global.noInput
    let token =
      tokenStdin && !asks
      ? String(decoding: try await environment.standardInput(), as: UTF8.self) : nil
    try await CommandContext.run(
      global, account: accountOption.account, in: environment,
      adjusting: adjustment(in: environment)
    ) { context in
      let takesToken = context.core.configuration.takesToken(account: context.account)
      var choices = LoginFlow.Choices(
        method: method(token, asksForToken: asks && takesToken),
        asks: !global.noInput, replaces: replace,
        isSameOrganisation: sameOrganisation, organisation: organisation)
      if let timeout { choices.timeout = timeout }
      _ = try await LoginFlow(context: context, choices: choices).run()
    }
  }

  /// Returns the chosen method.
  ///
  /// - Parameters:
  ///   - token: the token that a script passed; `nil` if the user types it.
  ///   - asksForToken: true if a user without options is asked for a token.
  private func method(_ token: String?, asksForToken: Bool) -> LoginFlow.Method {
    if tokenStdin { return .tokens(token) }
    if clientCredentials { return .clientCredentials }
    if device { return .device }
    return asksForToken && !noBrowser ? .tokens(nil) : .browser(opens: !noBrowser)
  }

  /// Returns a closure that applies the options to the account's configuration.
  ///
  /// A login with a client or provider that the configuration lacks would be refused by the next
  /// command, so the closure refuses it first.
  private func adjustment(
    in environment: CommandEnvironment
  ) -> (inout CoreConfiguration, _ account: String) throws -> Void {
    { configuration, account in
      // The client and its scopes are those of the login.
      let account = configuration.login(of: account)
      var entry =
        configuration.accounts[account]
        ?? AccountConfiguration(provider: configuration.defaultProvider)
      var missing: [String] = []
      if let provider = client.provider, provider != entry.provider {
        entry.provider = provider
        missing.append("provider: \(provider)")
      }
      if let clientID = client.clientID, clientID != entry.clientID {
        missing.append("clientID: \(clientID)")
      }
      if let path = client.secretPath(in: environment), path != entry.clientSecretFile {
        missing.append("clientSecretFile: \(path)")
      }
      configuration.accounts[account] = entry
      if !scopes.isEmpty { configuration.add(scopes: scopes, account: account) }
      // The core names the providers that exist.
      let isKnown = configuration.providerNames.contains(entry.provider)
      guard !missing.isEmpty, isKnown else { return }
      throw ConfigurationError(
        source: environment.loader.filePath(global.config),
        key: "accounts.\(account)",
        problem: "later commands read these values from this file, not from options",
        hint: Hint(
          "First set below accounts.\(account): "
            + missing.map { "'\($0)'" }.joined(separator: " and ") + "."
        ).then(configuration.isFileMissing ? Hint("Or run", ["setup"]) : nil))
    }
  }

  private static func duration(_ text: String) throws -> Duration {
    guard let duration = Duration(configurationText: text) else {
      throw ValidationError("'\(text)' is not a time such as 30s or 5m")
    }
    return duration
  }
}
