import Models
import Storage
import Sync

// The check of runs after a new sign-in.
extension ProviderConformance {
  func signIns(_ server: any ProviderServer) async throws -> [String] {
    guard server.signIns.count > 1 else { return [] }
    let (own, other) = (server.signIns[0], server.signIns[1])
    return try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      func run(_ options: SyncOptions = SyncOptions()) async throws -> SyncReport {
        try await scene.run(options, organisation: own.tenantID)
      }
      scene.credentials.signIn(own.authorizer)
      let first = try await run()
      problems.expect(first.result == .complete, "the run is \(first.result)")
      scene.wire.clear()
      _ = try await run()
      let usual = scene.wire.requests

      scene.credentials.signIn(own.authorizer)
      let again = try await run()
      problems.expect(
        again.result == .complete && !again.counts.hasChanges,
        "after a new sign-in it is \(again.result) and counts \(again.counts)")
      scene.wire.clear()
      _ = try await run()
      problems.expect(
        scene.wire.requests == usual,
        "a checked sign-in costs \(scene.wire.requests) requests, more than \(usual)")

      problems += try await refusals(of: other, configured: own.tenantID, scene)
      scene.credentials.signIn(own.authorizer)
      let last = try await run()
      problems.expect(
        last.result == .complete && !last.counts.hasChanges,
        "back with its own sign-in it is \(last.result) and counts \(last.counts)")
      return try await problems + scene.differences("back with its own sign-in")
    }
  }

  /// Returns the problems of every kind of run with another organisation's sign-in.
  ///
  /// Each run is made twice: for the organisation as that sign-in names it, and as it was
  /// configured before.
  private func refusals(
    of other: OrganisationSignIn, configured: String?, _ scene: ConformanceScene
  ) async throws -> [String] {
    var problems: [String] = []
    var kinds = (0..<4).map { _ in SyncOptions() }
    kinds[1].isFull = true
    kinds[2].isDryRun = true
    kinds[3].since = Timestamp(microsecondsSinceEpoch: 0)
    scene.credentials.signIn(other.authorizer)
    let before = try await scene.stored()
    let resumption = try await scene.resumption()
    for (name, options) in zip(["a run", "a full run", "a dry run", "a run since"], kinds) {
      for tenantID in Set([other.tenantID, configured]) {
        do {
          let report = try await scene.run(options, organisation: tenantID)
          problems.append("\(name) with another organisation's sign-in is \(report.result)")
        } catch StorageError.sourceMismatch {
        } catch SyncError.accessDenied, SyncError.organisationUnclear {
          // The server refuses access, or the configured organisation is not one that the sign-in
          // can access.
        }
        let (stored, kept) = (try await scene.stored(), try await scene.resumption())
        problems.expect(
          stored == before && kept == resumption,
          "\(name) with another organisation's sign-in changes what is stored")
      }
    }
    return problems
  }
}

extension ConformanceScene {
  func resumption() async throws -> Resumption? {
    try await database.invoiceStore.resumption(account: Self.account)
  }
}
