import Models
import Providers
import Storage
import Sync

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
      let requests = scene.wire.requests
      scene.wire.clear()
      let second = try await scene.runContacts()
      let most = server.requestsWhenUnchanged ?? requests
      problems.expect(
        second.result == .complete && !second.counts.hasChanges && scene.wire.requests <= most,
        "a second run is \(second.result), counts \(second.counts) and sends "
          + "\(scene.wire.requests) requests")
      for change in [BookChange.add, .edit, .delete] {
        problems += try await scene.contactProblems(after: change, by: provider)
      }
      let full = try await scene.runContacts { $0.isFull = true }
      problems.expect(
        full.result == .complete && full.counts.inserted + full.counts.deleted == 0,
        "reading everything is \(full.result) and counts \(full.counts)")
      problems += try await scene.contactDifferences("after a full run")
      problems.expect(try await scene.stored().isEmpty, "contacts are stored as invoices")
      return try await problems + scene.contactVerificationProblems()
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

  /// Changes the books; then a dry run has to report, and a run to store, what became of contacts.
  fileprivate func contactProblems(
    after change: BookChange, by provider: any Provider
  ) async throws -> [String] {
    var problems: [String] = []
    let before = Self.byID(try await server.contacts())
    try await server.change(change, count: 3)
    let expected = BookComparison(from: before, to: Self.byID(try await server.contacts()))
    let isFull = !server.reportsDeletions && !expected.removed.isEmpty
    for isDryRun in [true, false] {
      let stored = try await storedContacts()
      let report = try await runContacts { ($0.isDryRun, $0.isFull) = (isDryRun, isFull) }
      problems.expect(
        report.result == (isDryRun ? .dryRun : .complete)
          && report.counts.inserted == expected.added.count
          && report.counts.deleted == expected.removed.count,
        "\(change): \(expected.added.count) contacts are added and \(expected.removed.count) "
          + "deleted; a run is \(report.result) and counts \(report.counts)")
      guard isDryRun else { break }
      problems.expect(
        try await storedContacts() == stored, "\(change): a dry run changes the database")
    }
    return try await problems + contactDifferences("\(change)")
  }

  /// Alters a stored contact and invents another, which a comparison has to correct.
  fileprivate func contactVerificationProblems() async throws -> [String] {
    guard var altered = try await storedContacts().values.min(by: { $0.id < $1.id }) else {
      return ["no contact can be altered"]
    }
    var invented = altered
    invented.id = "invented"
    altered.name = "altered"
    try await store([altered, invented], in: database.contactStore)
    let report = try await runContacts { $0.verifies = true }
    var problems: [String] = []
    problems.expect(
      report.verification.map { $0.updated > 0 && $0.deleted == 1 && $0.inserted == 0 } ?? false,
      "of one altered and one invented contact a comparison finds "
        + (report.verification.map { "\($0)" } ?? "nothing"))
    return try await problems + contactDifferences("after a comparison")
  }

  private func storedContacts() async throws -> [String: Contact] {
    Self.byID(try await database.contacts(account: Self.account))
  }

  /// Returns the differences between the stored contacts and those of the server.
  fileprivate func contactDifferences(_ moment: String) async throws -> [String] {
    let stored = try await storedContacts().mapValues { server.comparable($0) }
    return BookComparison(from: Self.byID(try await server.contacts()), to: stored)
      .sentences(isPart: false).map { "contacts \(moment): \($0)" }
  }

  private static func byID(_ contacts: [Contact]) -> [String: Contact] {
    Dictionary(contacts.map { ($0.id, $0) }) { $1 }
  }
}
