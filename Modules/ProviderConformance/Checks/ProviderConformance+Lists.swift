import Models
import Providers
import Storage
import Sync

// The check of every list but the first, which the other checks are about.
extension ProviderConformance {
  func otherLists(_ server: any ProviderServer) async throws -> [String] {
    let context = ProviderContext(
      account: ConformanceScene.account, baseURL: server.url, tenantID: server.organisations.first)
    var problems: [String] = []
    for resource in provider.resources(in: context).dropFirst() {
      // The changes of one list would be those of the next.
      let server = try await startServer()
      do {
        problems += try await list(resource, server).map { "\(resource): \($0)" }
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
    return problems
  }

  private func list(_ resource: Resource, _ server: any ProviderServer) async throws -> [String] {
    let served = try await server.values(of: resource)
    let count = served.count
    guard count > 0 else { return [] }
    return try await onEmptyDatabase(server) { scene in
      let list = ListScene(scene: scene, resource: resource)
      var problems: [String] = []
      let first = try await list.run()
      problems.expect(
        first.result == .complete && first.counts.inserted >= count,
        "of \(count) the first run is \(first.result) and counts \(first.counts)")
      problems += try await list.differences("after the first run")
      let requests = scene.wire.requests
      scene.wire.clear()
      let second = try await list.run()
      let most = server.requestsWhenUnchanged ?? requests
      problems.expect(
        second.result == .complete && !second.counts.hasChanges && scene.wire.requests <= most,
        "a second run is \(second.result), counts \(second.counts) and sends "
          + "\(scene.wire.requests) requests")
      for change in BookChange.allCases { problems += try await list.problems(after: change) }
      let full = try await list.run { $0.isFull = true }
      problems.expect(
        full.result == .complete && full.counts.inserted + full.counts.deleted == 0,
        "reading everything is \(full.result) and counts \(full.counts)")
      problems += try await list.differences("after a full run")
      return try await problems + list.verificationProblems(since: served)
    }
      + onEmptyDatabase(server) { scene in
        let list = ListScene(scene: scene, resource: resource)
        var problems: [String] = []
        var stops = 0
        let bound = 4 * count + 50
        while try await !list.run({ $0.limit = 1 }).hasReachedTheEnd, stops < bound { stops += 1 }
        problems.expect(stops < bound, "\(bound) runs of a page each do not reach the end")
        problems += try await list.differences("page by page")
        // The lists of a kind share a table, and each deletes only its own records.
        _ = try await scene.run { $0.isFull = true }
        _ = try await list.run { $0.isFull = true }
        return try await problems + list.differences("beside the invoices")
      }
  }
}

/// A list in a scene.
private struct ListScene {
  let scene: ConformanceScene
  let resource: Resource

  private var database: LocalDatabase { scene.database }

  /// Runs the sync of the first organisation's list.
  func run(_ adjust: (inout SyncOptions) -> Void = { _ in }) async throws -> SyncReport {
    var options = SyncOptions()
    adjust(&options)
    return try await scene.run(
      options, organisation: scene.server.organisations.first, of: resource)
  }

  /// Changes the books; then a dry run has to report, and a run to store, what became of the list.
  func problems(after change: BookChange) async throws -> [String] {
    var problems: [String] = []
    let before = try await scene.server.values(of: resource)
    try await scene.server.change(change, count: 3)
    let expected = BookComparison(
      from: before, to: try await scene.server.values(of: resource))
    let isFull = !scene.server.reportsDeletions && !expected.removed.isEmpty
    for isDryRun in [true, false] {
      let earlier = try await stored()
      let report = try await run { ($0.isDryRun, $0.isFull) = (isDryRun, isFull) }
      problems.expect(
        report.result == (isDryRun ? .dryRun : .complete)
          && report.counts.inserted == expected.added.count
          && report.counts.deleted == expected.removed.count,
        "\(change): \(expected.added.count) are added and \(expected.removed.count) deleted; a run "
          + "is \(report.result) and counts \(report.counts)")
      guard isDryRun else { break }
      problems.expect(
        try await stored() == earlier, "\(change): a dry run changes the database")
    }
    return try await problems + differences("\(change)")
  }

  /// Alters a stored record and invents another, which a comparison has to correct.
  ///
  /// - Parameter earlier: what the server had before it changed its books: a run reads again what
  ///   has changed since, so the altered record is another.
  func verificationProblems(since earlier: [String: FieldValues]) async throws -> [String] {
    let served = try await scene.server.values(of: resource)
    let kept = Set(served.filter { earlier[$0.key] == $0.value }.keys)
    switch resource.kind {
    case .invoices:
      guard var altered = try await invoices().oldest(of: kept) else {
        return ["nothing can be altered"]
      }
      var invented = altered
      (invented.id, altered.reference) = ("invented", "altered")
      try await scene.store([altered, invented], in: database.invoiceStore(of: resource))
    case .payments:
      guard var altered = try await payments().oldest(of: kept) else {
        return ["nothing can be altered"]
      }
      var invented = altered
      (invented.id, altered.reference) = ("invented", "altered")
      try await scene.store([altered, invented], in: database.paymentStore(of: resource))
    case .contacts:
      guard var altered = try await contacts().oldest(of: kept) else {
        return ["nothing can be altered"]
      }
      var invented = altered
      (invented.id, altered.name) = ("invented", "altered")
      try await scene.store([altered, invented], in: database.contactStore(of: resource))
    }
    // Of a few records, the changes before the comparison may have every one.
    let isShort = kept.isEmpty || served.count < 4
    let report = try await run { $0.verifies = true }
    var problems: [String] = []
    problems.expect(
      report.verification.map {
        ($0.updated > 0 || isShort) && $0.deleted == 1 && $0.inserted == 0
      } ?? false,
      "of one altered and one invented record a comparison finds "
        + (report.verification.map { "\($0)" } ?? "nothing"))
    return try await problems + differences("after a comparison")
  }

  /// Returns the differences between the stored records and those of the server.
  func differences(_ moment: String) async throws -> [String] {
    let comparison = BookComparison(
      from: try await scene.server.values(of: resource), to: try await stored())
    return comparison.sentences(isPart: false).map { "\(moment): \($0)" }
  }

  private func stored() async throws -> [String: FieldValues] {
    switch resource.kind {
    case .invoices: byID(try await invoices().map { scene.server.comparable($0) })
    case .payments: byID(try await payments().map { scene.server.comparable($0) })
    case .contacts: byID(try await contacts().map { scene.server.comparable($0) })
    }
  }

  /// Returns the stored credit notes or the like that are not deleted, without those of the first
  /// list.
  private func invoices() async throws -> [Invoice] {
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let first = try await scene.served()
    return try await database.invoices(matching: query)
      .filter { $0.deletedAt == nil && first[$0.invoice.id] == nil }.map(\.invoice)
  }

  /// Returns the stored payments that are not deleted, without those that invoices hold themselves.
  private func payments() async throws -> [Payment] {
    var query = PaymentQuery()
    query.statuses = Set(PaymentStatus.allCases).subtracting([.deleted])
    return try await database.payments(matching: query)
      .filter { $0.payment.rawStatus != "payment of an invoice" }.map(\.payment)
  }

  private func contacts() async throws -> [Contact] {
    try await database.contacts(account: ConformanceScene.account)
  }
}

extension ProviderServer {
  /// Returns the records of a list that is not the first, each with all its fields.
  fileprivate func values(of resource: Resource) async throws -> [String: FieldValues] {
    switch resource.kind {
    case .invoices: byID(try await invoices(of: resource))
    case .payments: byID(try await payments(of: resource))
    case .contacts: byID(try await contacts(of: resource))
    }
  }
}

extension Array where Element: SyncedRecord {
  /// Returns the record that a run for changes does not read again, if it can be one of those
  /// with certain identifiers.
  fileprivate func oldest(of kept: Set<String>) -> Element? {
    let candidates = filter { kept.contains($0.id) }
    return (candidates.isEmpty ? self : candidates)
      .min { ($0.order ?? 0, $0.id) < ($1.order ?? 0, $1.id) }
  }
}

private func byID<Record: FieldListing & SyncedRecord>(
  _ records: [Record]
) -> [String: FieldValues] {
  Dictionary(records.map { ($0.id, FieldValues(of: $0)) }) { $1 }
}
