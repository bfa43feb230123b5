public import ErrorCodes
public import Foundation
import SystemSupport

/// The reason why a file could not be fetched or used, if it is not an error of the session, the
/// database or the download.
public enum DocumentError: Error, Sendable {
  /// The answer is not the file: another content, another length or another hash.
  case notTheFile(reason: String)
  /// The provider has the file no longer.
  case gone
  /// The provider says that it has no such file of this invoice.
  case absent
  /// The login may not read files of this kind; `scope` is what it lacks, in the provider's word.
  case accessDenied(scope: String?)
  /// The server answered with an error that a later attempt may avoid.
  case serverFailed(status: Int)
  /// The server, or its published limit, asks for a retry later.
  case rateLimited(retryAt: Date?)
  /// The provider gives no files, or not of these kinds.
  case unsupported(provider: String, kinds: String)
  /// Another process fetches this account's files.
  case alreadyRunning(account: String)
  /// A file cannot be written or read.
  case unusable(path: String, underlying: any Error)
}

extension DocumentError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .notTheFile: .unreadableData
    case .gone, .absent, .unsupported: .notFound
    case .accessDenied(let scope): scope == nil ? .accessDenied : .insufficientScope
    case .serverFailed(let status): (400...499).contains(status) ? .requestRejected : .serverFailed
    case .rateLimited: .rateLimited
    case .alreadyRunning: .alreadyRunning
    case .unusable(_, let error): SystemErrorText.isFull(error) ? .diskFull : .outputFile
    }
  }

  /// The time that the server names for another try.
  public var retryAt: Date? {
    if case .rateLimited(let retryAt) = self { retryAt } else { nil }
  }

  /// A sentence for the user; it repeats nothing that the server sent.
  public var description: String {
    switch self {
    case .notTheFile(let reason): "the answer is not the file: \(reason)"
    case .gone: "the provider has the file no longer"
    case .absent: "the provider has no such file of this invoice"
    case .accessDenied(let scope?): "the login lacks the permission \(scope)"
    case .accessDenied: "the provider denied access to the files"
    case .serverFailed(let status): "the provider answered with status \(status)"
    case .rateLimited: "rate limit reached"
    case .unsupported(let provider, let kinds): "\(provider) gives no \(kinds) of invoices"
    case .alreadyRunning(let account):
      "another process fetches the files of account '\(account)'"
    case .unusable(let path, let error):
      "cannot use the file \(path)" + (SystemErrorText.of(error).map { ": \($0)" } ?? "")
    }
  }
}

extension DocumentError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .accessDenied(let scope?): "Sign in again and grant \(scope)."
    case .accessDenied: "Sign in with a user who may read the files."
    case .rateLimited, .serverFailed: "Try again later."
    case .unusable: "Check the folder and its permissions."
    case .alreadyRunning: "Wait for it to end."
    case .notTheFile, .gone, .absent, .unsupported: nil
    }
  }
}
