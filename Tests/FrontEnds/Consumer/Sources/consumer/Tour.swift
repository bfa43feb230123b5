import AppCore
import Authentication
import Foundation
import Networking
import Storage
import Sync

/// The steps of the program, in order.
struct Tour {
  let server: URL
  let folder: String
  private let browser = Session(name: "browser")
  var page: SignInPage { SignInPage(browser: browser) }
  var sandbox: SandboxControl { SandboxControl(server: server, session: browser) }

  init(server: URL, folder: String) {
    self.server = server
    self.folder = folder
  }

  func run(expecting count: Int) async throws {
    try await setUp(below: folder)
    // Two cores in one process: each has its folder and its store of logins.
    let core = try openCore(at: text, below: folder + "/one", keepingLoginsIn: .keyring())
    let second = try openCore(
      at: text, below: folder + "/two",
      keepingLoginsIn: .encryptedFile(keyFile: folder + "/key", path: nil))
    do {
      try await explain(core)
      try await signIn(to: core, showing: page)
      try await list(core, expecting: count)
      try await followOther(core)
      try await cancelOneModule(core)
      try await syncBesideDownloads(core, expecting: count)
      try await cancelSync(core)
      try await compare(core, second)
      try await core.close()
      try await second.close()
      await browser.shutdown()
    } catch {
      // A renewal under way stores its tokens.
      try? await core.close()
      try? await second.close()
      throw error
    }
  }

  private var text: String { server.absoluteString }

  /// An error says what the user can do.
  private func explain(_ core: ApplicationCore) async throws {
    do {
      _ = try await core.sync(.invoices, account: "default").run()
      throw Unexpected(errorDescription: "a sync without a sign-in ended well")
    } catch let error as AuthenticationError {
      print("\(error.localizedDescription). \(error.recoverySuggestion ?? "")")
      try Unexpected.unless(error.recoverySuggestion == "Sign in.", "no suggestion: \(error)")
    }
  }

  private func list(_ core: ApplicationCore, expecting count: Int) async throws {
    let report = try await syncInvoices(of: core)
    try Unexpected.unless(report.result == .complete, "the sync is \(report.result)")
    let stored = try await core.database().invoiceCount(account: "default")
    try Unexpected.unless(stored == count, "\(stored) invoices of \(count)")
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let keys = try await core.database().invoiceKeys(matching: query)
    let shown = try await core.database().invoices(withKeys: keys.prefix(3))
    for key in keys.prefix(3) {
      guard let invoice = shown[key]?.invoice else { continue }
      print(invoice.number ?? invoice.id, invoice.total, invoice.currency)
    }
    try Unexpected.unless(keys.count == count, "\(keys.count) keys")
  }
}
