import Foundation
import Networking
import SystemSupport

/// A small file beside the lock that informs other processes of a changed login.
///
/// It holds nothing secret. A process that watches the folder need not poll the keyring. A late
/// write can bring back the record of a login that was signed out; the notice shows that the record
/// no longer counts.
struct LoginNotice: Sendable {
  enum State: Sendable, Equatable {
    /// This generation is stored.
    case stored(CredentialGeneration)
    /// This login was signed out.
    case signedOut(loginID: String)
  }

  private static let prefix = "auth-"
  private static let suffix = ".notice"

  private let path: String

  init(account: String, folder: String) {
    path = folder + "/" + Self.prefix + account + Self.suffix
  }

  /// Returns the account to which a file of the folder belongs.
  static func account(ofFile name: String) -> String? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return String(name.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// Writes the state; if that fails, other processes notice the change later.
  func post(_ state: State) {
    let text =
      switch state {
      case .stored(let generation): "stored \(generation.rawValue)\n"
      case .signedOut(let loginID): "signed-out \(loginID)\n"
      }
    // A sign-out may post it without the lock.
    try? AtomicFile.replaceUnlocked(path, with: Data(text.utf8))
  }

  /// Returns the state that was written last.
  func read() -> State? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    switch words.first {
    case "stored":
      return words.last.flatMap { UInt64($0) }
        .map { .stored(CredentialGeneration(rawValue: $0)) }
    case "signed-out": return .signedOut(loginID: words.count > 1 ? String(words[1]) : "")
    default: return nil
    }
  }
}
