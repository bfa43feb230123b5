import Foundation
import Models
import Networking
import Providers
import Storage
import Sync

// The checks of whole runs without faults.
extension ProviderConformance {
  func traits(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      let name = provider.name
      problems.expect(
        (1...64).contains(name.utf8.count)
          && name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"):
              true
            default: "._-".utf8.contains(byte)
            }
          }, "the name '\(name)' is not 1 to 64 letters, digits, '.', '_' or '-'")
      let profile = provider.profile
      let addresses =
        [profile.baseURL, profile.authorizationURL, profile.tokenURL]
        + [profile.issuer, profile.revocationURL, profile.deviceAuthorizationURL].compactMap(\.self)
      for address in addresses {
        let url = URL(string: address)
        problems.expect(
          url?.scheme == "https" && url?.host() != nil, "\(address) is not an https address")
      }
      let listed = provider.resources(in: scene.context(of: server.organisations.first))
      problems.expect(listed.first == .invoices, "it does not list invoices")
      problems.expect(
        provider.resources(in: scene.context(of: nil)) == listed,
        "what it lists depends on the organisation")
      for resource in Resource.named {
        let sync = scene.sync(resource, organisation: server.organisations.first)
        problems.expect(
          sync?.resource == (listed.contains(resource) ? resource : nil),
          "the sync of \(resource) is one of \(sync?.resource.rawValue ?? "nothing")")
      }
      problems.expect(scene.wire.requests == 0, "creating a sync sends a request")
      return problems
    }
  }

  func firstRun(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      let report = try await scene.run()
      let served = try await scene.served()
      problems.expect(report.result == .complete, "the run is \(report.result)")
      problems.expect(report.provider == provider.name, "it reports '\(report.provider)'")
      // Some providers still list deleted records.
      let stored = try await scene.stored()
      problems.expect(
        report.counts.inserted == stored.count
          && report.counts.updated + report.counts.deleted == 0,
        "of \(stored.count) invoices it counts \(report.counts)")
      problems.expect(served.count > 2, "the server has too few invoices for this check")
      problems.expect(
        scene.wire.origins == Set([Origin(server.url)].compactMap(\.self)),
        "it also sends requests to other servers: "
          + scene.wire.origins.map(\.description).sorted().joined(separator: ", ")
      )
      return try await problems + scene.differences("after the first run")
    }
  }

  func secondRun(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      _ = try await scene.run()
      let first = scene.wire.requests
      scene.wire.clear()
      let second = try await scene.run()
      let most = server.requestsWhenUnchanged ?? first
      problems.expect(second.result == .complete, "the run is \(second.result)")
      problems.expect(!second.counts.hasChanges, "it counts \(second.counts)")
      problems.expect(
        scene.wire.requests <= most, "it sends \(scene.wire.requests) requests, more than \(most)")
      let full = try await scene.run { $0.isFull = true }
      problems.expect(
        full.result == .complete && !full.counts.hasChanges,
        "reading everything is \(full.result) and counts \(full.counts)")
      return try await problems + scene.differences("after the second run")
    }
  }

  func changes(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      _ = try await scene.run()
      for changes in BookChange.allCases.map({ [$0] }) + [BookChange.allCases] {
        let before = try await scene.served()
        for change in changes { try await server.change(change, count: 3) }
        let expected = BookComparison(from: before, to: try await scene.served())
        problems.expect(
          !(changes == [.add] && expected.added.isEmpty)
            && !(changes == [.edit] && expected.edited.isEmpty),
          "\(changes): the server's books do not change")
        let isReported = server.reportsDeletions || expected.removed.isEmpty
        let report = try await scene.run { $0.isFull = !isReported }
        problems.expect(report.result == .complete, "\(changes): the run is \(report.result)")
        problems.expect(
          report.counts.inserted == expected.added.count
            && report.counts.deleted == expected.removed.count,
          "\(changes): \(expected.added.count) added and \(expected.removed.count) deleted, but it "
            + "counts \(report.counts)")
        let stored = try await scene.stored()
        problems.expect(
          expected.removed.allSatisfy { stored[$0]?.deletedReason?.isEmpty == false },
          "\(changes): deleted records are not kept with a reason")
        problems += try await scene.differences("\(changes)")
      }
      let last = try await scene.run()
      problems.expect(
        last.counts.inserted + last.counts.deleted == 0, "afterwards it counts \(last.counts)")
      return try await problems + scene.differences("afterwards")
    }
  }

  func interruption(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      var stops = 0
      func runToTheEnd(_ moment: String) async throws {
        stops = 0
        let bound = 4 * (try await scene.served().count) + 50
        while true {
          let report = try await scene.run { $0.limit = 1 }
          guard !report.hasReachedTheEnd else { break }
          stops += 1
          guard stops < bound else {
            problems.append("\(moment): \(bound) runs of one page each do not reach the end")
            return
          }
          // Other people edit the books between the runs.
          if stops % 3 == 1, stops < 10 { try await server.change(.edit, count: 2) }
        }
        problems += try await scene.recovers(moment)
      }
      try await runToTheEnd("a first reading page by page")
      problems.expect(
        stops >= 2, "the server's list has \(stops + 1) pages: too few for this check")
      try await server.change(.edit, count: 20)
      try await server.change(.add, count: 2)
      try await runToTheEnd("a reading of changes page by page")
      return problems
    }
  }

  func dryRun(_ server: any ProviderServer) async throws -> [String] {
    try await onEmptyDatabase(server) { scene in
      var problems: [String] = []
      let served = try await scene.served()
      let first = try await scene.run { $0.isDryRun = true }
      problems.expect(first.result == .dryRun, "it is \(first.result)")
      problems.expect(try await scene.stored().isEmpty, "it stores invoices")
      let real = try await scene.run()
      // Compare no other numbers: a real run may read a list twice.
      problems.expect(
        first.counts.inserted == real.counts.inserted
          && first.counts.updated + first.counts.deleted == 0,
        "it reports \(first.counts), but a run counts \(real.counts)")
      for change in BookChange.allCases where change != .delete || server.reportsDeletions {
        try await server.change(change, count: 2)
      }
      let expected = BookComparison(from: served, to: try await scene.served())
      let before = try await StoredState(scene)
      let second = try await scene.run { $0.isDryRun = true }
      problems.expect(
        second.counts.inserted == expected.added.count
          && second.counts.deleted == expected.removed.count
          && second.counts.updated >= expected.edited.count,
        "\(expected.added.count) are added, \(expected.removed.count) deleted, "
          + "\(expected.edited.count) edited, but it reports \(second.counts)")
      problems.expect(try await StoredState(scene) == before, "it changes the database")
      return try await problems + scene.recovers("after a dry run")
    }
  }
}

extension ChangeCounts {
  var hasChanges: Bool { inserted + updated + deleted > 0 }
}

extension SyncReport {
  /// True if the run has read the list to its end.
  ///
  /// If a list does not report changes, a run that is too short to read all of it is never
  /// complete.
  var hasReachedTheEnd: Bool { result == .complete || ending == .continued }
}
