import Authentication
import Foundation
import Models
import Networking
import Providers
import Sandbox
import SecureStore
import Storage
import Sync
import TestSupport
import Testing

@testable import AppCore

/// Providers that a front end passes.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct OwnProviderTests {
  /// A service whose addresses can be replaced.
  private struct CopyProvider: Provider {
    var name = "copy"
    let profile = ProviderProfile(
      title: "Copy & Co", records: "invoices", reads: "what changed",
      baseURL: "https://copy.example", authorizationURL: "https://copy.example/authorize",
      tokenURL: "https://copy.example/token")

    func lists(in context: ProviderContext) -> [ProviderList] {
      [.invoices(XeroFeed(XeroInvoices.self, baseURL: context.baseURL))]
    }
  }

  private func load(_ yaml: String, _ providers: [any Provider]) throws -> CoreConfiguration {
    try CoreConfiguration(yaml: yaml, providers: providers)
  }

  @Test("an account of a front end's provider signs in and syncs like any other")
  func sync() async throws {
    var sandbox = SandboxConfiguration()
    sandbox.source = .generated(invoices: 30, seed: 1)
    let server = try await SandboxServer.untilEnd(sandbox)
    let folder = try TemporaryDirectory()
    let secret = try folder.write(server.machineClientSecret, to: "secret")
    let yaml = """
      database: \(folder.file("data.sqlite"))
      providers: { copy: { baseURL: "\(server.url)", tokenURL: "\(server.url)/connect/token" } }
      accounts:
        default: { provider: copy, clientID: \(server.machineClientID), clientSecretFile: \(secret) }
      """
    let core = try ApplicationCore(load(yaml, [CopyProvider()]), in: folder)
    _ = try await core.authenticator.signIn("default", with: .clientCredentials)
    #expect(try core.resources(account: "default") == [.invoices])
    let report = try await core.sync(.invoices, account: "default").run()
    #expect(report.counts.inserted == 30 && report.result == .complete)
  }

  /// A service that issues tokens on a page of its own.
  private struct TokenProvider: Provider {
    let name = "tokens"
    var profile: ProviderProfile {
      var profile = ProviderProfile(
        title: "Tokens Ltd", records: "invoices, receipts", reads: "everything",
        baseURL: "https://tokens.example", tokenName: "entry pass")
      profile.registrationURL = "https://tokens.example/passes"
      return profile
    }

    func lists(in context: ProviderContext) -> [ProviderList] {
      [.invoices(XeroFeed(XeroInvoices.self, baseURL: context.baseURL))]
    }
  }

  @Test("a provider without a sign-in says so, and accepts tokens")
  func tokens() async throws {
    let yaml = "accounts: { default: { provider: tokens } }"
    let configuration = try load(yaml, [TokenProvider(), CopyProvider()])
    #expect(!configuration.hasSignIn("tokens") && configuration.hasSignIn("copy"))
    let folder = try TemporaryDirectory()
    let core = try ApplicationCore(configuration, in: folder)
    let status = try await core.authenticator.setTokens(
      TokenSet(accessToken: Secret("a")), for: "default")
    #expect(status.state == .valid)

    // This expired token cannot be renewed, and its refresh token is sent to no server.
    let ended = TokenSet(
      accessToken: Secret("b"), refreshToken: Secret("r"),
      expiresAt: Date(timeIntervalSinceNow: -3_600))
    _ = try await core.authenticator.setTokens(ended, for: "default")
    let session = try core.session(for: "invoices", account: "default")
    let url = try #require(URL(string: TokenProvider().profile.baseURL))
    let request = try Request(url: url)
    await #expect {
      try await session.send(request)
    } throws: { error in
      guard case AuthenticationError.signInRequired(_, .notRenewable, _) = error else {
        return false
      }
      return true
    }
  }

  @Test("a front end's provider is offered, named and explained like a built-in one")
  func profile() async throws {
    let providers: [any Provider] = [TokenProvider(), CopyProvider()]
    let offered = ConfigurationLoader(environment: [:], providers: providers).providers
    let coded = offered.filter { !$0.profile.isFromDocumentation }
    #expect(coded.map(\.name).suffix(2) == ["tokens", "copy"])
    #expect(
      Set(offered.map(\.name)) == Set(CoreConfiguration().providerNames + ["tokens", "copy"]))
    let yaml = "accounts: { a: { provider: tokens }, b: { provider: copy } }"
    let configuration = try load(yaml, providers)
    #expect(configuration.allProviders.map(\.profile.title).contains("Tokens Ltd"))
    #expect(configuration.title(ofProvider: "copy") == "Copy & Co")
    #expect(configuration.title(ofProvider: "absent") == "absent")
    #expect(configuration.takesToken(account: "a") && !configuration.takesToken(account: "b"))
    #expect(configuration.tokenName(account: "a") == "entry pass")
    #expect(!configuration.isBuiltIn("copy") && configuration.isBuiltIn("xero"))
    let missing = #expect(throws: ConfigurationError.self) { try configuration.requireClient("b") }
    #expect(missing?.fix?.contains("your app at Copy & Co") == true, "\(missing?.fix ?? "")")
    let error = AuthenticationError.signInRequired(account: "b", reason: .rejected)
    #expect(configuration.sentence(for: error).contains("Copy & Co"))
  }

  @Test("accounts can name a front end's provider only if the front end passes it")
  func unknown() throws {
    let yaml = "accounts: { default: { provider: copy } }"
    #expect(try load(yaml, [CopyProvider()]).accounts["default"]?.provider == "copy")
    expectMistake("unknown provider 'copy'") { try load(yaml, []) }
  }

  @Test(
    "a name that is taken, or that no account can have, is refused", arguments: ["xero", "a b"])
  func names(name: String) {
    #expect(throws: ConfigurationError.self) { _ = try load("", [CopyProvider(name: name)]) }
    #expect(throws: ConfigurationError.self) {
      _ = try load("", [CopyProvider(), CopyProvider()])
    }
    var configuration = CoreConfiguration()
    configuration.providers = [CopyProvider(name: name)]
    #expect(throws: ConfigurationError.self) {
      _ = try ApplicationCore(configuration: configuration, secretStore: InMemorySecretStore())
    }
  }
}
