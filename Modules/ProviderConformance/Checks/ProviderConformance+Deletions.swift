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

// The check of contacts, the other list that a provider may have.
extension ProviderConformance {
  func contacts(_ server: any ProviderServer) async throws -> [String] {
    let served = try await server.contacts()
    let context = ProviderContext(
      account: ConformanceScene.account, baseURL: server.url, tenantID: server.organisations.first)
    guard provider.contacts(in: context) != nil, !served.isEmpty else { return [] }
    return try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      let first = try await scene.runContacts()
      problems.expect(
        first.result == .complete && first.counts.inserted == served.count,
        "of \(served.count) contacts the run is \(first.result) and counts \(first.counts)")
      problems += try await scene.contactDifferences("after the first run")
      let second = try await scene.runContacts()
      problems.expect(
        second.result == .complete && !second.counts.hasChanges,
        "a second run is \(second.result) and counts \(second.counts)")
      for change in [BookChange.add, .edit] {
        try await server.change(change, count: 3)
        let report = try await scene.runContacts()
        problems.expect(report.result == .complete, "\(change): the run is \(report.result)")
        problems += try await scene.contactDifferences("\(change)")
      }
      let full = try await scene.runContacts { $0.isFull = true }
      problems.expect(
        full.result == .complete && !full.counts.hasChanges,
        "reading everything is \(full.result) and counts \(full.counts)")
      problems += try await scene.contactDifferences("after a full run")
      problems.expect(try await scene.stored().isEmpty, "contacts are stored as invoices")
      return problems
    }
      + onEmptyDatabase(server) { scene in
        var problems: [String] = []
        var stops = 0
        let bound = 4 * served.count + 50
        while try await !scene.runContacts({ $0.limit = 1 }).hasReachedTheEnd, stops < bound {
          stops += 1
        }
        problems.expect(stops < bound, "\(bound) runs of a page each do not reach the end")
        return try await problems + scene.contactDifferences("page by page")
      }
  }
}

extension ConformanceScene {
  /// Runs the sync of the first organisation's contacts.
  fileprivate func runContacts(
    _ adjust: (inout SyncOptions) -> Void = { _ in }
  ) async throws -> SyncReport {
    var options = SyncOptions()
    adjust(&options)
    return try await run(options, organisation: server.organisations.first, of: .contacts)
  }

  /// Returns the differences between the stored contacts and those of the server.
  fileprivate func contactDifferences(_ moment: String) async throws -> [String] {
    func byID(_ contacts: [Contact]) -> [String: Contact] {
      Dictionary(contacts.map { ($0.id, $0) }) { $1 }
    }
    let stored = try await database.contacts(account: Self.account)
    return BookComparison(from: byID(try await server.contacts()), to: byID(stored))
      .sentences(isPart: false).map { "contacts \(moment): \($0)" }
  }
}
