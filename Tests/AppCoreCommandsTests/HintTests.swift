import Authentication
import Foundation
import Models
import Networking
import SecureStore
import Storage
import Testing

@testable import AppCore
@testable import Presentation
@testable import Sync

/// The commands in hints, which name the account that failed.
@Suite(.timeLimit(.minutes(1))) struct HintTests {
  /// The configuration of two accounts, at Xero and at Square.
  private static let configuration: CoreConfiguration = {
    var configuration = CoreConfiguration()
    configuration.accounts["default"] = AccountConfiguration(provider: "xero")
    configuration.accounts["shop"] = AccountConfiguration(provider: "square")
    return configuration
  }()

  @Test("a hint's command is for the account that failed, and short for the default account")
  func hints() {
    let grant = "Sign in again and grant access to the organisation: appcore login"
    let key = Self.configuration.tokenName(account: "shop")
    let allow = "Allow the \(key) to read it at the provider, or pass another: appcore login"
    let cases: [(any Error, hint: String, ofKey: String)] = [
      (
        SyncError.credentialsRejected(), "Sign in again: appcore login",
        "Create a new \(key) at the provider, and pass it: appcore login"
      ),
      (SyncError.accessDenied(status: 403), grant, allow),
      (SyncError.organisationUnclear(available: []), grant, allow),
    ]
    for (error, hint, ofKey) in cases {
      func found(_ account: String) -> String? {
        Failure(error, in: Self.configuration, account: account).hint
      }
      #expect(found("default") == hint)
      #expect(found("shop") == ofKey + " --account shop --token-stdin")
    }
    let deletion = SyncError.massDeletion(records: 9, of: 10)
    for (account, option) in [("default", ""), ("shop", " --account shop --token-stdin")] {
      #expect(
        Failure(SecretStoreError.duplicate(count: 2), in: Self.configuration, account: account).hint
          == "Sign in again, which replaces them all: appcore login" + option)
    }
    for (account, option) in [("default", ""), ("shop", " --account shop")] {
      #expect(
        Failure(deletion, in: Self.configuration, account: account).hint
          == "If they were deleted there: appcore sync all --full --allow-mass-deletion" + option)
    }
  }

  @Test("no hint leads back to the command that shows it, doctor")
  func circles() {
    let errors: [any Error] = [
      SyncError.unreadable(part: "a", reason: "b"), SyncError.credentialsRejected(),
      SyncError.accessDenied(status: 403), SyncError.accessDenied(status: 404),
      SyncError.unknownAddress(path: "/a", key: "k"), SyncError.serverFailed(status: 400),
      SyncError.serverFailed(status: 500), SyncError.serverBusy(retryAt: nil),
      SessionError.connectionFailed(origin: nil, underlying: CancellationError()),
      SecretStoreError.failed(code: "x"), SecretStoreError.timedOut(operation: "x"),
      SecretStoreError.locked,
    ]
    for error in errors {
      let hint = Failure(error, in: Self.configuration, account: "shop").hint ?? ""
      #expect(!hint.contains("appcore doctor"), "\(error): \(hint)")
    }
  }

  @Test("a server that does not run is the sandbox only for a provider that the sandbox plays")
  func startHint() throws {
    let origin = try #require(URL(string: "http://127.0.0.1:8080/").flatMap { Origin($0) })
    let error = SessionError.connectionFailed(origin: origin, underlying: CancellationError())
    func hint(_ account: String?) -> String? {
      Failure(error, in: Self.configuration, account: account).hint
    }
    #expect(
      hint("shop") == "No server runs there. Correct providers.square.baseURL, or start the "
        + "sandbox: appcore-sandbox serve --provider square --port 8080")
    #expect(hint(nil)?.contains("sandbox") == false)
  }

  @Test("a mistake in a description leads to the keys of descriptions, or to the one that ships")
  func descriptions() throws {
    let own = try ConfigurationLoader(environment: [:]).load(
      yaml: """
        accounts: { mine: { provider: acme }, theirs: { provider: harvest, tenantID: '1' } }
        providers:
          acme:
            kind: rest
            baseURL: https://api.acme.example
            tokenScheme: basic
            resources:
              invoices:
                path: /invoices
                fields: { id: id, type: { value: invoice }, status: s, currency: c, total: t }
        """, source: "test")
    func hint(_ error: any Error, _ account: String) -> String {
      Failure(error, in: own, account: account).hint ?? ""
    }
    let unreadable = SyncError.unreadable(part: "a", reason: "b")
    #expect(hint(unreadable, "mine").contains("correct what providers.acme says"))
    #expect(hint(unreadable, "mine").contains("rest-provider.yaml"))
    #expect(hint(unreadable, "theirs").contains("copy the description harvest.yaml"))
    let words = SyncError.unreadable(
      part: "a", reason: "b", message: ProviderMessage("Your key has expired"))
    #expect(hint(words, "mine").contains("sign in again; if not, correct what providers.acme says"))
    let shared = StorageError.sharedIdentifier("17", list: .bills, other: .invoices)
    #expect(hint(shared, "mine").contains("rest-provider.yaml"))
    #expect(hint(SyncError.credentialsRejected(), "mine").contains("or USER:PASSWORD if the API"))
    #expect(!hint(SyncError.credentialsRejected(), "theirs").contains("USER:PASSWORD"))
    let origin = try #require(URL(string: "http://127.0.0.1:8080/").flatMap { Origin($0) })
    let refused = SessionError.connectionFailed(origin: origin, underlying: CancellationError())
    #expect(hint(refused, "mine").contains("correct providers.acme.baseURL"))
    #expect(hint(refused, "theirs").contains("correct accounts.theirs.baseURL"))
    #expect(HintAccount.correction(of: "providers.acme.rows").text().contains("rest-provider.yaml"))
    #expect(HintAccount.correction(of: "sync.limit").text().contains("help configuration"))
  }

  @Test("scopes of a sign-in are added to the configured ones, or to the provider's usual ones")
  func scopes() {
    var configuration = Self.configuration
    configuration.accounts["default"]?.scopes = ["a", "b"]
    configuration.add(scopes: ["b", "c"], account: "default")
    #expect(configuration.accounts["default"]?.scopes == ["a", "b", "c"])
    configuration.accounts["default"]?.scopes = nil
    configuration.add(scopes: ["c"], account: "default")
    let usual = configuration.accounts["default"]?.scopes ?? []
    #expect(usual.count > 1 && usual.contains("offline_access") && usual.last == "c")
  }

  @Test("a list that a login may not read is named with the scope or permission that it needs")
  func permissionOfList() {
    var configuration = Self.configuration
    configuration.accounts["pay"] = AccountConfiguration(provider: "stripe")
    func hint(_ account: String, _ resource: Resource = .contacts) -> String? {
      Failure(
        SyncError.accessDenied(status: 403), in: configuration, account: account, of: resource
      )
      .hint
    }
    let start = "The list of contacts needs "
    #expect(
      hint("default") == start + "the scope accounting.contacts.read. Sign in again and grant it: "
        + "appcore login")
    #expect(
      hint("pay") == start + "Read for Customers. Allow it to the API key at the provider, or "
        + "pass another: appcore login --account pay --token-stdin")
    #expect(hint("shop")?.hasPrefix("Allow the access token to read it") == true)
    #expect(hint("default", .invoices)?.hasPrefix("Sign in again and grant access") == true)

    configuration.accounts["default"]?.scopes = ["offline_access", "accounting.invoices.read"]
    configuration.accounts["shop"]?.clientID = "id"
    #expect(
      hint("default") == start + "the scope accounting.contacts.read. Sign in again and request "
        + "it, and for later sign-ins add it to accounts.default.scopes: "
        + "appcore login --scope=accounting.contacts.read")
    #expect(
      hint("shop") == start + "the scope CUSTOMERS_READ. Sign in again and grant it: "
        + "appcore login --account shop")
  }

  @Test("a missing permission is requested at the sign-in, or granted to the token")
  func permission() {
    let error = SessionError.insufficientScope(needed: "a", origin: nil)
    func hint(_ account: String) -> String? {
      Failure(error, in: Self.configuration, account: account).hint
    }
    #expect(
      hint("default") == "Sign in again and request it, and for later sign-ins add it to "
        + "accounts.default.scopes: appcore login --scope=a")
    #expect(hint("shop")?.hasPrefix("Allow the ") == true)
    #expect(hint("shop")?.hasSuffix("appcore login --account shop --token-stdin") == true)
  }

  @Test("an account whose provider takes a token signs in with it, unless a client is configured")
  func token() {
    var configuration = Self.configuration
    #expect(
      configuration.takesToken(account: "shop") && !configuration.takesToken(account: "default"))
    configuration.accounts["shop"]?.clientID = "c"
    #expect(!configuration.takesToken(account: "shop"))
    configuration.accounts["shop"] = AccountConfiguration(provider: "stripe")
    let required = AuthenticationError.signInRequired(account: "shop", reason: .notSignedIn)
    #expect(
      Failure(required, in: configuration).hint
        == "Sign in with: appcore login --account shop --token-stdin")
    let refused = AuthenticationError.signInFailed(
      account: "shop", reason: .tokenRefused(status: 401))
    #expect(
      Failure(refused, in: configuration).hint?.hasSuffix("login --account shop --token-stdin")
        == true)
  }

  @Test("the hint of an account that shares a login signs in to that login")
  func sharedLogin() {
    var configuration = Self.configuration
    for (name, login) in [("one", "shop"), ("two", "shop"), ("three", "default")] {
      var account = AccountConfiguration(provider: login == "shop" ? "square" : "xero")
      (account.login, account.tenantID) = (login, "1")
      configuration.accounts[name] = account
    }
    func hint(_ account: String) -> String? {
      Failure(SyncError.credentialsRejected(), in: configuration, account: account).hint
    }
    #expect(hint("one")?.hasSuffix("appcore login --account shop --token-stdin") == true)
    #expect(hint("one") == hint("two"))
    #expect(hint("three") == "Sign in again: appcore login")
  }

  @Test("the choice of an organisation is a command if the provider lists organisations")
  func organisation() {
    var configuration = Self.configuration
    configuration.accounts["firm"] = AccountConfiguration(provider: "xero")
    configuration.accounts["fixed"] = AccountConfiguration(provider: "xero")
    configuration.accounts["fixed"]?.tenantID = "9"
    func hint(_ account: String?) -> String? {
      let error = SyncError.organisationUnclear(available: ["Acme (11)", "Bolt (22)"])
      return Failure(error, in: configuration, account: account).hint
    }
    let choice = "--organisation 'NAME'. To list all: appcore organisations"
    #expect(hint("default") == "Choose one: appcore login \(choice)")
    #expect(hint("firm") == "Choose one: appcore login --account firm \(choice)")
    for account in ["shop", "fixed"] {
      let key = "accounts.\(account).tenantID"
      #expect(
        hint(account) == "Set \(key) in the configuration to the identifier of one of them.")
    }
    let missing = Failure(
      SyncError.organisationMissing(whereToFind: "x"), in: configuration, account: "shop")
    #expect(missing.hint == "Set accounts.shop.tenantID in the configuration file.")
  }

  @Test("of many organisations an error names the first five and counts the rest")
  func manyOrganisations() {
    let names = (1...40).map { "Book \($0)" }
    let few = SyncError.organisationUnclear(available: Array(names.prefix(5))).description
    #expect(few.hasSuffix("reaches: Book 1, Book 2, Book 3, Book 4, Book 5"))
    #expect(SyncError.organisationUnclear(available: names).description == few + " and 35 more")
  }
}
