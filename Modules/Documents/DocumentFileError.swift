public import ErrorCodes
public import Foundation
import Models
import SystemSupport

/// An error of naming files, and of writing them where the user wants them.
public enum DocumentFileError: Error, Sendable {
  /// A pattern names a value that does not exist.
  case unknownField(name: String)
  /// A pattern cannot be read.
  case pattern(reason: String)
  /// Something else has the name of a file.
  case exists(path: String)
  /// A folder on the way to a file is a link, or no folder.
  case unsafeFolder(path: String)
  /// The folder of objects lacks the object of a file.
  case missingObject(path: String)
  /// The object of a file has another size than the stored row says.
  case wrongSize(path: String, expected: Int, found: Int)
  /// No room is left on the disk.
  case full(path: String)
  /// A file or folder cannot be read or written.
  case inaccessible(path: String, underlying: any Error)

  /// Runs file operations, and throws this error for one of the system.
  static func translating<Value>(
    _ path: String, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch let error as DocumentFileError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw SystemErrorText.isFull(error)
        ? Self.full(path: path) : .inaccessible(path: path, underlying: error)
    }
  }
}

extension DocumentFileError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .unknownField, .pattern: .usage
    case .missingObject, .wrongSize: .input
    case .exists, .unsafeFolder, .inaccessible: .outputFile
    case .full: .diskFull
    }
  }

  /// A sentence for the user.
  public var description: String {
    switch self {
    case .unknownField(let name):
      "a name has no field '{\(name.sanitizedForDisplay())}'; available: "
        + DocumentNamePattern.Field.allCases.map(\.rawValue).joined(separator: ", ")
    case .pattern(let reason): "the pattern for names cannot be read: \(reason)"
    case .exists(let path): "\(path) exists already, with other content"
    case .unsafeFolder(let path): "\(path) is no folder, or a link to one"
    case .missingObject(let path): "\(path) is missing"
    case .wrongSize(let path, let expected, let found):
      "\(path) has \(found) bytes instead of \(expected)"
    case .full(let path): "there is no room left for \(path)"
    case .inaccessible(let path, let underlying):
      "\(path) cannot be read or written"
        + ((SystemErrorText.of(underlying) ?? (underlying as? StrangersFile)?.description)
          .map { ": \($0)" } ?? "")
    }
  }
}

extension DocumentFileError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .unknownField, .pattern: "Correct the pattern."
    case .exists: "Move it, choose another folder, or skip or replace existing files."
    case .unsafeFolder: "Remove it, or choose another folder."
    case .missingObject, .wrongSize: "Verify the stored files, and fetch those that are damaged."
    case .full: "Free some disk space and try again."
    case .inaccessible: "Check the file, its folder and permissions."
    }
  }
}
