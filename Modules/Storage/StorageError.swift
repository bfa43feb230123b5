public import ErrorCodes
public import Foundation
import GRDB
public import Models
import SystemSupport

/// An error of the database, one case for each way to recover.
public enum StorageError: Error, Sendable {
  /// No room is left on the disk; what was committed before is kept.
  case full(path: String)
  /// Another program is writing, and did not finish in time.
  case busy(path: String)
  /// The file was made by a newer version of this program.
  case newerSchema(path: String)
  /// The file is damaged; the next opening renames it and creates a new one.
  case corrupt(path: String)
  /// Somebody has renamed or removed the file, or put another one in its place; nothing was
  /// written. The file at the path has to be opened again.
  case replaced(path: String)
  /// The file is a database of another program.
  case foreign(path: String)
  /// The file or its folder cannot be used.
  case inaccessible(path: String, underlying: any Error)
  /// The account holds the invoices of another organisation.
  case sourceMismatch(account: String, holding: String, stored: String, offered: String)
  /// Two lists of a kind have a record with the same identifier, such as an invoice and a bill; the
  /// page of the second list was not stored.
  case sharedIdentifier(_ id: String, list: Resource, other: Resource)
  /// Any other error.
  case failed(underlying: any Error)
}

extension StorageError: CodedError {
  /// The code of the cause.
  public var code: ErrorCode {
    switch self {
    case .busy: .databaseBusy
    case .full: .diskFull
    case .newerSchema: .newerDatabase
    case .corrupt: .corruptDatabase
    case .replaced: .databaseReplaced
    case .foreign: .foreignDatabase
    case .sourceMismatch: .otherOrganisation
    case .sharedIdentifier: .configuration
    case .inaccessible, .failed: .database
    }
  }

  /// A sentence for the user; it contains no value of a statement.
  public var description: String {
    switch self {
    case .full(let path): "no space left for \(path)"
    case .busy(let path): "another program is writing to \(path)"
    case .newerSchema(let path): "\(path) was created by a newer version of appcore"
    case .corrupt(let path): "\(path) is damaged"
    case .replaced(let path): "\(path) was renamed or replaced while appcore used it"
    case .foreign(let path): "\(path) is not a database of appcore"
    case .inaccessible(let path, let underlying):
      "cannot open \(path)" + (SystemErrorText.of(underlying).map { ": \($0)" } ?? "")
    case .sourceMismatch(let account, let holding, let stored, let offered):
      "account '\(account)' holds \(holding) of \(stored), but its sign-in reads \(offered)"
    case .sharedIdentifier(let id, let list, let other):
      "the \(list) have the identifier \(id.prefix(60)), and so have the \(other): in the provider's "
        + "description, set a prefix at fields.id of one of the lists, and where payments and "
        + "credit notes name its documents"
    case .failed(let underlying):
      "the database failed"
        + ((underlying as? DatabaseError).map { " (SQLite \($0.resultCode.rawValue))" } ?? "")
    }
  }
}

extension StorageError {
  /// Runs `body`, and translates its errors into ``StorageError``.
  static func translating<Value>(
    _ path: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_FULL: throw StorageError.full(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: throw StorageError.busy(path: path)
      case .SQLITE_CORRUPT, .SQLITE_NOTADB:
        DamagedFile(path: path).markSuspect()
        throw StorageError.corrupt(path: path)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
        throw StorageError.inaccessible(path: path, underlying: error)
      // If a connection is interrupted while it opens the search index for the first time, SQLite
      // 3.40 reports a general error: "vtable constructor failed".
      case .SQLITE_INTERRUPT where Task.isCancelled, .SQLITE_ERROR where Task.isCancelled:
        throw CancellationError()
      default: throw StorageError.failed(underlying: error)
      }
    } catch FileLockError.heldElsewhere {
      throw StorageError.busy(path: path)
    } catch let error as FileLockError {
      throw StorageError.inaccessible(path: path, underlying: error)
    }
  }
}

extension StorageError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The step with which the user solves the problem.
  public var recoverySuggestion: String? {
    switch self {
    case .full: "Free some disk space and try again. What was stored is kept."
    case .busy: "Try again when the other program has finished."
    case .newerSchema: "Use the newer version that created the file."
    case .corrupt:
      "Start the program again: it renames the file and fetches everything from the provider."
    case .replaced: "Try again: the file that is there now is then used."
    case .foreign: "Choose another file for the database."
    case .sourceMismatch: "Use another account name for the other organisation."
    case .sharedIdentifier:
      "Give the identifiers of one of the lists a prefix in the provider's description, at "
        + "fields.id. If the lists have changed places in it, empty the account and sync again."
    case .inaccessible, .failed: "Check the folder, its permissions and the disk."
    }
  }
}
