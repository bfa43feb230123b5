import SystemSupport

/// The credentials with which a renewal ended.
struct RenewalOutcome: Sendable {
  /// The reason why a credential could not be stored, and the lock that is held until it is.
  struct Unsaved: Sendable {
    let reason: any Error
    /// Held because another process would find the old refresh token, and spend it again.
    let lock: HeldLock
    var seal: PairSeal
  }

  let credential: Credential
  /// True if this renewal obtained the credential; false if it found it in the store.
  var isNew = false
  var unsaved: Unsaved?
}

extension LoginStore {
  /// Stores a credential before it is used.
  ///
  /// The old token is spent, so a failed save must not lose the new one: the credential is served
  /// from memory, the sealed file keeps it, and the outcome keeps the lock.
  func saved(
    _ credential: Credential, isNew: Bool = false, under lock: HeldLock, _ seal: PairSeal
  ) async -> RenewalOutcome {
    do {
      try await save(credential)
      return RenewalOutcome(credential: credential, isNew: isNew)
    } catch {
      return await unsaved(credential, isNew: isNew, under: lock, seal, because: error)
    }
  }

  /// Returns the outcome of a renewal whose pair the store does not take.
  func unsaved(
    _ credential: Credential, isNew: Bool, under lock: HeldLock, _ seal: PairSeal,
    because reason: any Error
  ) async -> RenewalOutcome {
    RenewalOutcome(
      credential: credential, isNew: isNew,
      unsaved: .init(reason: reason, lock: lock, seal: await self.seal(credential, seal)))
  }
}
