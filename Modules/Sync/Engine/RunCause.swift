package import Models
package import Networking
public import Storage

/// The cause of a failed run, as it is stored for the user.
///
/// Only errors of appcore's own modules are stored in words: the text of any other may hold
/// anything.
package struct RunCause: Sendable, Equatable {
  /// A stable code, such as `access-denied`.
  package let code: String
  /// A sentence without secrets.
  package let text: String
  /// The time from which another try is allowed.
  package var retryAt: Timestamp?

  /// Creates a cause.
  package init(code: String, text: String) {
    self.code = code
    self.text = text
  }

  init(_ error: any Error, _ signIn: SignInSource) {
    switch error {
    case let error as SyncError:
      self.init(code: error.code, text: error.description + Self.words(of: error))
      retryAt = error.postponement?.retryAt
    case let error as SessionError:
      self.init(code: error.code, text: error.description + Self.words(of: error))
    case let error as StorageError: self.init(code: error.code, text: "\(error)")
    case is CursorExpired: self.init(ResourceSync.listNotFound, signIn)
    default:
      self = signIn.cause(error) ?? RunCause(code: "unclassified", text: "\(type(of: error))")
    }
  }
}

extension RunCause {
  /// Returns the server's words for an error, to be added to its text.
  package static func words(of error: any ProviderMessageCarrying) -> String {
    error.providerMessage.map { "; the provider says: \($0)" } ?? ""
  }
}

extension SyncError {
  fileprivate var code: String {
    switch self {
    case .unreadable: "unreadable-data"
    case .credentialsRejected: "credentials-rejected"
    case .accessDenied: "access-denied"
    case .unknownAddress: "unknown-address"
    case .serverFailed(let status, _) where Self.isRejection(status): "request-rejected"
    case .serverFailed: "server-failed"
    case .rateLimited: "rate-limit"
    case .serverBusy: "server-busy"
    case .organisationUnclear, .organisationMissing: "organisation-unclear"
    case .organisationUnproven: "organisation-unproven"
    case .signInChanged: "sign-in-changed"
    case .massDeletion: "mass-deletion"
    case .alreadyRunning: "already-running"
    case .contradictoryOptions: "contradictory-options"
    }
  }
}

extension SessionError {
  fileprivate var code: String {
    switch self {
    case .untrustedServer: "untrusted-server"
    case .proxyAuthenticationRequired: "proxy-credentials"
    case .malformedResponse, .responseTooLarge, .decompressionRefused, .unexpectedBody:
      "unreadable-data"
    case .credentialsRefused, .redirectRefused, .invalidRequest: "address-refused"
    case .insufficientScope: "insufficient-scope"
    case .rateLimited: "rate-limit"
    case .cancelled: "interrupted"
    case .closed, .bodyNotReplayable: "bug"
    case .connectionFailed, .connectionLost, .timedOut: "server-unavailable"
    }
  }
}

extension StorageError {
  fileprivate var code: String {
    switch self {
    case .busy: "database-busy"
    case .full: "disk-full"
    case .newerSchema: "newer-database"
    case .corrupt: "corrupt-database"
    case .replaced: "database-replaced"
    case .foreign: "foreign-database"
    case .sourceMismatch: "other-organisation"
    case .inaccessible, .failed: "database"
    }
  }
}

extension RunRecord {
  /// True if no later run succeeds before the user has signed in or corrected something.
  public var needsUser: Bool {
    guard result == .failed, let errorCode else { return false }
    return Self.codesForUser.contains(errorCode)
  }

  static let codesForUser: Set = [
    "access-denied", "address-refused", "client-refused", "credentials-rejected",
    "foreign-database", "insufficient-scope", "mass-deletion", "organisation-unclear",
    "organisation-unproven", "other-login", "other-organisation", "proxy-credentials",
    "sign-in-required", "unknown-address", "untrusted-server",
  ]
}
