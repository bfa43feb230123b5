import Authentication
import Foundation
import Models
import Providers
import SystemSupport

extension AccountFolder {
  /// Writes a file for an account that shares a login.
  ///
  /// - Parameter provider: the provider's own spelling of its name.
  /// - Throws: ``ConfigurationError``, also if there is a file already.
  func add(
    _ account: String, for organisation: ReachedOrganisation, at provider: String
  ) throws -> AddedAccount {
    let file = file(of: account)
    guard Account.isValid(name: account) else {
      throw ConfigurationError(
        source: path, key: account,
        problem: "expected a name of 1 to 64 letters, digits, '.', '_' or '-'")
    }
    guard !FileManager.default.fileExists(atPath: file) else {
      throw ConfigurationError(
        source: file, problem: "there is such an account already",
        fix: "Choose another name with --as.")
    }
    let id = organisation.organisation.id
    // The identifier comes from a server, and must not become other keys of the file.
    guard !id.isEmpty, id.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 }) else {
      throw ConfigurationError(
        source: file, key: "tenantID", problem: "the identifier of the organisation is unusable")
    }
    try ConfigurationDraft.write(Data(Self.text(organisation, account, provider).utf8), to: file)
    return AddedAccount(name: account, organisation: organisation, file: file)
  }

  /// Removes an account's file.
  ///
  /// - Throws: ``ConfigurationError``, also if there is none.
  func remove(_ account: String) throws {
    do { try FileManager.default.removeItem(atPath: file(of: account)) } catch {
      throw ConfigurationError(
        source: file(of: account),
        problem: "cannot remove it" + (SystemErrorText.of(error).map { ": \($0)" } ?? ""))
    }
  }

  /// Runs `body` while no other process adds accounts.
  func whileLocked<Value>(_ body: () throws -> Value) async throws -> Value {
    do {
      try Directories.create(path)
      return try await FileLock.withLock(at: path + "/.lock", timeout: .seconds(10)) {
        try body()
      }
    } catch let error as FileLockError {
      throw ConfigurationError(source: path, problem: "cannot be locked: \(error)")
    } catch let error as CocoaError {
      throw ConfigurationError(
        source: path,
        problem: "cannot create the folder" + (SystemErrorText.of(error).map { ": \($0)" } ?? ""))
    }
  }

  private static func text(
    _ organisation: ReachedOrganisation, _ account: String, _ provider: String
  ) -> String {
    let name = organisation.organisation.name.map { " \($0.sanitizedForDisplay())" } ?? ""
    return """
      # Account '\(account)' of appcore, for the organisation\(name).
      # Written by: appcore organisations add. The file's name is the account's name.
      # To remove the account: appcore organisations remove \(account)

      # The account whose login this one uses.
      login: \(ConfigurationDraft.quoted(organisation.login))
      # The organisation at \(provider).
      tenantID: \(ConfigurationDraft.quoted(organisation.organisation.id))

      """
  }
}
