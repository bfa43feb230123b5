import AppCore
import ArgumentParser
import Authentication
import Providers

struct SetupAnswers: ParsableArguments {
  enum Environment: String, ExpressibleByArgument, CaseIterable {
    case production, sandbox
  }

  enum RedirectHost: String, ExpressibleByArgument, CaseIterable {
    case address = "127.0.0.1"
    case localhost
  }

  @OptionGroup var client: ClientOptions

  @Option(
    help: ArgumentHelp(
      "Use the provider's servers with real books (default), or its sandbox.", valueName: "kind"))
  var environment: Environment?

  @Option(
    name: .customLong("redirect-uri"),
    help: ArgumentHelp(
      "End the sign-in on this https page, and paste its address.", valueName: "address"))
  var redirectURI: String?

  @Option(
    help: ArgumentHelp("Host of the redirect URI on this machine.", valueName: "host"))
  var redirectHost: RedirectHost?

  @Option(
    help: ArgumentHelp(
      "Port of the redirect URI; 0 takes a free one at each sign-in (default: \(Self.usualPort)).",
      valueName: "n"))
  var redirectPort: Int?

  @Option(
    help: ArgumentHelp(
      "Use this organisation, if the login reaches several, or the provider asks for one.",
      valueName: "name-or-id"))
  var organisation: String?

  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp(
      "Address of the API, for a provider that has another one for each customer.",
      valueName: "address"))
  var baseURL: String?

  @Option(
    help: ArgumentHelp(
      "Keep the login in the keyring (default), or in an encrypted file with a new key.",
      valueName: "kind"))
  var secretStore: SetupStore.Kind?

  @Flag(help: "Read a token from standard input instead of signing in.")
  var tokenStdin = false

  @Flag(help: "Sign in with a code on another device.")
  var device = false

  @Flag(help: "Print the address to visit without opening a browser.")
  var noBrowser = false

  var servers: ProviderEnvironment { environment == .sandbox ? .sandbox : .production }

  /// The host of the redirect URI, if an option names it.
  var host: OAuthClient.LoopbackHost? {
    redirectHost.map { $0 == .localhost ? .localhost : .address }
  }

  var port: Int { redirectPort ?? ConfigurationDraft.usualRedirectPort }

  var given: [String] {
    [
      ("--provider", client.provider != nil), ("--client-id", client.clientID != nil),
      ("--client-secret-file", client.clientSecretFile != nil),
      ("--environment", environment != nil), ("--base-url", baseURL != nil),
      ("--redirect-uri", redirectURI != nil), ("--redirect-host", redirectHost != nil),
      ("--redirect-port", redirectPort != nil),
      ("--organisation", organisation != nil), ("--secret-store", secretStore != nil),
      ("--token-stdin", tokenStdin), ("--device", device), ("--no-browser", noBrowser),
    ].filter(\.1).map(\.0)
  }

  private static let usualPort = ConfigurationDraft.usualRedirectPort

  func validate() throws {
    guard (0...65_535).contains(redirectPort ?? 0) else {
      throw ValidationError("--redirect-port takes a number from 0 to 65535.")
    }
    guard redirectURI == nil || redirectHost == nil && redirectPort == nil else {
      throw ValidationError("--redirect-uri excludes --redirect-host and --redirect-port.")
    }
    if let problem = baseURL.flatMap(ConfigurationDraft.problem(ofAddress:)) {
      throw ValidationError("--base-url: \(problem).")
    }
    if let problem = redirectURI.flatMap(ConfigurationDraft.problem(ofRedirectURI:)) {
      throw ValidationError("--redirect-uri: \(problem).")
    }
    guard !(tokenStdin && device) else {
      throw ValidationError("--token-stdin and --device exclude each other.")
    }
  }
}
