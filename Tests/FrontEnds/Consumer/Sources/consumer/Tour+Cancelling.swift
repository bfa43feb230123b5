import AppCore
import Authentication
import Foundation
import Networking
import Storage
import Sync

extension Tour {
  /// Cancels the requests of one module; those of the other continue.
  func cancelOneModule(_ core: ApplicationCore) async throws {
    let documents = try DocumentsModule(core)
    let previews = try DocumentsModule(core, name: "previews")
    let found = try await core.database().invoices(matching: InvoiceQuery()).prefix(2)
    let ids = found.map(\.invoice.id)
    try Unexpected.unless(ids.count == 2, "no two invoices")
    let (document, preview) = (try await documents.open(ids[0]), try await previews.open(ids[1]))
    documents.session.cancelAll()
    do {
      _ = try await documents.size(of: document)
      throw Unexpected(errorDescription: "the cancelled request ended well")
    } catch SessionError.cancelled(let session) {
      print("cancelled the module \(session)")
    }
    print("the other module read \(try await previews.size(of: preview)) bytes")
  }

  /// Syncs everything again beside many downloads, which are cancelled; both share one renewal.
  func syncBesideDownloads(_ core: ApplicationCore, expecting count: Int) async throws {
    let documents = try DocumentsModule(core)
    let files = folder + "/files"
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    let ids = try await core.database().invoices(matching: InvoiceQuery()).prefix(200)
      .map(\.invoice.id)
    let before = try await sandbox.renewals()
    try await sandbox.expireTokens()
    var options = SyncOptions()
    options.isFull = true
    let running = try await core.sync(.invoices, account: "default").start(options)
    let (done, cancelled) = try await withThrowingTaskGroup { group in
      for (number, id) in ids.enumerated() {
        group.addTask {
          do {
            _ = try await documents.download(id, to: "\(files)/\(number)")
            return true
          } catch SessionError.cancelled {
            return false
          }
        }
      }
      var counts = (done: 0, cancelled: 0)
      for try await isDone in group {
        if isDone { counts.done += 1 } else { counts.cancelled += 1 }
        if counts.done == 20 { documents.session.cancelAll() }
      }
      return counts
    }
    let stored = try FileManager.default.contentsOfDirectory(atPath: files)
      .filter { !$0.contains(".part") }
    try Unexpected.unless(
      done + cancelled == ids.count && cancelled > 0 && stored.count == done,
      "\(done) downloads, \(cancelled) cancelled, \(stored.count) files")
    let report = try await running.report
    try Unexpected.unless(
      report.result == .complete && report.counts.unchanged == count, "\(report.counts)")
    let renewals = try await sandbox.renewals() - before
    try Unexpected.unless(renewals == 1, "\(renewals) renewals")
    print("downloaded \(done) files beside a sync, and cancelled \(cancelled)")
  }

  /// Cancels a sync; what it has stored stays.
  func cancelSync(_ core: ApplicationCore) async throws {
    try await sandbox.delay("/api.xro/2.0/Invoices", by: .seconds(100))
    var options = SyncOptions()
    options.isFull = true
    let running = try await core.sync(.invoices, account: "default").start(options)
    for await event in running.progress {
      if case .connecting = event { running.cancel() }
    }
    do {
      _ = try await running.report
      throw Unexpected(errorDescription: "the cancelled sync ended well")
    } catch is CancellationError {
      print("cancelled the sync")
    }
    try await sandbox.clearDelays()
  }

  /// A second core of the same process holds the same invoices in its own folder.
  func compare(_ core: ApplicationCore, _ second: ApplicationCore) async throws {
    try await signIn(to: second, showing: page)
    _ = try await syncInvoices(of: second)
    let ours = try await core.database().invoiceCount(account: nil)
    let theirs = try await second.database().invoiceCount(account: nil)
    try Unexpected.unless(ours == theirs, "\(ours) and \(theirs) invoices")
    _ = try await second.signOut("default")
    print("both cores hold \(ours) invoices; the second is signed out")
  }
}
