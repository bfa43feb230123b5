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
      problems += try await list(resource, server).map { "\(resource): \($0)" }
    }
    return problems
  }

  private func list(_ resource: Resource, _ server: any ProviderServer) async throws -> [String] {
    let count = try await server.values(of: resource).count
    guard count > 0 else { return [] }
    return try await onEmptyDatabase(server) { scene in
      let list = ListScene(scene: scene, resource: resource)
      var problems: [String] = []
      let first = try await list.run()
      problems.expect(
        first.result == .complete && first.counts.inserted >= count,
        "of \(count) the first run is \(first.result) and counts \(first.counts)")
      problems += try await list.differences("after the first run")
      let second = try await list.run()
      problems.expect(
        second.result == .complete && !second.counts.hasChanges,
        "a second run is \(second.result) and counts \(second.counts)")
      let dry = try await list.run { $0.isDryRun = true }
      problems.expect(
        !dry.counts.hasChanges, "a dry run without changes counts \(dry.counts)")
      for change in [BookChange.add, .edit] + (resource.kind == .contacts ? [] : [.void]) {
        try await server.change(change, count: 3)
        let report = try await list.run()
        problems.expect(report.result == .complete, "\(change): the run is \(report.result)")
        problems += try await list.differences("\(change)")
      }
      let full = try await list.run { $0.isFull = true }
      problems.expect(
        full.result == .complete && !full.counts.hasChanges,
        "reading everything is \(full.result) and counts \(full.counts)")
      let verified = try await list.run { $0.verifies = true }
      problems.expect(
        verified.verification.map { !$0.hasChanges } ?? false,
        "a comparison finds \(verified.verification.map { "\($0)" } ?? "nothing to compare")")
      return try await problems + list.differences("after full runs")
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
        problems += try await list.differences("beside the invoices")
        return problems
      }
  }
}

/// A list in a scene.
private struct ListScene {
  let scene: ConformanceScene
  let resource: Resource

  /// Runs the sync of the first organisation's list.
  func run(_ adjust: (inout SyncOptions) -> Void = { _ in }) async throws -> SyncReport {
    var options = SyncOptions()
    adjust(&options)
    return try await scene.run(
      options, organisation: scene.server.organisations.first, of: resource)
  }

  /// Returns the differences between the stored records and those of the server.
  func differences(_ moment: String) async throws -> [String] {
    let comparison = BookComparison(
      from: try await scene.server.values(of: resource), to: try await stored())
    return comparison.sentences(isPart: false).map { "\(moment): \($0)" }
  }

  /// Returns the stored records that are not deleted.
  private func stored() async throws -> [String: FieldValues] {
    let database = scene.database
    switch resource.kind {
    case .invoices:
      var query = InvoiceQuery()
      query.includesVoidAndDeleted = true
      let listed = try await scene.server.values(of: resource)
      let first = try await scene.served()
      return byID(
        try await database.invoices(matching: query)
          .filter {
            $0.deletedAt == nil && (listed[$0.invoice.id] != nil || first[$0.invoice.id] == nil)
          }
          .map(\.invoice))
    case .payments:
      var query = PaymentQuery()
      query.statuses = Set(PaymentStatus.allCases).subtracting([.deleted])
      return byID(
        try await database.payments(matching: query)
          .filter { $0.payment.rawStatus != "payment of an invoice" }.map(\.payment))
    case .contacts: return byID(try await database.contacts(account: ConformanceScene.account))
    }
  }
}

extension ProviderServer {
  /// Returns the records of a list that is not the first, each with all its fields.
  fileprivate func values(of resource: Resource) async throws -> [String: FieldValues] {
    switch resource.kind {
    case .invoices: byID(try await invoices(of: resource))
    case .payments: byID(try await payments(of: resource))
    case .contacts: byID(try await contacts())
    }
  }
}

private func byID<Record: FieldListing & SyncedRecord>(_ records: [Record]) -> [String: FieldValues]
{
  Dictionary(records.map { ($0.id, FieldValues(of: $0)) }) { $1 }
}
