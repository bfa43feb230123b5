import AppCore
import CAppCore
import Documents
import Models
import Presentation
import Storage
import Synchronization

/// The files that a caller chooses: those of one invoice, or of all that a query finds.
struct ChosenDocuments: Sendable {
  private(set) var invoices = InvoiceQuery()
  /// The number or id of the only invoice; `nil` for those that ``invoices`` finds.
  let invoice: String?
  let kinds: Set<DocumentKind>?

  /// - Parameter account: the account; `nil` for all.
  init(_ choices: inout Choices, account: String?) throws {
    kinds = try choices.set("kind", DocumentKind.self)
    invoice = try choices.text("invoice")
    invoices.account = account
    var plain = invoices
    var nothing = Choices()
    try plain.readFilters(&nothing)
    invoices.search = try choices.text("search")
    try invoices.readFilters(&choices)
    guard invoice == nil || invoices == plain else {
      throw Misuse.badArgument(message: "invoice cannot be combined with filters of invoices")
    }
    invoices.includesLines = false
  }
}

/// A list of files that a caller wants.
private struct DocumentList: Sendable {
  let chosen: ChosenDocuments
  let states: Set<StoredDocument.State>?
  let isStale: Bool
  let offset: Int
  let limit: Int?

  init(_ choices: inout Choices, defaultAccount: String) throws {
    let account = try choices.text("account") ?? defaultAccount
    chosen = try ChosenDocuments(&choices, account: account == "*" ? nil : account)
    states = try choices.set("state", StoredDocument.State.self)
    isStale = try choices.flag("stale")
    offset = try choices.count("offset", atLeast: 0) ?? 0
    limit = try choices.count("limit", atLeast: 0)
  }

  func keeps(_ document: StoredDocument) -> Bool {
    (states?.contains(document.state) ?? true) && (document.isStale || !isStale)
  }
}

/// The files of a list that were found so far.
private final class FoundDocuments: Sendable {
  /// Ends the reading once the list is full.
  struct Full: Error {}

  struct File: Sendable {
    let stored: StoredDocument
    let invoice: StoredInvoice
  }

  private struct State {
    var files: [File] = []
    var skipped = 0
  }

  private let list: DocumentList
  private let state = Mutex(State())

  init(_ list: DocumentList) { self.list = list }

  var files: [File] { state.withLock { $0.files } }

  func add(_ invoice: DocumentedInvoice) throws {
    try state.withLock { state in
      for document in invoice.keeping(list.chosen.kinds).documents where list.keeps(document) {
        if let limit = list.limit, state.files.count >= limit { throw Full() }
        guard state.skipped >= list.offset else {
          state.skipped += 1
          continue
        }
        state.files.append(File(stored: document, invoice: invoice.stored))
      }
    }
  }
}

extension OpenCore {
  func documents(_ query: CString?) throws -> String {
    let usual = core.configuration.defaultAccount
    let (list, name) = try Choices.read(query, "query") {
      (try DocumentList(&$0, defaultAccount: usual), try $0.text("reading"))
    }
    let found = FoundDocuments(list)
    let (chosen, account) = (list.chosen, list.chosen.invoices.account)
    do {
      _ = try reading(account, named: name) { (database: LocalDatabase) -> Void in
        guard let invoice = chosen.invoice else {
          try await database.forEachDocumentedInvoice(matching: chosen.invoices) { invoice in
            try found.add(invoice)
          }
          return
        }
        let named = try await database.documentedInvoices(named: invoice, account: account)
        for invoice in named { try found.add(invoice) }
      }
    } catch is FoundDocuments.Full {}
    let store = core.documentStore
    return try Self.list("documents", found.files) { file, text in
      let path = file.stored.sha256.map { store.path(of: $0) }
      FileDocument.append(FileDocument(file.stored, of: file.invoice, path: path), to: &text)
    }
  }
}

/// The run that a caller wants.
struct WantedDocuments: Sendable {
  let account: String
  let chosen: ChosenDocuments
  private(set) var options = DocumentSyncOptions()

  init(_ choices: inout Choices, account: String) throws {
    self.account = account
    chosen = try ChosenDocuments(&choices, account: account)
    (options.kinds, options.invoices) = (chosen.kinds, chosen.invoices)
    options.refresh = try choices.word("refresh", DocumentRefresh.self) ?? .changed
    options.limit = try choices.count("limit", atLeast: 1)
    options.maximumDuration = try choices.seconds("maxDurationSeconds")
    options.maximumWait = try choices.seconds("maxWaitSeconds") ?? .seconds(60)
    options.isDryRun = try choices.flag("dryRun")
  }
}

/// The export that a caller wants.
struct WantedExport: Sendable {
  fileprivate let chosen: ChosenDocuments
  fileprivate let path: String
  fileprivate let destination: DocumentExport.Destination
  fileprivate let pattern: DocumentNamePattern

  /// - Parameter account: the account; `*` for all.
  init(_ choices: inout Choices, account: String) throws {
    chosen = try ChosenDocuments(&choices, account: account == "*" ? nil : account)
    let (folder, zip) = (try choices.path("folder"), try choices.path("zip"))
    let (skips, replaces) = (try choices.flag("skipExisting"), try choices.flag("clobber"))
    let name = try choices.text("name")
    guard let path = folder ?? zip, folder == nil || zip == nil else {
      throw Misuse.badArgument(message: "name a folder, or a zip")
    }
    guard [zip != nil, skips, replaces].count(where: \.self) <= 1 else {
      throw Misuse.badArgument(message: "zip, skipExisting and clobber exclude each other")
    }
    self.path = path
    let existing: DocumentFolder.Existing = replaces ? .replace : skips ? .skip : .refuse
    destination =
      zip == nil
      ? .folder(DocumentFolder(path: path, existing: existing, copies: true)) : .zip(path: path)
    do { pattern = try name.map { try DocumentNamePattern($0) } ?? .standard } catch {
      throw Misuse.badArgument(message: "\(error)")
    }
  }
}

extension CoreRequest {
  func fetchDocuments(_ wanted: WantedDocuments) async throws {
    let account = wanted.account
    let report: DocumentReport
    do {
      var options = wanted.options
      if let invoice = wanted.chosen.invoice { options.keys = [try await key(invoice, account)] }
      let progress = Throttle<DocumentProgress> {
        post(APPCORE_EVENT_DOCUMENT_PROGRESS, DocumentProgressDocument($0, account: account))
      }
      report = try await core.fetchDocuments(account: account, options: options) {
        progress.note($0)
      }
    } catch {
      throw Failures(error, in: core.configuration, account: account)
    }
    post(APPCORE_EVENT_DOCUMENT_REPORT, DocumentReportDocument(report))
    if let failures = Failures(report.failures(in: core.configuration)) { throw failures }
  }

  /// Returns the key of the invoice that has a number or an id.
  private func key(_ name: String, _ account: String) async throws -> InvoiceKey {
    let database = try await core.databaseForReading(account: account)
    let found = try await database?.documentedInvoices(named: name, account: account) ?? []
    guard let only = found.first, found.count == 1 else {
      throw Failures(Failure(invoicesNamed: name, found.map(\.stored)))
    }
    return only.key
  }

  func exportDocuments(_ wanted: WantedExport) async throws {
    let chosen = wanted.chosen
    let account = chosen.invoices.account
    let database =
      if let account { try await core.databaseForReading(account: account) } else {
        try await core.databaseForReading()
      }
    let export = DocumentExport(objects: core.documentStore.objects, pattern: wanted.pattern)
    let report = try await export.write(
      to: wanted.destination,
      reading: { body in
        let add = { @Sendable (invoice: DocumentedInvoice) in
          try body(invoice.keeping(chosen.kinds))
        }
        guard let name = chosen.invoice else {
          try await database?.forEachDocumentedInvoice(matching: chosen.invoices, add)
          return
        }
        for invoice in try await database?.documentedInvoices(named: name, account: account) ?? [] {
          try add(invoice)
        }
      })
    post(APPCORE_EVENT_DOCUMENT_EXPORT, DocumentExportDocument(report, to: wanted.path))
    if let failures = Failures(report) { throw failures }
  }
}

/// The document of `APPCORE_EVENT_DOCUMENT_PROGRESS`.
struct DocumentProgressDocument: Encodable {
  let schemaVersion = 1
  let account: String
  /// The number of invoices that were looked at, and of all.
  let invoices: Int
  let invoicesInAll: Int
  let stored: Int
  let failed: Int
  let bytes: Int

  init(_ progress: DocumentProgress, account: String) {
    self.account = account
    (invoices, invoicesInAll) = progress.invoices
    (stored, failed, bytes) = (progress.stored, progress.failed, progress.bytes)
  }
}
