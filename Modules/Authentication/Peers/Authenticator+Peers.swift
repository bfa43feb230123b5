import Networking

/// What other processes do to the same logins.
extension Authenticator {
  /// Told that the notice of an account was written; by us as well.
  func noticed(_ name: String) {
    guard let entry = entries[name], let generation = notice.read(name),
      generation != (entry.held?.generation.rawValue ?? 0)
    else { return }
    entries[name]?.failure = nil
    // A renewal under way finds out by itself.
    guard entry.flight == nil, let held = entry.held else { return }
    if generation == 0 {
      entries[name]?.forget()
      changes.send(
        CredentialChange(account: name, kind: .signedOut, generation: nil, expiresAt: nil))
    } else if generation > held.generation.rawValue {
      entry.lease.supersede()
      // Whoever follows the changes is told; without listeners the next request looks by itself.
      if changes.hasListeners { Task { _ = try? await self.credential(for: name) } }
    }
  }

  /// Told that notices were missed.
  func noticedEverything() {
    for name in entries.keys { noticed(name) }
  }
}
