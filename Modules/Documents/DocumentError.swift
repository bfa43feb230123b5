public import ErrorCodes
public import Foundation
import Models
import SystemSupport

/// The reason why a file could not be fetched, named or written, if it is not an error of the
/// session, the database or the download.
public enum DocumentError: Error, Sendable {
  /// The answer is not the file: another content, another length or another hash.
  case notTheFile(reason: String)
  /// The provider has the file no longer.
  case gone
  /// The provider says that it has no such file of this invoice.
  case absent
  /// The provider has not rendered the file yet.
  case notReady
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
  /// A pattern of names names a value that does not exist.
  case unknownField(name: String)
  /// A pattern of names cannot be read.
  case pattern(reason: String)
  /// Something else has the name of a file.
  case exists(path: String)
  /// A folder on the way to a file is a link, or no folder.
  case unsafeFolder(path: String)
  /// The folder of objects lacks the object of a file.
  case missingObject(path: String)
  /// The object of a file has another size than the stored row says.
  case wrongSize(path: String, expected: Int, found: Int)
  /// The object of a file has another hash than the stored row says.
  case damagedObject(path: String)
  /// The file in whose place an archive would be written is no archive.
  case noArchive(path: String)
  /// A file or folder cannot be read or written.
  case inaccessible(path: String, underlying: any Error)

  /// Runs file operations, and throws this error for one of the system.
  static func translating<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch {
      guard !(error is DocumentError), !(error is CancellationError) else { throw error }
      throw Self.inaccessible(path: path, underlying: error)
    }
  }
}

extension DocumentError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .notTheFile: .unreadableData
    case .gone, .absent, .unsupported: .notFound
    case .notReady: .serverBusy
    case .accessDenied(let scope): scope == nil ? .accessDenied : .insufficientScope
    case .serverFailed(let status): (400...499).contains(status) ? .requestRejected : .serverFailed
    case .rateLimited: .rateLimited
    case .alreadyRunning: .alreadyRunning
    case .unknownField, .pattern: .usage
    case .missingObject, .wrongSize, .damagedObject: .input
    case .exists, .unsafeFolder, .noArchive: .outputFile
    case .inaccessible(_, let error): SystemErrorText.isFull(error) ? .diskFull : .outputFile
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
    case .notReady: "the provider has not rendered the file yet"
    case .accessDenied(let scope?): "the login lacks the permission \(scope)"
    case .accessDenied: "the provider denied access to the files"
    case .serverFailed(let status): "the provider answered with status \(status)"
    case .rateLimited: "rate limit reached"
    case .unsupported(let provider, let kinds): "\(provider) gives no \(kinds) of invoices"
    case .alreadyRunning(let account):
      "another process fetches the files of account '\(account)'"
    case .unknownField(let name):
      "a name has no field '{\(name.sanitizedForDisplay())}'; available: "
        + DocumentNamePattern.Field.allCases.map(\.rawValue).joined(separator: ", ")
    case .pattern(let reason): "the pattern for names cannot be read: \(reason)"
    case .exists(let path): "\(path) exists already, with other content"
    case .unsafeFolder(let path): "\(path) is no folder, or a link to one"
    case .missingObject(let path): "\(path) is missing"
    case .wrongSize(let path, let expected, let found):
      "\(path) has \(found) bytes instead of \(expected)"
    case .damagedObject(let path): "\(path) is damaged: its SHA-256 differs"
    case .noArchive(let path): "\(path) exists already, and is no ZIP archive"
    case .inaccessible(let path, let error) where SystemErrorText.isFull(error):
      "there is no room left for \(path)"
    case .inaccessible(let path, let error):
      "\(path) cannot be read or written"
        + ((SystemErrorText.of(error) ?? (error as? StrangersFile)?.description)
          .map { ": \($0)" } ?? "")
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
    case .notReady, .rateLimited, .serverFailed: "Try again later."
    case .alreadyRunning: "Wait for it to end."
    case .unknownField, .pattern: "Correct the pattern."
    case .exists: "Move it, choose another folder, or skip or replace existing files."
    case .noArchive: "Move it, choose another file, or allow the export to replace it."
    case .unsafeFolder: "Remove it, or choose another folder."
    case .missingObject, .wrongSize, .damagedObject:
      "Verify the stored files, and fetch those that are damaged."
    case .inaccessible(_, let error) where SystemErrorText.isFull(error):
      "Free some disk space and try again."
    case .inaccessible: "Check the file, its folder and permissions."
    case .notTheFile, .gone, .absent, .unsupported: nil
    }
  }
}
