import FileLocking
import Foundation
import Networking

/// Tells other processes that a login has changed, by a small file beside the locks.
///
/// It holds the generation that is stored, or 0 for none: nothing secret. Whoever watches the folder
/// need not ask the keyring again and again.
struct CredentialNotice: Sendable {
  let folder: String

  private static let prefix = "auth-"
  private static let suffix = ".generation"

  private func path(of account: String) -> String {
    folder + "/" + Self.prefix + account + Self.suffix
  }

  /// Writes what is stored now; a failure costs others a late notice, and nothing else.
  func post(_ generation: CredentialGeneration?, for account: String) {
    let text = "\(generation?.rawValue ?? 0)\n"
    try? Data(text.utf8).write(to: URL(filePath: path(of: account)), options: .atomic)
  }

  /// What was last written.
  func read(_ account: String) -> UInt64? {
    (try? String(contentsOfFile: path(of: account), encoding: .utf8)).flatMap {
      UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// The account that a file of the folder is about.
  static func account(ofFile name: String) -> String? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return String(name.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
