import Foundation
import Networking

/// Tells other processes that a login has changed, by a small file beside the locks.
///
/// It holds nothing secret. Whoever watches the folder need not ask the keyring again and again; and
/// whoever finds a record of a login that was signed out, since a late write brought it back, knows
/// that it does not count.
struct CredentialNotice: Sendable {
  enum State: Sendable, Equatable {
    /// This generation is stored.
    case stored(CredentialGeneration)
    /// This login was signed out.
    case signedOut(login: String)
  }

  let folder: String

  private static let prefix = "auth-"
  private static let suffix = ".notice"

  private func path(of account: String) -> String {
    folder + "/" + Self.prefix + account + Self.suffix
  }

  /// Writes what is so now; a failure costs others a late notice.
  func post(_ state: State, for account: String) {
    let text =
      switch state {
      case .stored(let generation): "stored \(generation.rawValue)\n"
      case .signedOut(let login): "signed-out \(login)\n"
      }
    try? Data(text.utf8).write(to: URL(filePath: path(of: account)), options: .atomic)
  }

  /// What was last written.
  func read(_ account: String) -> State? {
    guard let text = try? String(contentsOfFile: path(of: account), encoding: .utf8) else {
      return nil
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    switch words.first {
    case "stored":
      return words.last.flatMap { UInt64($0) }
        .map { .stored(CredentialGeneration(rawValue: $0)) }
    case "signed-out": return .signedOut(login: words.count > 1 ? String(words[1]) : "")
    default: return nil
    }
  }

  /// Whether a login was signed out and not signed in again since.
  func hasSignedOut(_ login: String, of account: String) -> Bool {
    read(account) == .signedOut(login: login)
  }

  /// The account that a file of the folder is about.
  static func account(ofFile name: String) -> String? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return String(name.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
