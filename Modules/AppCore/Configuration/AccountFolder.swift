import Authentication
import Foundation
import Models
import Providers
import SystemSupport

/// The folder of the accounts that appcore added: a file for each, named after it, beside the
/// configuration file.
///
/// A user's own file is never rewritten.
public struct AccountFolder: Sendable, Equatable {
  /// The folder's path; the folder need not exist.
  public let path: String

  /// Finds the folder of a configuration file: `accounts.d` beside `config.yaml`,
  /// `NAME.accounts.d` beside another `NAME.yaml`.
  public init(besideConfiguration file: String) {
    let url = URL(filePath: file)
    let stem = url.deletingPathExtension().lastPathComponent
    path = url.deletingLastPathComponent()
      .appending(path: stem == "config" ? "accounts.d" : stem + ".accounts.d")
      .path(percentEncoded: false)
  }

  /// Returns the path of an account's file.
  public func file(of account: String) -> String { "\(path)/\(account).yaml" }

  func sections(home: String) throws -> [String: ConfigurationNode] {
    guard FileManager.default.fileExists(atPath: path) else { return [:] }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw unreadable(path, error)
    }
    var sections: [String: ConfigurationNode] = [:]
    // Files of editors begin with a dot or end with something else.
    for name in names where name.hasSuffix(".yaml") && !name.hasPrefix(".") {
      let (account, file) = (String(name.dropLast(".yaml".count)), path + "/" + name)
      guard Account.isValid(name: account) else {
        throw ConfigurationError(
          source: file,
          problem: "the file is named after no account: expected 1 to 64 letters, digits, '.', "
            + "'_' or '-', and .yaml")
      }
      let yaml: String
      do { yaml = try String(contentsOfFile: file, encoding: .utf8) } catch {
        throw unreadable(file, error)
      }
      sections[account] = try ConfigurationNode(
        yaml: yaml, source: file, home: home, key: "accounts.\(account)")
    }
    return sections
  }

  private func unreadable(_ path: String, _ error: any Error) -> ConfigurationError {
    ConfigurationError(source: path, problem: "cannot read it", reason: error)
  }
}

extension AccountFolder {
  /// - Parameter provider: the provider's own spelling of its name.
  func add(
    _ account: String, for organisation: ReachedOrganisation, at provider: String
  ) throws -> AddedAccount {
    let file = file(of: account)
    let id = organisation.organisation.id
    // The identifier comes from a server, and must not become other keys of the file.
    guard !id.isEmpty, id.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 }) else {
      throw ConfigurationError(
        source: file, key: "tenantID", problem: "the identifier of the organisation is unusable")
    }
    try add(account, Self.text(organisation, account, provider))
    return AddedAccount(name: account, organisation: organisation, file: file)
  }

  /// - Parameter text: the text of the account's file.
  func add(_ account: String, _ text: String) throws {
    guard Account.isValid(name: account) else {
      throw ConfigurationError(
        source: path, key: account,
        problem: ConfigurationError.nameExpectation)
    }
    guard !FileManager.default.fileExists(atPath: file(of: account)) else {
      throw ConfigurationError.nameTaken(source: file(of: account))
    }
    try ConfigurationDraft.write(Data(text.utf8), to: file(of: account))
  }

  /// Gives an account's file another name; `rename` replaces nothing, since the folder is locked.
  func rename(_ account: String, to name: String) throws {
    let (old, new) = (file(of: account), file(of: name))
    guard !FileManager.default.fileExists(atPath: new) else {
      throw ConfigurationError.nameTaken(source: new)
    }
    do {
      // The remarks of the file's first lines name the account.
      let text = try String(contentsOfFile: old, encoding: .utf8)
      let lines = text.components(separatedBy: "\n").map { line in
        line.hasPrefix("# ")
          ? line.replacing("Account '\(account)'", with: "Account '\(name)'")
            .replacing("remove \(account)", with: "remove \(name)") : line
      }
      try ConfigurationDraft.write(Data(lines.joined(separator: "\n").utf8), to: old)
      try FileManager.default.moveItem(atPath: old, toPath: new)
    } catch let error as CocoaError {
      throw ConfigurationError(source: old, problem: "cannot be renamed", reason: error)
    }
  }

  func remove(_ account: String) throws {
    do { try FileManager.default.removeItem(atPath: file(of: account)) } catch {
      throw ConfigurationError(
        source: file(of: account), problem: "cannot remove it", reason: error)
    }
  }

  func whileLocked<Value>(_ body: () throws -> Value) async throws -> Value {
    do {
      try Directories.create(path)
      return try await FileLock.withLock(at: path + "/.lock", timeout: .seconds(10)) {
        try body()
      }
    } catch let error as FileLockError {
      throw ConfigurationError(source: path, problem: "cannot be locked: \(error)")
    } catch let error as CocoaError {
      throw ConfigurationError(source: path, problem: "cannot create the folder", reason: error)
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
