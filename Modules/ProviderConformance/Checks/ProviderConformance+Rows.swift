import Models
import Storage
import Sync
import Synchronization

// The checks of rows that cannot be read, that move between pages, or that have wrong values.
extension ProviderConformance {
  func unreadableRows(_ server: any ProviderServer) async throws -> [String] {
    guard let rewrite = server.totalPath.map(TotalRewrite.init) else { return [] }
    return try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      scene.wire.apply(.alter { rewrite.breaking($0) })
      for moment in ["the first run", "the next run"] {
        let report = try await scene.run()
        // Pages that are cut otherwise have other first rows.
        let isNews = moment == "the first run" || report.newFailureCount > 0
        problems.expect(
          report.result == (isNews ? .partial : .complete)
            && report.ending == (isNews ? .unreadable : nil) && !report.failures.isEmpty,
          "\(moment) is \(report.result) with \(report.newFailureCount) newly unreadable rows")
        problems.expect(
          report.failures.allSatisfy { $0.id != nil && !$0.path.isEmpty && !$0.reason.isEmpty },
          "\(moment) does not report each row with its path and the reason")
        let unread = Set(report.failures.compactMap(\.id))
        let stored = try await scene.live()
        let lost = try await scene.served().keys.filter {
          stored[$0] == nil && !unread.contains($0)
        }
        problems.expect(lost.isEmpty, "\(moment) loses \(lost.count) other rows")
        problems += try await scene.differences(moment, isPart: true)
      }
      problems += try await scene.recovers("when the rows can be read") { $0.isFull = true }

      scene.wire.apply(.alter { rewrite.breaking($0) })
      let full = try await scene.run { $0.isFull = true }
      problems.expect(
        full.counts.deleted == 0, "unreadable rows make a full run delete \(full.counts.deleted)")
      problems += try await scene.differences("after a full run with unreadable rows")
      return try await problems + scene.recovers("after a full run with unreadable rows")
    }
  }

  func deepNests(_ server: any ProviderServer) async throws -> [String] {
    guard let rewrite = server.totalPath.map(TotalRewrite.init) else { return [] }
    return try await onEmptyDatabase(server) { scene in
      scene.wire.apply(.alter { rewrite.nestingBesides($0) })
      let first = try await scene.run()
      var problems = first.failures.map { "an unused nested value fails a row: \($0.reason)" }
      problems.expect(
        first.result == .complete, "with unused nested values a run is \(first.result)")
      problems += try await scene.differences("with unused nested values")

      scene.wire.apply(.alter { rewrite.nesting($0) })
      let report = try await scene.run { $0.isFull = true }
      problems.expect(
        report.result == .partial && report.ending == .unreadable && !report.failures.isEmpty,
        "with nested values as totals a run is \(report.result)")
      problems.expect(
        report.failures.allSatisfy { $0.id != nil && !$0.path.isEmpty },
        "it does not report the rows with a nested value as total, with its path")
      problems += try await scene.differences("with nested values as totals")
      return try await problems + scene.recovers("after nested values")
    }
  }

  func exactMoney(_ server: any ProviderServer) async throws -> [String] {
    guard let rewrite = server.totalPath.map(TotalRewrite.init) else { return [] }
    return try await onEmptyDatabase(server) { scene in
      scene.wire.apply(.alter { rewrite.enlarging($0) })
      let report = try await scene.run()
      let totals = try await scene.live().values.map { "\($0.total.normalized.coefficient)" }
      var problems = report.failures.map { "a large amount cannot be read: \($0.reason)" }
      problems.expect(
        totals.contains(TotalRewrite.digits), "no total has the digits \(TotalRewrite.digits)")
      return problems
    }
  }

  func movingRows(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      let edits = Mutex(0)
      let before = try await scene.served()
      // The first requests find the start of the list, so edits begin after them.
      scene.wire.before { number in
        let count = edits.withLock { count in
          count += 1
          return count
        }
        guard count > 2, count < 12 else { return }
        try await server.change(.edit, count: 3)
        if count.isMultiple(of: 3) { try await server.change(.add, count: 1) }
      }
      let report = try await scene.run()
      let stored = try await scene.stored()
      problems.expect(edits.withLock { $0 } > 2, "it sends too few requests for an edit in between")
      problems.expect(report.result == .complete, "the run is \(report.result)")
      let lost = before.keys.filter { stored[$0] == nil }
      problems.expect(lost.isEmpty, "rows that moved are lost, such as \(lost.first ?? "")")
      problems.expect(
        before.keys.allSatisfy { stored[$0]?.deletedAt == nil },
        "rows that moved count as deleted")
      problems.expect(
        report.counts.inserted == stored.count,
        "\(stored.count) rows are counted as \(report.counts.inserted)")
      return try await problems + scene.recovers("after edits while it read")
    }
  }

  func verification(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      _ = try await scene.run()
      try await scene.alterDatabase()
      problems.expect(
        try await !scene.differences("altered").isEmpty, "no record could be altered")
      let report = try await scene.run { $0.verifies = true }
      let found = report.verification
      problems.expect(
        found.map { $0.updated + $0.inserted == 2 && $0.deleted == 1 } ?? false,
        "of one altered, one deleted and one invented invoice it finds "
          + (found.map { "\($0)" } ?? "nothing"))
      problems += try await scene.differences("after a comparison")
      let again = try await scene.run { $0.verifies = true }
      problems.expect(
        again.verification.map { !$0.hasChanges } ?? false,
        "a second comparison finds " + (again.verification.map { "\($0)" } ?? "nothing"))
      return problems
    }
  }

  func organisations(_ server: any ProviderServer) async throws -> [String] {
    guard server.organisations.count > 1 else { return [] }
    return try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      _ = try await scene.run()
      for isFull in [false, true] {
        var options = SyncOptions()
        options.isFull = isFull
        do {
          let report = try await scene.run(options, organisation: server.organisations[1])
          problems.append("a run for another organisation is \(report.result)")
        } catch StorageError.sourceMismatch {
          // The expected error.
        }
        problems += try await scene.differences("after a run for another organisation")
      }
      return try await problems + scene.recovers("after runs for another organisation")
    }
  }
}
