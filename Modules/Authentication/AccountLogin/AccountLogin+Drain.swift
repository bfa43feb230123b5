import Networking
import SystemSupport

extension AccountLogin {
  /// Ends the renewal whose exchange has not begun, and the sign-in that waits for the user.
  ///
  /// - Parameter isExchanging: true if the exchange of the renewal has begun.
  /// - Returns: the renewal whose exchange has begun.
  func stopBeforeExchange(isExchanging: Bool) -> SharedOutcome<Credential>? {
    let error = AuthenticationError.classified(AuthenticatorClosing(), account: name)
    if storingSignIn == nil { signInTask?.end(error) }
    guard !isExchanging else { return flight }
    // A renewal with the lock of an unsaved pair only reads the store, so it is left to finish.
    guard let flight, let flightTask, unsaved == nil else { return nil }
    self.flight = nil
    self.flightTask = nil
    flightTask.cancel()
    flight.resolve(.failure(error))
    return nil
  }

  /// Waits for a sign-in that is being stored, and tries to store a pair that could not be stored.
  ///
  /// - Returns: the reason why the store does not have the credentials; `nil` if it does.
  func drainUnsaved(
    _ hurried: SharedOutcome<Void>, limit: Duration?, _ onWaiting: (DrainedWork) -> Void
  ) async -> RenewalOutcome.Unsaved? {
    metrics.used(lease.resetUseCount(), account: name)
    if let storingSignIn, storingSignIn.join() {
      onWaiting(.unsavedLogin(account: name))
      await hurried.unlessResolved { _ = try? await storingSignIn.value() }
    }
    guard unsaved != nil else { return nil }
    onWaiting(.unsavedLogin(account: name))
    await hurried.unlessResolved { await self.saveBeforeEnd(hurried, limit: limit) }
    return unsaved
  }
}
