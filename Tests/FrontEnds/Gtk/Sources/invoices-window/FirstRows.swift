import AppCore
import Storage
import Synchronization

/// The first rows of the list, which are read while GTK starts.
nonisolated final class FirstRows: Sendable {
  struct Page: Sendable {
    let database: LocalDatabase
    let keys: [InvoiceKey]
    let texts: [InvoiceKey: InvoiceText]
  }

  private let state = Mutex<Page?>(nil)

  /// The rows; `nil` until they are read.
  var page: Page? { state.withLock { $0 } }

  /// Begins to read.
  ///
  /// After an error, there is no page, and the window reads the rows itself.
  init(of core: ApplicationCore) {
    Task.detached(priority: .high) { [self] in
      guard let database = try await core.databaseForReading() else { return }
      var query = InvoiceQuery.list(account: core.configuration.defaultAccount)
      query.limit = InvoiceList.firstPageSize
      let keys = try await database.invoiceKeys(matching: query)
      let texts = try await database.invoices(withKeys: keys).mapValues(InvoiceText.init)
      state.withLock { $0 = Page(database: database, keys: keys, texts: texts) }
    }
  }
}

extension InvoiceQuery {
  /// Returns the query of the list: the invoices of an account that have all words.
  nonisolated static func list(account: String, words: String = "") -> InvoiceQuery {
    var query = InvoiceQuery()
    query.account = account
    query.search = words.isEmpty ? nil : words
    query.includesLines = false
    return query
  }
}
