import AppCore
import Authentication
import Networking
import SecureStore
import Storage
import Sync
import Testing

@testable import AppCoreCommands

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
    #expect(failure.hint == "Sign in with: appcore login --account default")
  }

  @Test("a refused client is reported with the provider, the code and the keys to check")
  func client() {
    let refused = failure(
      AuthenticationError.misconfigured(account: "shop", reason: "invalid_client"))
    #expect(refused.message == "Square rejected the client of account 'shop' (invalid_client)")
    #expect(
      refused.hint
        == "An existing login is kept. Check clientID and clientSecretFile of accounts.shop.")
    let other = failure(AuthenticationError.misconfigured(account: "shop", reason: "its x is y"))
    #expect(other.message == "account 'shop': its x is y")
  }

  @Test("an unknown account is reported with those that there are")
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
    #expect(failure.hint == "An existing login is kept. Check the network and try again.")
  }

  @Test(
    "a status is reported as what it means, and only an outage is worth a retry",
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

  @Test("a missing resource and denied access are told apart")
  func access() {
    #expect(
      failure(SyncError.accessDenied(status: 404)).message
        == "not found at the provider (status 404)")
    #expect(
      failure(SyncError.accessDenied(status: 403)).message
        == "the provider denied access (status 403)")
  }

  @Test(
    "the keyring is named only where it is one",
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
        "dbus-run-session"
      ),
    ])
  func stores(error: SecretStoreError, expected: String, fix: String) {
    let failure = failure(error)
    #expect(failure.message == expected)
    #expect(failure.hint?.contains(fix) == true)
  }

  @Test("cancelled work reports what came of it")
  func cancelled() {
    let signIn = failure(CancelledWork.signIn)
    #expect(signIn.status == .interrupted && signIn.message == "sign-in cancelled")
    let sync = failure(CancelledWork.sync(stored: 2_749, of: "invoices"))
    #expect(sync.message == "interrupted after 2749 invoices")
    #expect(sync.hint == "What was read is stored. Run the same command to continue.")
  }

  @Test("a file that is not a database of appcore is not called one of another program")
  func foreign() {
    let failure = failure(StorageError.foreign(path: "/x.txt"))
    #expect(failure.message == "/x.txt is not a database of appcore")
  }
}
