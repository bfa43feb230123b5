import AppCore
import ArgumentParser

/// The answers that `appcore setup` otherwise asks for.
struct SetupAnswers: ParsableArguments {
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
    help: ArgumentHelp(
      "Port of the redirect URI; 0 takes a free one at each sign-in (default: \(Self.usualPort)).",
      valueName: "n"))
  var redirectPort: Int?

  @Option(
    help: ArgumentHelp(
      "Use this organisation, if the login reaches several.", valueName: "name-or-id"))
  var organisation: String?

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

  /// The port, as an option or by default.
  var port: Int { redirectPort ?? ConfigurationDraft.usualRedirectPort }

  /// The options that are given.
  var given: [String] {
    [
      ("--provider", provider != nil), ("--client-id", clientID != nil),
      ("--client-secret-file", clientSecretFile != nil), ("--redirect-port", redirectPort != nil),
      ("--organisation", organisation != nil), ("--secret-store", secretStore != nil),
      ("--token-stdin", tokenStdin), ("--device", device), ("--no-browser", noBrowser),
    ].filter(\.1).map(\.0)
  }

  private static let usualPort = ConfigurationDraft.usualRedirectPort

  func validate() throws {
    guard (0...65_535).contains(redirectPort ?? 0) else {
      throw ValidationError("--redirect-port takes a number from 0 to 65535.")
    }
    guard !(tokenStdin && device) else {
      throw ValidationError("--token-stdin and --device exclude each other.")
    }
  }
}
