import Logging
import Networking
import SystemSupport

/// A pair that could not be stored: saving is retried until the store accepts the pair.
extension AccountLogin {
  /// Retries after a pause, until the pair is stored or a newer login replaces it.
  func scheduleSave(after pause: Duration) {
    isSaving = true
    let (time, epoch) = (time, epoch)
    Task { [weak self] in
      try? await time.sleep(pause)
      await self?.saveAgain(epoch: epoch, after: pause)
    }
  }

  private func saveAgain(epoch: Int, after pause: Duration) async {
    guard self.epoch == epoch else { return }
    await save()
    // After a sign-in or sign-out, `isSaving` belongs to a pair of the new login.
    guard self.epoch == epoch else { return }
    guard unsaved != nil else {
      isSaving = false
      return
    }
    scheduleSave(after: min(pause * 2, .seconds(60)))
  }

  /// Tries once to store the pair.
  ///
  /// It takes the place of a renewal, since both use the one lock.
  func save() async {
    guard (try? await awaitRenewals()) != nil else { return }
    guard let latest, unsaved != nil else { return }
    let (epoch, renewal) = (epoch, credentialRenewal())
    let flight = SharedOutcome<Credential>()
    self.flight = flight
    let result: Result<RenewalOutcome, any Error>
    do {
      result = .success(try await renewal.save(latest))
    } catch {
      result = .failure(error)
    }
    // Meanwhile, a sign-in or sign-out has replaced the login and usually resolved the flight.
    guard self.epoch == epoch else {
      flight.resolve(.failure(store.signInRequired(.signedOut)))
      return
    }
    self.flight = nil
    var answer: Result<Credential, any Error> = .success(latest)
    switch result {
    case .success(let outcome) where outcome.unsaved != nil:
      unsaved = outcome.unsaved
    case .success:
      unsaved = nil
      log.notice(
        "stored the renewed login after an earlier failure", metadata: ["account": "\(name)"])
    case .failure(AuthenticationError.signInRequired(_, let reason, _)):
      end(because: reason)
      // The pair is revoked, so a caller that waits must not get it.
      answer = .failure(store.signInRequired(reason))
    case .failure: break
    }
    flight.resolve(answer)
  }

  /// Tries to store the pair before the process ends; as long as neither the store nor the sealed
  /// file takes it, tries again, since the login would end with the process.
  ///
  /// - Parameters:
  ///   - hurried: ends the attempts once it is resolved.
  ///   - limit: the longest time; `nil` is no limit.
  private func saveBeforeEnd(_ hurried: SharedOutcome<Void>, limit: Duration?) async {
    let begin = time.uptime()
    var pause = Duration.seconds(1)
    while true {
      await save()
      guard let unsaved, !unsaved.seal.isWritten, !hurried.isResolved,
        limit.map({ time.uptime() - begin < $0 }) ?? true,
        (try? await time.sleep(pause)) != nil
      else { return }
      pause = min(pause * 2, .seconds(10))
    }
  }

  /// Waits until no renewal is in progress.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func awaitRenewals() async throws {
    while let flight {
      // Without this check, a cancelled task would receive the same error again and again, and
      // block the actor.
      do { _ = try await flight.value() } catch { try Task.checkCancellation() }
    }
  }

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
