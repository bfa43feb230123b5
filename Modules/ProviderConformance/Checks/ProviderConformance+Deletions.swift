import Models
import Providers
import Storage
import Sync

// The checks of mass deletions and of deleted rows that return.
extension ProviderConformance {
  func massDeletion(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      _ = try await scene.run()
      // To the engine, the server's list now lacks two of three stored records.
      let missing = 2 * (try await scene.live().count)
      try await scene.inventInvoices(missing)
      let stored = try await scene.stored()
      let error = try await scene.failure { $0.isFull = true }
      if case SyncError.massDeletion(records: missing, of: _)? = error {
      } else {
        problems.append(
          "a list without \(missing) of \(stored.count) ends in "
            + (error.map { "\(type(of: $0)): \($0)" } ?? "no error"))
      }
      problems.expect(
        try await scene.stored() == stored, "a refused list changes what is stored")
      let allowed = try await scene.run {
        $0.isFull = true
        $0.maximumDeletedPercent = 100
      }
      problems.expect(
        allowed.result == .complete && allowed.counts.deleted == missing,
        "when allowed, the run is \(allowed.result) and deletes \(allowed.counts.deleted)")
      return try await problems + scene.recovers("after a deletion that was allowed")
    }
  }

  func returningRows(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      _ = try await scene.run()
      let before = try await scene.served()
      try await server.change(.delete, count: 3)
      let without = try await scene.served()
      _ = try await scene.run { $0.isFull = !server.reportsDeletions }
      try await server.restore(count: 3)
      let returned = BookComparison(from: without, to: try await scene.served()).added
      // With many providers, deletions are final.
      guard !returned.isEmpty else { return [] }
      problems.expect(
        returned.allSatisfy { before[$0] != nil },
        "the server restores records that were never deleted")
      let deleted = try await scene.stored()
      problems.expect(
        returned.allSatisfy { deleted[$0]?.deletedAt != nil },
        "deleted records are not marked as deleted")
      let report = try await scene.run()
      problems.expect(
        report.result == .complete && report.counts.inserted + report.counts.deleted == 0
          && report.counts.updated >= returned.count,
        "\(returned.count) return, and the run is \(report.result) and counts \(report.counts)")
      let stored = try await scene.stored()
      problems.expect(
        returned.allSatisfy { stored[$0].map { $0.deletedAt == nil } ?? false },
        "restored records stay deleted")
      return try await problems + scene.recovers("after rows that returned")
    }
  }
}
