import AppCore
import Authentication
import Foundation
import Networking
import Storage
import Sync

extension Tour {
  /// Cancels the requests of one module; those of the other continue.
  func cancelOneModule(_ core: ApplicationCore) async throws {
    let documents = try await DocumentsModule(core, server: server)
    let previews = try await DocumentsModule(core, name: "previews", server: server)
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
