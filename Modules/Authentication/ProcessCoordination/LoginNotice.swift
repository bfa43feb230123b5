import Foundation
import Logging
import Networking
import SystemSupport

/// A small file beside the lock that informs other processes of a changed login.
///
/// It holds nothing secret. A process that watches the folder need not poll the keyring. A late
/// write can bring back the record of a login that was signed out; the notice shows that the record
/// no longer counts.
struct LoginNotice: Sendable {
  enum State: Sendable, Equatable {
    case stored(CredentialGeneration)
    case signedOut(loginID: String)
  }

  private static let prefix = "auth-"
  private static let suffix = ".notice"

  private let path: String

  init(account: String, folder: String) {
    path = folder + "/" + Self.prefix + account + Self.suffix
  }

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

extension AccountLogin {
  func noticeChanged() {
    switch store.notice.read() {
    case .signedOut(let loginID) where latest?.loginID == loginID:
      // A renewal in progress notices the sign-out itself, and revokes the pair that it receives.
      guard flight == nil else { return }
      forget()
      log.notice("another process signed out", metadata: ["account": "\(name)"])
      changes.send(
        CredentialChange(account: name, kind: .signedOut, generation: nil, expiresAt: nil))
    case .stored(let generation)
    where generation.rawValue > (latest?.generation.rawValue ?? 0):
      failure = nil
      guard flight == nil, latest != nil else { return }
      lease.invalidate()
      log.trace("another process renewed the login", metadata: ["account": "\(name)"])
      // Listeners are informed now; without any, the next request checks by itself.
      if changes.hasListeners { Task { _ = try? await self.credential() } }
    case .signedOut, .stored, nil: break
    }
  }
}
