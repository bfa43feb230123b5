import AppCore
import Authentication
import ErrorCodes
import Foundation
import Models
import Networking
import SecureStore
import Storage
import Sync
import Testing

@testable import AppCoreCommands
@testable import Presentation

/// The words of failures: the cause, then the fix.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
  /// The configuration of two accounts, at Xero and at Square.
  private static let configuration: CoreConfiguration = {
    var configuration = CoreConfiguration()
    configuration.accounts["default"] = AccountConfiguration(provider: "xero")
    configuration.accounts["shop"] = AccountConfiguration(provider: "square")
    return configuration
  }()

  private func failure(_ error: any Error) -> Failure {
    Failure(error, in: Self.configuration)
  }

  @Test("the hint for a stopped server on this machine is to start it, not to check the network")
  func notRunning() throws {
    let local = Origin(try #require(URL(string: "http://127.0.0.1:4321/api")))
    let remote = Origin(try #require(URL(string: "https://api.example.com/")))
    for (origin, hint) in [(local, "serve --port 4321"), (remote, "Check the network")] {
      let error = SessionError.connectionFailed(origin: origin, underlying: CancellationError())
      let direct = Failure(error, in: Self.configuration, account: "default")
      #expect(direct.hint?.contains(hint) == true)
      let renewal = AuthenticationError.temporarilyUnavailable(
        account: "default", retryAt: nil, underlying: error)
      #expect(failure(renewal).hint?.contains(hint) == true)
    }
  }

  @Test("an interruption has the exit code of its signal")
  func signal() throws {
    let failures = Failures(Failure(.interrupted, "interrupted"))
    #expect(failures.json().contains(#""exitCode":130"#))
    #expect(failures.json(interruption: 143).contains(#""exitCode":143"#))
    let other = Failures(Failure(.serverFailed, "m"))
    #expect(other.json(interruption: 143).contains(#""exitCode":69"#))
  }

  @Test(
    "a login that has ended is reported with the provider and the cause, and without a code",
    arguments: [
      (
        AuthenticationError.SignInReason.rejected,
        "Xero no longer accepts the login of account 'default': it expired or was revoked there"
      ),
      (.notSignedIn, "account 'default' is not signed in"),
      (
        .otherServer,
        "the stored login of account 'default' is for another server or client than the "
          + "configuration"
      ),
      (
        .notRenewable,
        "the access token of account 'default' expired or was rejected, and it cannot be renewed"
      ),
      (
        .refusedWithoutReason,
        "Xero refused several times to renew the login of account 'default', without a reason"
      ),
      (
        .interruptedRenewal,
        "a renewal of the login of account 'default' was interrupted, and Xero does not accept "
          + "the old token again"
      ),
      (.unreadable, "the stored login of account 'default' is damaged"),
      (.signedOut, "account 'default' was signed out"),
    ])
  func signInReasons(reason: AuthenticationError.SignInReason, expected: String) {
    let failure = failure(AuthenticationError.signInRequired(account: "default", reason: reason))
    #expect(failure.message == expected && !failure.message.contains("("))
    #expect(failure.status == .signInRequired)
    let isOther = reason == .otherServer
    #expect(
      failure.hint
        == (isOther ? "Use another account name, or replace the login: " : "Sign in with: ")
        + "appcore login --account default" + (isOther ? " --replace" : ""))
    #expect(failure.code == (isOther ? .otherLogin : .signInRequired))
  }

  @Test("a refused client is reported with the provider, the code and the keys to check")
  func client() {
    let refused = failure(
      AuthenticationError.misconfigured(account: "shop", reason: "invalid_client"))
    #expect(refused.message == "Square rejected the client of account 'shop' (invalid_client)")
    #expect(
      refused.hint
        == "The logins are unchanged. Check clientID, clientSecretFile and clientAuthentication of "
        + "accounts.shop.")
    let other = failure(AuthenticationError.misconfigured(account: "shop", reason: "its x is y"))
    #expect(other.message == "account 'shop': its x is y")
    #expect(other.hint?.contains("issuer") == true)
  }

  @Test("an unknown account is reported with the available ones")
  func unknownAccount() {
    let failure = failure(AuthenticationError.unknownAccount(name: "zz"))
    #expect(failure.message == "unknown account 'zz'; available: default, shop")
    #expect(failure.status == .configuration)
  }

  @Test("without a network, a renewal reports the server and the cause")
  func noNetwork() throws {
    let unreachable = SessionError.timedOut(phase: .connect, origin: nil)
    let failure = failure(
      AuthenticationError.temporarilyUnavailable(
        account: "default", retryAt: nil, underlying: unreachable))
    #expect(failure.message == "account 'default': cannot reach the server (timed out)")
    #expect(failure.hint == "The logins are unchanged. Check the network and try again.")
  }

  @Test(
    "a status is reported by its meaning, and only an outage is worth a retry",
    arguments: [
      (400, "the provider rejected the request (status 400)", false),
      (422, "the provider rejected the request (status 422)", false),
      (408, "the provider's server failed (status 408)", true),
      (503, "the provider's server failed (status 503)", true),
    ])
  func status(status: Int, expected: String, isRetryable: Bool) {
    let failure = failure(SyncError.serverFailed(status: status))
    #expect(failure.message == expected && failure.isRetryable == isRetryable)
  }

  @Test("the provider's words have a line of their own, and a member in JSON, whatever the error")
  func providerWords() {
    let words = ProviderMessage("needs 'account_read'")
    let errors: [any Error] = [
      SyncError.accessDenied(status: 403, message: words),
      SyncError.credentialsRejected(message: words),
      SyncError.serverFailed(status: 400, message: words),
      SessionError.insufficientScope(needed: nil, origin: nil, message: words),
      AuthenticationError.signInRequired(account: "shop", reason: .rejected, message: words),
      AuthenticationError.misconfigured(account: "shop", reason: "x", message: words),
      AuthenticationError.signInFailed(account: "shop", reason: .denied, message: words),
      AuthenticationError.temporarilyUnavailable(
        account: "shop", retryAt: nil,
        underlying: SyncError.serverFailed(status: 400, message: words)),
    ]
    for error in errors {
      let failure = failure(error)
      #expect(Failures(failure).text.contains("\n  The provider says: needs 'account_read'"))
      #expect(
        Failures(failure).json().contains(#""providerMessage":"needs 'account_read'""#))
    }
    let silent = Failures(failure(SyncError.accessDenied(status: 403)))
    #expect(!silent.text.contains("provider says") && !silent.json().contains("providerMessage"))
  }

  @Test("a client that the server refuses has a hint that names how it authenticates")
  func clientAuthentication() {
    for code in ["invalid_client", "unauthorized_client"] {
      let failure = failure(AuthenticationError.misconfigured(account: "shop", reason: code))
      #expect(failure.hint?.contains("clientAuthentication of accounts.shop") == true)
    }
  }

  @Test("a missing resource and denied access are distinguished")
  func access() {
    #expect(
      failure(SyncError.accessDenied(status: 404)).message
        == "not found at the provider (status 404)")
    #expect(
      failure(SyncError.accessDenied(status: 403)).message
        == "the provider denied access (status 403)")
  }

  @Test(
    "a failure names the keyring only if the store is one",
    arguments: [
      (SecretStoreError.locked, "the keyring is locked", "seahorse"),
      (
        .keyExposed(path: "/k"),
        "cannot read the encrypted login file: other users can read its key file /k",
        "Run: chmod 600 /k"
      ),
      (
        .undecipherable(path: "/l"),
        "cannot decrypt the login file /l: it was encrypted with another key", "mv /l /l.old"
      ),
      (
        .unavailable(reason: .noBus), "cannot use the keyring: no D-Bus session",
        "Run this in a desktop session. To keep logins without one: appcore help secret-store"
      ),
    ])
  func stores(error: SecretStoreError, expected: String, fix: String) {
    let failure = failure(error)
    #expect(failure.message == expected)
    #expect(failure.hint?.contains(fix) == true)
  }

  @Test("a failure that resources and accounts have in common is reported once")
  func common() throws {
    let keyring = Failure(.keyringUnavailable, "no keyring", "Start it.")
    func of(_ account: String?, _ resource: String?, _ failure: Failure) -> Failure {
      var failure = failure
      (failure.account, failure.resource) = (account, resource)
      return failure
    }
    let one = Failures([of(nil, "invoices", keyring), of(nil, "contacts", keyring)])
    #expect(one?.text == "appcore: invoices and contacts: no keyring\n  Start it.")
    let other = Failure(.serverFailed, "down")
    let several = Failures([
      of("a", "invoices", keyring), of("a", "contacts", keyring), of("b", "invoices", keyring),
      of("b", "contacts", keyring), of("c", "invoices", keyring), of("c", "contacts", other),
      of("d", nil, keyring),
    ])
    #expect(
      several?.text == """
        appcore: a, b: invoices and contacts: no keyring
          Start it.
        appcore: c: invoices: no keyring
          Start it.
        appcore: c: contacts: down
        appcore: d: no keyring
          Start it.
        """, "\(several?.text ?? "")")
  }

  @Test("a file that is not a database of appcore is not called one of another program")
  func foreign() {
    let failure = failure(StorageError.foreign(path: "/x.txt"))
    #expect(failure.message == "/x.txt is not a database of appcore")
  }
}
