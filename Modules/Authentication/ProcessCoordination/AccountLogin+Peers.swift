import Logging
import Networking
import SystemSupport

/// The reactions of this process to another one that changes the same login.
extension AccountLogin {
  /// Reads the notice after it was written, by this process or by another.
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
