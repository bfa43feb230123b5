import Authentication
import Foundation
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

  /// Reads the files; returns each account's section by its name.
  ///
  /// - Throws: ``ConfigurationError`` for a file that cannot be read, or is not named after an
  ///   account.
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
    ConfigurationError(
      source: path,
      problem: "cannot read it" + (SystemErrorText.of(error).map { ": \($0)" } ?? ""))
  }
}
