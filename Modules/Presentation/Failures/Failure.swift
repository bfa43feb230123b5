package import AppCore
import Authentication
package import ErrorCodes
package import Models
import Networking
import Storage
package import Sync

/// An error as it is reported to the user and to scripts.
package struct Failure: Hashable, Sendable {
  package let code: ErrorCode
  package let sentence: Sentence
  /// The hint as sentences and commands.
  package var advice: Hint?
  /// The words with which the hint's commands call appcore.
  package var program = "appcore"
  /// The words of the provider's server, if the failure is about one of its answers.
  package var providerMessage: String?
  /// The account that failed; `nil` if the command is about one account only.
  package var account: String?
  /// The resource whose sync failed or ended early; `nil` if the failure concerns the whole
  /// command.
  package var resource: String?
  /// True if the same failure of an earlier run was reported, and only the user can solve it.
  package var isRepeated = false
  /// Records that could not be read.
  package var records: [RowFailure] = []

  package var status: ExitStatus { code.exitStatus }

  package var message: String { sentence.description }

  /// The hint as text.
  package var hint: String? { advice?.text(calling: program) }

  /// True if the same command can succeed later without any correction.
  package var isRetryable: Bool {
    (status == .unavailable || status == .tryAgainLater) && !code.needsUser
  }

  package init(_ code: ErrorCode, _ sentence: Sentence, _ advice: Hint? = nil) {
    self.code = code
    self.sentence = sentence
    self.advice = advice
  }

  /// Creates a failure from a text, in which no instant stands apart.
  @_disfavoredOverload
  package init(_ code: ErrorCode, _ message: String, _ advice: Hint? = nil) {
    self.init(code, Sentence(message), advice)
  }

  /// Creates the failure for an error.
  ///
  /// - Parameters:
  ///   - configuration: names the accounts and their providers in the message; `nil` if it could
  ///     not be loaded.
  ///   - account: the account for the hint, if the error itself names none.
  ///   - resource: the list whose sync failed.
  package init(
    _ error: any Error, in configuration: CoreConfiguration? = nil, account: String? = nil,
    of resource: Resource? = nil
  ) {
    let account = Self.account(of: error) ?? account
    switch error {
    case let error as any FailureConvertible: self = error.failure
    case AuthenticationError.secretStoreUnavailable(_, let underlying):
      self.init(underlying, in: configuration, account: account)
    case let error as any CodedError:
      if let cause = (error as? AuthenticationError)?.correctable {
        self.init(cause, in: configuration, account: account)
      } else {
        self.init(
          error.code, configuration?.sentence(of: error) ?? error.sentence,
          HintAccount(account, in: configuration).hint(for: error, of: resource))
      }
    case is CancellationError: self.init(.interrupted, "interrupted")
    default: self.init(.unclassified, "unexpected error: \(type(of: error))")
    }
    if let error = error as? any ProviderMessageCarrying {
      providerMessage = error.providerMessage?.text
    }
  }

  /// Returns the account that an error names.
  private static func account(of error: any Error) -> String? {
    switch error {
    case let error as AuthenticationError: error.account
    case SyncError.organisationUnproven(let account, _),
      StorageError.sourceMismatch(let account, _, _, _):
      account
    default: nil
    }
  }
}

extension CoreConfiguration {
  /// Returns the sentence about an error, which names the provider or the accounts that exist.
  fileprivate func sentence(of error: any CodedError) -> Sentence {
    guard let error = error as? AuthenticationError else { return error.sentence }
    guard case .unknownAccount = error, !accounts.isEmpty else {
      return Sentence(sentence(for: error))
    }
    return "\(error); available: \(accounts.keys.sorted().joined(separator: ", "))"
  }
}

extension CodedError {
  fileprivate var sentence: Sentence { (self as? SyncError)?.sentence ?? Sentence(description) }
}
