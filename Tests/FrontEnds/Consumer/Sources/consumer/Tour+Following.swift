import AppCore
import Foundation
import Storage
import Sync

extension Tour {
  /// Follows the invoices, while another core syncs a change into the same database.
  func followOther(_ core: ApplicationCore) async throws {
    // A process has one core for each store of logins; the database may be the same.
    var configuration = core.configuration
    configuration.secretStore = .encryptedFile(keyFile: folder + "/key", path: nil)
    configuration.databasePath = core.databasePath
    let other = try ApplicationCore(
      configuration: configuration, directories: Directories(below: folder + "/other"))
    do {
      try await signIn(to: other, showing: page)
      try await follow(core, changedBy: other)
      try await other.close()
    } catch {
      try? await other.close()
      throw error
    }
  }

  private func follow(_ core: ApplicationCore, changedBy other: ApplicationCore) async throws {
    let (lists, list) = AsyncStream.makeStream(of: [StoredInvoice].self)
    let follower = Task {
      defer { list.finish() }
      try await followInvoices(of: core) { list.yield($0) }
    }
    defer { follower.cancel() }
    var shown = lists.makeAsyncIterator()
    let first = await shown.next()
    try Unexpected.unless(first?.count == 20, "\(first?.count ?? 0) invoices at first")

    let changed = try await sandbox.invoices("change", count: 3)
    let report = try await syncInvoices(of: other)
    try Unexpected.unless(report.counts.updated == 3, "not three changes")
    // The newest come first. A sync may commit several times.
    var newest: [StoredInvoice] = []
    while Set(newest.map(\.invoice.id)) != Set(changed) {
      guard let invoices = await shown.next() else {
        try await follower.value
        throw Unexpected(errorDescription: "the follower ended early")
      }
      newest = Array(invoices.prefix(3))
    }
    let references = newest.compactMap(\.invoice.reference)
    try Unexpected.unless(
      references == ["Revision 3", "Revision 2", "Revision 1"], "the references are \(references)")
    print("followed a change by another core: \(references)")
  }
}
