import AppCore
import Foundation
import GtkShim
import Models
import Storage

/// The window: it shows what the core holds, and passes on what the user asks for.
final class InvoicesWindow {
  let core: ApplicationCore
  let layout = Layout()
  let list: InvoiceList
  let banner: Banner
  let details: DetailsPane
  let accounts: AccountsPane
  let shortcuts: Shortcuts
  /// The sign-in or the sync under way.
  var work: Task<Void, Never>?
  private var following: Task<Void, Never>?
  private var refreshing: Task<Void, Never>?
  private var words = ""
  private var hasShownLogins = false
  /// Ends the main loop.
  let quit: () -> Void

  init(core: ApplicationCore, quit: @escaping () -> Void) {
    self.core = core
    self.quit = quit
    list = InvoiceList(view: layout["list"])
    banner = Banner(layout)
    details = DetailsPane(box: layout["details"])
    shortcuts = Shortcuts(layout)
    accounts = AccountsPane(box: layout["accounts"], core: core)
    connect()
  }

  var window: Object { layout["window"] }
  var account: String { accounts.selected }

  private func connect() {
    layout["sign-in"].on("clicked") { [unowned self] _ in signIn() }
    layout["sync"].on("clicked") { [unowned self] _ in sync() }
    layout["cancel"].on("clicked") { [unowned self] _ in work?.cancel() }
    layout["search"].on("search-changed") { [unowned self] _ in
      words = String(cString: gtk_editable_get_text(layout["search"].opaque))
      refresh()
    }
    list.onSelection = { [unowned self] key in showDetails(of: key) }
    details.onPDF = { [unowned self] invoice in openPDF(of: invoice) }
    list.onError = { [unowned self] error in banner.show(error) }
    accounts.onSelection = { [unowned self] in refresh() }
    window.handle("close-request") { [unowned self] in close() }
  }

  /// Shows the window, with its first rows if they are read, and begins to follow the database.
  func present(_ first: FirstRows.Page?) {
    if let first { list.show(first.keys, in: first.database, texts: first.texts) }
    gtk_window_present(window.pointer.assumingMemoryBound(to: GtkWindow.self))
    following = Task { [weak self] in
      do {
        guard let self else { return }
        let database = try await self.openDatabase()
        self.refresh()
        for try await _ in database.changes() {
          self.refresh()
          self.accounts.refresh()
        }
      } catch {
        self?.banner.show(error)
        self?.showLogins()
      }
    }
  }

  /// Looks at the logins once there are rows, which need no keyring.
  private func showLogins() {
    guard !hasShownLogins else { return }
    hasShownLogins = true
    accounts.refresh()
    checkKeyring()
  }

  /// Opens the database that exists without waiting for a program that writes.
  func openDatabase() async throws -> LocalDatabase {
    if let database = try await core.databaseForReading() { return database }
    return try await core.database()
  }

  var query: InvoiceQuery { .list(account: account, words: words) }

  /// Reads the list again, after a change of the database, the account or the words.
  func refresh() {
    refreshing?.cancel()
    refreshing = Task { [weak self] in
      guard let self else { return }
      do {
        let database = try await self.openDatabase()
        if self.list.count == 0 {
          // The first rows need not wait for the keys of the whole list.
          var first = self.query
          first.limit = InvoiceList.firstPageSize
          let keys = try await database.invoiceKeys(matching: first)
          guard !Task.isCancelled else { return }
          self.list.show(keys, in: database)
        }
        let keys = try await database.invoiceKeys(matching: self.query)
        guard !Task.isCancelled else { return }
        self.list.show(keys, in: database)
        self.showCount(keys.count)
        self.showDetails(of: self.list.selectedKey)
      } catch {
        if !Task.isCancelled { self.banner.show(error) }
      }
      self.showLogins()
    }
  }

  private func showCount(_ count: Int) {
    layout["title"].set("subtitle", count == 1 ? "1 invoice" : "\(count) invoices")
    let isSearch = !words.isEmpty
    layout["empty"].set(
      "description", isSearch ? "None has these words." : "Sign in, then sync.")
    gtk_stack_set_visible_child_name(layout["list-stack"].opaque, count == 0 ? "empty" : "list")
  }

  private func showDetails(of key: InvoiceKey?) {
    guard let key else { return details.show(nil) }
    Task { [weak self] in
      guard let self else { return }
      do {
        let database = try await self.openDatabase()
        let found = try await database.invoices(withKeys: [key], includesLines: true)
        if self.list.selectedKey == key { self.details.show(found[key]) }
      } catch {
        self.banner.show(error)
      }
    }
  }

  /// Closes the core, which stores the tokens of a renewal under way, and then the program.
  func close() {
    window.set("sensitive", false)
    work?.cancel()
    following?.cancel()
    refreshing?.cancel()
    Task { [self] in
      await work?.value
      do { try await core.close() } catch {
        print("invoices-window: \(error.localizedDescription)")
      }
      quit()
    }
  }
}
