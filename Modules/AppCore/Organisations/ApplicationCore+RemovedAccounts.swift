import Authentication
import Foundation
import Models
import Storage

extension ApplicationCore {
  /// Removes an account that ``addAccounts(for:named:)`` added; its login stays.
  ///
  /// - Parameters:
  ///   - name: the account; with `forgetsRecords`, it may be one that is stored, but configured no
  ///     more.
  ///   - forgetsRecords: true to delete its records too, once it is certain that the account can
  ///     be removed.
  /// - Throws: ``ConfigurationError``, also for an account of the user's own file, and for one that
  ///   the rest of the configuration needs; as ``forgetRecords(account:)``.
  public func removeAddedAccount(_ name: String, forgetsRecords: Bool = false) async throws {
    let folder = try accountFolder()
    guard FileManager.default.fileExists(atPath: folder.file(of: name)) else {
      if configuration.accounts[name] == nil, try await isStored(name) {
        return try await forgetLeftRecords(of: name, isWanted: forgetsRecords)
      }
      _ = try accountConfiguration(name)
      throw ConfigurationError(
        source: configuration.file ?? "accounts", key: "accounts.\(name)",
        problem: "this account is in your own file; remove it there")
    }
    try configuration.requireRemovable(name)
    if forgetsRecords { try await forgetRecords(account: name) }
    try await folder.whileLocked { try folder.remove(name) }
  }

  private func isStored(_ name: String) async throws -> Bool {
    try await databaseForReading()?.contents(account: name).isEmpty == false
  }

  /// Deletes the records of an account that is not configured any more.
  private func forgetLeftRecords(of name: String, isWanted: Bool) async throws {
    guard isWanted else {
      throw ConfigurationError(
        source: configuration.file ?? "accounts", key: "accounts.\(name)",
        problem: "this account is not configured any more; its records are still stored",
        hint: Hint("Delete them with", ["organisations", "remove", name, "--forget-invoices"]))
    }
    try await forgetRecords(account: name)
  }
}

extension CoreConfiguration {
  /// Requires that the configuration is complete without an account.
  ///
  /// - Throws: ``ConfigurationError`` if it is the default account, or others use its login.
  fileprivate func requireRemovable(_ name: String) throws {
    if name == defaultAccount, let source = defaultAccountSource {
      throw Self.defaultAccountError(name, source)
    }
    let others = login(of: name) == name ? accounts(usingLoginOf: name).filter { $0 != name } : []
    guard others.isEmpty else {
      throw ConfigurationError(
        source: file ?? "accounts", key: "accounts.\(name)",
        problem: "other accounts use its login: \(others.joined(separator: ", "))",
        fix: "Remove these accounts first.")
    }
  }

  private static func defaultAccountError(
    _ name: String, _ source: ConfigurationValue.Source
  ) -> ConfigurationError {
    let problem = "'\(name)' is the default account"
    return switch source {
    case .environment(let variable):
      ConfigurationError(
        source: variable, problem: problem, fix: "Unset the variable, or name another account.")
    case .file(let path, let line):
      ConfigurationError(
        source: path, line: line, key: "defaultAccount", problem: problem,
        fix: "Set defaultAccount to another account first, or remove that line.")
    case .standard:
      ConfigurationError(
        source: "accounts", key: "defaultAccount", problem: problem,
        fix: "Set defaultAccount to another account first.")
    }
  }
}
