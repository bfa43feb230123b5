import AppCore
import Authentication
import ErrorCodes
import Foundation
import Models
import Networking
import SecureStore
import Testing

@testable import Presentation
@testable import Storage
@testable import Sync

/// The same failure, as `sync` prints it and as `status` and `doctor` read it from a stored run.
@Suite(.timeLimit(.minutes(10))) struct ErrorAgreementTests {
  private static let configuration: CoreConfiguration = {
    var configuration = CoreConfiguration()
    configuration.accounts["default"] = AccountConfiguration(provider: "xero")
    configuration.accounts["shop"] = AccountConfiguration(provider: "square")
    return configuration
  }()

  private static let untrusted = SessionError.untrustedServer(
    origin: nil, underlying: CancellationError())

  private static let errors: [any Error] = [
    SyncError.credentialsRejected(), SyncError.accessDenied(status: 403),
    SyncError.unknownAddress(path: "/a", key: "the addresses of providers.square"),
    SyncError.rateLimited(retryAt: nil), SyncError.serverFailed(status: 500),
    SyncError.serverFailed(status: 404), SyncError.signInChanged(account: "a"),
    SyncError.organisationUnclear(available: ["A", "B"]), SyncError.alreadyRunning(account: "a"),
    SyncError.organisationUnproven(account: "shop", holding: "1 invoice"),
    SyncError.massDeletion(records: 2, of: 3),
    SessionError.invalidRequest(reason: "r"), SessionError.closed(session: "s"),
    SessionError.connectionFailed(origin: nil, underlying: CancellationError()),
    SessionError.redirectRefused(reason: "ftp", from: nil, to: nil),
    SessionError.rateLimited(retryAfter: .seconds(1)), untrusted,
    SessionError.proxyAuthenticationRequired,
    SessionError.insufficientScope(needed: nil, origin: nil),
    StorageError.foreign(path: "/x"), StorageError.newerSchema(path: "/x"),
    StorageError.sourceMismatch(account: "shop", holding: "1", stored: "x", offered: "y"),
    StorageError.sharedIdentifier("17", list: .bills, other: .invoices),
    StorageError.busy(path: "/x"), StorageError.full(path: "/x"),
    SecretStoreError.undecipherable(path: "/k"),
    AuthenticationError.signInRequired(account: "shop", reason: .rejected),
    AuthenticationError.signInRequired(account: "shop", reason: .otherServer),
    AuthenticationError.misconfigured(account: "shop", reason: "access_denied"),
    AuthenticationError.temporarilyUnavailable(
      account: "shop", retryAt: nil, underlying: untrusted),
    AuthenticationError.temporarilyUnavailable(
      account: "shop", retryAt: nil, underlying: SessionError.proxyAuthenticationRequired),
    AuthenticationError.secretStoreUnavailable(account: "shop", underlying: .locked),
    ConfigurationError(source: "s", problem: "p"), CursorExpired(), CoreError.closed,
  ]

  private static func run(failedWith code: String?) -> RunRecord {
    RunRecord(
      result: .failed, provider: "square", startedAt: Timestamp(microsecondsSinceEpoch: 0),
      endedAt: nil, counts: ChangeCounts(), pages: 0, errorCode: code, cause: nil, retryAt: nil,
      watermarkBefore: nil, watermarkAfter: nil)
  }

  @Test("a failed run is recorded with the code of its failure")
  func codes() {
    for error in Self.errors where !(error is CursorExpired) {
      let failure = Failure(error, in: Self.configuration)
      #expect(RunCause(error).code == failure.code, "\(error)")
    }
    #expect(RunCause(CursorExpired()).code == .accessDenied)
    #expect(RunCause(CocoaError(.fileNoSuchFile)).code == .unclassified)
  }

  @Test("status and doctor give the advice of the sync that failed, and name the user like it")
  func advice() {
    let account = HintAccount("shop", in: Self.configuration)
    for error in Self.errors {
      let run = Self.run(failedWith: RunCause(error).code.rawValue)
      let failure = Failure(error, in: Self.configuration, account: "shop")
      #expect(run.needsUser == failure.code.needsUser, "\(error)")
      #expect(!run.needsUser || !failure.isRetryable, "\(error)")
      guard run.needsUser, !(error is SecretStoreError), !(error is ConfigurationError) else {
        continue
      }
      #expect(account.hint(after: run, of: .invoices) == failure.advice, "\(error)")
    }
  }

  @Test("each code that a run can need the user for has advice of its own")
  func ownAdvice() {
    let account = HintAccount("shop", in: Self.configuration)
    for code in ErrorCode.allCases
    where code.needsUser && code != .noOrganisations {
      let hint = account.hint(after: Self.run(failedWith: code.rawValue), of: .invoices).text()
      #expect(!hint.hasPrefix("Run it again: "), "\(code): \(hint)")
    }
    let key = account.hint(after: Self.run(failedWith: "access-denied"), of: .invoices).text()
    #expect(key.hasPrefix("Allow the ") && key.hasSuffix("--account shop --token-stdin"))
  }

  @Test("a run whose code this version does not know is read, and can be run again")
  func unknownCode() {
    for code in ["from-a-later-version", nil] {
      let run = Self.run(failedWith: code)
      #expect(run.code == nil && !run.needsUser && run.errorCode == code)
      #expect(
        HintAccount("shop", in: Self.configuration).hint(after: run, of: .contacts).text()
          == "Run it again: appcore sync contacts --account shop")
    }
    #expect(RunRecord.present("rate-limit") == "rate-limited")
    #expect(RunRecord.present("duration") == "duration")
  }

  @Test("a failure is worth a retry by its exit code, unless the user has to act first")
  func retries() {
    for code in ErrorCode.allCases {
      let isOfRetry = [.unavailable, .tryAgainLater].contains(code.exitStatus)
      #expect(Failure(code, "m").isRetryable == (isOfRetry && !code.needsUser), "\(code)")
      #expect(
        code.needsUser || ![.signInRequired, .configuration].contains(code.exitStatus), "\(code)")
    }
  }
}
