import Logging
import Networking

/// What other processes do to the same logins.
extension Authenticator {
  /// Told that the notice of an account was written; by us as well.
  func noticed(_ name: String) {
    guard let entry = entries[name], let state = notice.read(name) else { return }
    switch state {
    case .signedOut(let login) where entry.held?.login == login:
      // A renewal under way finds out by itself, and gives back what it gets.
      guard entry.flight == nil else { return }
      entries[name]?.forget()
      log.notice("another process has signed out", metadata: ["account": "\(name)"])
      changes.send(
        CredentialChange(account: name, kind: .signedOut, generation: nil, expiresAt: nil))
    case .signedOut: break
    case .stored(let generation) where generation.rawValue > (entry.held?.generation.rawValue ?? 0):
      entries[name]?.failure = nil
      guard entry.flight == nil, entry.held != nil else { return }
      entry.lease.supersede()
      log.debug("another process has renewed the login", metadata: ["account": "\(name)"])
      // Whoever follows the changes is told; without listeners the next request looks by itself.
      if changes.hasListeners { Task { _ = try? await self.credential(for: name) } }
    case .stored: break
    }
  }

  /// Told that notices were missed.
  func noticedEverything() {
    for name in entries.keys { noticed(name) }
  }
}
