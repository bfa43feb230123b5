import AppCore
import Authentication
import Networking
import Reports
import SecureStore
import Storage
import Sync

/// An error as it is reported to the user and to scripts.
struct Failure: Equatable {
  let status: ExitStatus
  let code: String
  let message: String
  let hint: String?
  /// The resource whose sync failed or ended early; `nil` if the failure concerns the whole
  /// command.
  var resource: String?
  /// Records that could not be read.
  var records: [RowFailure] = []

  /// True if the same command can succeed later without any correction.
  var isRetryable: Bool { status == .unavailable || status == .tryAgainLater }

  var text: String {
    "appcore: " + (resource.map { "\($0): " } ?? "") + printable(message)
      + (hint.map { "\n  \(printable($0))" } ?? "")
  }

  init(_ status: ExitStatus, _ code: String, _ message: String, _ hint: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// Creates the failure for an error.
  ///
  /// - Parameter configuration: names the accounts and their providers in the message; `nil` if it
  ///   could not be loaded.
  init(_ error: any Error, in configuration: CoreConfiguration? = nil) {
    switch error {
    case let error as ConfigurationError:
      self.init(.configuration, "configuration", error.description, error.fix)
    case let error as AuthenticationError: self.init(error, in: configuration)
    case let error as SyncError: self.init(error)
    case let error as SessionError: self.init(error)
    case let error as StorageError: self.init(error)
    case let error as SecretStoreError: self.init(error)
    case ReportError.full:
      self.init(
        .inputOutput, "disk-full", "\(error)", "Free some disk space and run it again.")
    case is ReportError:
      self.init(.inputOutput, "report", "\(error)", "Check the file, its folder and permissions.")
    case is OutputFailed:
      self.init(
        .inputOutput, "output", "cannot write to standard output",
        "Free some disk space and run it again.")
    case let error as CancelledWork:
      self.init(.interrupted, "interrupted", error.message, error.hint)
    case is CancellationError: self.init(.interrupted, "interrupted", "interrupted")
    default:
      self.init(.unclassified, "unclassified", "unexpected error: \(type(of: error))")
    }
  }
}

/// The error of work that the user cancelled, with what came of it.
struct CancelledWork: Error {
  let message: String
  let hint: String?

  /// A sign-in; the login that existed before, if any, is kept.
  static let signIn = CancelledWork(message: "sign-in cancelled", hint: nil)

  /// A sync that had stored records.
  static func sync(stored count: Int, of resource: String) -> CancelledWork {
    CancelledWork(
      message: "interrupted after \(count) \(resource)",
      hint: "What was read is stored. Run the same command to continue.")
  }
}
