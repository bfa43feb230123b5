import Authentication
import Foundation
import Models
import Storage
import Sync

/// The outcome of renaming an account.
public struct RenamedAccount: Sendable, Equatable {
  /// The account's new name.
  public let name: String
  /// The name that it had.
  public let formerName: String
  /// True if there was a login, which has the new name now.
  public let hasMovedLogin: Bool
  /// True if there were records, which have the new name now.
  public let hasMovedRecords: Bool
}

extension ApplicationCore {
  /// Renames an account, with its login, its records and its runs.
  ///
  /// It takes its steps in an order in which a crash loses neither: first the account's file, then
  /// the records, in one transaction, and the login at last, so that no sync begins anew between
  /// them. Call it again after a failure, also in another process, and it goes on. A core that is
  /// created later has the new name; close this one.
  ///
  /// An account of the user's own file is renamed there by the user first; then this call moves its
  /// login and its records.
  ///
  /// - Parameters:
  ///   - former: the account.
  ///   - name: its new name.
  /// - Throws: ``ConfigurationError`` with what to change, for an account of the user's own file,
  ///   for one that other parts of the configuration name, and for a name that is taken;
  ///   `SyncError.alreadyRunning` if a sync of the account does not end within a minute;
  ///   `AuthenticationError`, `StorageError`.
  public func renameAccount(_ former: String, to name: String) async throws -> RenamedAccount {
    try await renameAccount(former, to: name, patience: .seconds(60))
  }

  /// - Parameter patience: the longest wait for a sync.
  func renameAccount(
    _ former: String, to name: String, patience: Duration
  ) async throws -> RenamedAccount {
    guard Account.isValid(name: name) else {
      throw ConfigurationError(
        source: name, problem: ConfigurationError.nameExpectation)
    }
    try requireLockFolder()
    let folder = try accountFolder()
    guard configuration.accounts[former] == nil || configuration.accounts[name] == nil else {
      throw ConfigurationError.nameTaken(source: "accounts", key: name)
    }
    // A repeated call finds that the file has the new name.
    let files = FileManager.default
    let isRenamed =
      configuration.accounts[name] != nil
      || files.fileExists(atPath: folder.file(of: name))
        && !files.fileExists(atPath: folder.file(of: former))
    if !isRenamed { try requireRenamable(former, to: name, folder) }
    return try await whileNotSyncing(former, patience: patience) {
      if !isRenamed { try await folder.whileLocked { try folder.rename(former, to: name) } }
      do {
        let database = try await databaseForReading() == nil ? nil : database()
        let hasMovedRecords = try await database?.renameAccount(former, to: name) ?? false
        let hasMovedLogin =
          configuration.accounts[former]?.login == nil
          ? try await authenticator.moveLogin(of: former, to: name) : false
        guard configuration.accounts[former] != nil || hasMovedLogin || hasMovedRecords else {
          throw AuthenticationError.unknownAccount(name: former)
        }
        return RenamedAccount(
          name: name, formerName: former, hasMovedLogin: hasMovedLogin,
          hasMovedRecords: hasMovedRecords)
      } catch is AccountTaken {
        throw ConfigurationError.nameTaken(source: "accounts", key: name)
      } catch is LoginTaken {
        throw ConfigurationError(
          source: "accounts", key: name, problem: "there is a login of this name already",
          hint: Hint("To keep that of '\(former)', sign out first", ["logout", "--account", name]))
      }
    }
  }

  private func requireRenamable(
    _ former: String, to name: String, _ folder: AccountFolder
  ) throws {
    _ = try accountConfiguration(former)
    let others = configuration.accounts(usingLoginOf: former).filter {
      $0 != former && configuration.login(of: former) == former
    }
    guard FileManager.default.fileExists(atPath: folder.file(of: former)) else {
      let keys =
        ["accounts.\(former)"]
        + (configuration.defaultAccount == former && !configuration.usesAllAccounts
          ? ["defaultAccount, if it is there"] : [])
        + others.map { "login of '\($0)'" }
      throw ConfigurationError(
        source: configuration.file ?? "accounts", key: "accounts.\(former)",
        problem: "this account is in your own file, which appcore does not change",
        hint: Hint("Write \(name) there in place of \(former): \(keys.joined(separator: ", "))")
          .then(
            "Then move its login and its records", ["organisations", "rename", former, name]))
    }
    guard others.isEmpty else {
      throw ConfigurationError(
        source: folder.path, key: "accounts.\(former)",
        problem: "other accounts use its login: \(others.joined(separator: ", "))",
        fix: "An account whose login others use keeps its name.")
    }
    try configuration.requireRemovable(former)
  }
}
