import AppCore
import Authentication
import Foundation
import Networking
import SecureStore
import Sync
import Testing

@testable import Documents

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
    let grant = "Sign in again and grant access to the organisation: appcore login{}"
    let cases: [(any Error, hint: String)] = [
      (SyncError.credentialsRejected(), "Sign in again: appcore login{}"),
      (SyncError.accessDenied(status: 403), grant),
      (SyncError.organisationUnclear(available: []), grant),
      (
        SyncError.massDeletion(records: 9, of: 10),
        "If they were deleted there: appcore sync all --full --allow-mass-deletion{}"
      ),
      (
        SecretStoreError.duplicate(count: 2),
        "Remove them all and sign in again: appcore logout{}; appcore login{token}"
      ),
    ]
    for (error, hint) in cases {
      for (account, option) in [("default", ""), ("shop", " --account shop")] {
        let failure = Failure(error, in: Self.configuration, account: account)
        let token = option + (account == "shop" ? " --token-stdin" : "")
        let signIn = hint.replacing("login{}", with: "login" + token)
        let expected = signIn.replacing("{token}", with: token).replacing("{}", with: option)
        #expect(failure.hint == expected)
      }
    }
  }

  @Test("a missing permission is requested at the sign-in, or granted to the token")
  func permission() {
    let error = SessionError.insufficientScope(needed: "a", origin: nil)
    func hint(_ account: String) -> String? {
      Failure(error, in: Self.configuration, account: account).hint
    }
    #expect(hint("default") == "Sign in again and request it: appcore login --scope=a")
    #expect(
      hint("shop") == "Grant it to the token at the provider, or pass another: "
        + "appcore login --account shop --token-stdin")
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
    #expect(hint("one") == "Sign in again: appcore login --account shop --token-stdin")
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
