package import AppCore
import Authentication
import Networking
import SecureStore
import Storage
package import Sync

/// An error as it is reported to the user and to scripts.
package struct Failure: Equatable, Sendable {
  package let status: ExitStatus
  package let code: String
  package let message: String
  package var hint: String?
  /// The words of the provider's server, if the failure is about one of its answers.
  package var providerMessage: String?
  /// The account that failed; `nil` if the command is about one account only.
  package var account: String?
  /// The resource whose sync failed or ended early; `nil` if the failure concerns the whole
  /// command.
  package var resource: String?
  /// Records that could not be read.
  package var records: [RowFailure] = []

  /// True if the same command can succeed later without any correction.
  package var isRetryable: Bool { status == .unavailable || status == .tryAgainLater }

  package init(_ status: ExitStatus, _ code: String, _ message: String, _ hint: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// Creates the failure for an error.
  ///
  /// - Parameters:
  ///   - configuration: names the accounts and their providers in the message; `nil` if it could
  ///     not be loaded.
  ///   - account: the account for the hint, if the error itself names none.
  package init(
    _ error: any Error, in configuration: CoreConfiguration? = nil, account: String? = nil
  ) {
    let account = HintAccount(account, in: configuration)
    switch error {
    case let error as ConfigurationError:
      self.init(.configuration, "configuration", error.description, error.fix)
    case let error as AuthenticationError: self.init(error, in: configuration)
    case let error as SyncError: self.init(error, account)
    case let error as SessionError: self.init(error, account)
    case let error as StorageError: self.init(error)
    case let error as SecretStoreError: self.init(error, account, in: configuration)
    case let error as any FailureConvertible: self = error.failure
    case let error as CoreError: self.init(.bug, "core-closed", error.description)
    case is CancellationError: self.init(.interrupted, "interrupted", "interrupted")
    default:
      self.init(.unclassified, "unclassified", "unexpected error: \(type(of: error))")
    }
    if let error = error as? any ProviderMessageCarrying {
      providerMessage = error.providerMessage?.text
    }
  }
}
