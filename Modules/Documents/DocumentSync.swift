import ErrorCodes
import Foundation
public import Logging
public import Models
public import Networking
public import Storage
import Synchronization
package import SystemSupport

/// Fetches the files of an account's invoices, over a session of their own.
///
/// A run can be interrupted anywhere. A file is stored once its content was checked and is durable
/// under its own hash; its row follows. What an interrupted run was fetching is fetched again, and
/// nothing else.
public struct DocumentSync: Sendable {
  /// The account.
  public let account: String
  /// The folder of the objects.
  public let store: ObjectStore
  let provider: String
  let source: any DocumentSource
  let session: Session
  let database: LocalDatabase
  let time: TimeSource
  let log: Logger

  /// Creates the sync of an account.
  ///
  /// - Parameters:
  ///   - account: the account, whose invoices the database holds.
  ///   - provider: the provider's name for people.
  ///   - source: the provider's ways to files.
  ///   - session: the session, with the account's login.
  ///   - database: the database.
  ///   - store: the folder of the objects.
  ///   - logger: receives the log.
  public init(
    account: String, provider: String, source: any DocumentSource, session: Session,
    database: LocalDatabase, store: ObjectStore,
    logger: Logger = Logger(label: "appcore.documents")
  ) {
    self.init(
      account: account, provider: provider, source: source, session: session, database: database,
      store: store, logger: logger, time: .system)
  }

  package init(
    account: String, provider: String, source: any DocumentSource, session: Session,
    database: LocalDatabase, store: ObjectStore, logger: Logger, time: TimeSource
  ) {
    self.account = account
    self.provider = provider
    self.source = source
    self.session = session
    self.database = database
    self.store = store
    self.time = time
    log = logger
  }

  /// Fetches the files that are missing, the newest invoices' first.
  ///
  /// - Parameters:
  ///   - options: the options of the run.
  ///   - progress: called after each file and each piece of one.
  /// - Returns: the report. A file that cannot be fetched is in it, and ends nothing.
  /// - Throws: ``DocumentError/unsupported(provider:kinds:)``,
  ///   ``DocumentError/alreadyRunning(account:)``, ``DocumentError/unusable(path:underlying:)``;
  ///   `AuthenticationError`, `StorageError`; `CancellationError`, also for
  ///   `SessionError.cancelled`: what was stored stays.
  public func run(
    _ options: DocumentSyncOptions = DocumentSyncOptions(),
    progress: @escaping @Sendable (DocumentProgress) -> Void = { _ in }
  ) async throws -> DocumentReport {
    let kinds = try kinds(options)
    let lock = try await lock()
    defer { lock.release() }
    let run = DocumentRun(self, options, kinds, progress)
    guard let wait = options.maximumWait else { return try await run.report() }
    return try await Session.waiting(atMost: wait) { try await run.report() }
  }

  private func kinds(_ options: DocumentSyncOptions) throws -> Set<DocumentKind> {
    let wanted = options.kinds ?? [.pdf, .attachment]
    let kinds = wanted.intersection(source.kinds)
    // Whoever names a kind wants to know that there is none.
    guard !kinds.isEmpty, options.kinds == nil || kinds == wanted else {
      let missing = wanted.subtracting(source.kinds).map(\.plural).sorted()
      throw DocumentError.unsupported(
        provider: provider, kinds: missing.joined(separator: " or "))
    }
    return kinds
  }

  private func lock() async throws -> HeldLock {
    let name = SHA256.hash(Data(account.utf8)).prefix(8).hexadecimal
    do {
      try await BlockingWork.run { [store] in try ObjectStore.makeFolder(store.folder) }
      return try await HeldLock.acquire(at: store.folder + "/\(name).lock", timeout: .zero)
    } catch FileLockError.heldElsewhere {
      throw DocumentError.alreadyRunning(account: account)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw DocumentError.unusable(path: store.folder, underlying: error)
    }
  }
}

extension DocumentKind {
  /// The files of the kind, in sentences.
  public var plural: String {
    switch self {
    case .pdf: "PDFs"
    case .attachment: "attachments"
    case .ubl: "UBL files"
    }
  }
}

/// One run: it looks at the invoices in groups, and keeps as many files under way as the session
/// has permits.
private final class DocumentRun: Sendable {
  /// A piece of work for one invoice.
  private enum Job: Sendable {
    case list(DocumentedInvoice, Request, read: @Sendable (Response) throws -> [Attachment])
    case fetch(DocumentedInvoice, StoredDocument)

    var kind: DocumentKind {
      switch self {
      case .list: .attachment
      case .fetch(_, let document): document.kind
      }
    }
  }

  private struct State {
    var report: DocumentReport
    var progress = DocumentProgress()
    /// The bytes that each file under way has received.
    var receiving: [String: Int] = [:]
    /// The files that were begun.
    var begun = 0
    var denied: Set<DocumentKind> = []
    /// The failures of the server since the last file that arrived.
    var outages = 0
  }

  /// The number of invoices that are read from the database at once.
  private static let group = 200
  /// The number of failures of the server in a row that are an outage.
  private static let outage = 5

  private let sync: DocumentSync
  private let options: DocumentSyncOptions
  private let kinds: Set<DocumentKind>
  private let tell: @Sendable (DocumentProgress) -> Void
  private let state: Mutex<State>
  private let begin: Duration
  private let fetcher: DocumentFetcher

  init(
    _ sync: DocumentSync, _ options: DocumentSyncOptions, _ kinds: Set<DocumentKind>,
    _ tell: @escaping @Sendable (DocumentProgress) -> Void
  ) {
    self.sync = sync
    self.options = options
    self.kinds = kinds
    self.tell = tell
    var report = DocumentReport(account: sync.account, provider: sync.provider)
    report.isDryRun = options.isDryRun
    state = Mutex(State(report: report))
    begin = sync.time.uptime()
    fetcher = DocumentFetcher(
      source: sync.source, session: sync.session, store: sync.store, now: sync.time.wall)
  }

  func report() async throws -> DocumentReport {
    let before = sync.session.statistics
    var query = options.invoices
    query.account = sync.account
    (query.sort, query.isAscending, query.includesLines) = (.issueDate, false, false)
    let keys =
      if let keys = options.keys { keys } else {
        try await sync.database.invoiceKeys(matching: query)
      }
    state.withLock { $0.progress.invoicesInAll = keys.count }
    do { try await work(through: keys) } catch SessionError.cancelled {
      throw CancellationError()
    }
    try Task.checkCancellation()
    var report = state.withLock { $0.report }
    if report.ending == nil, !options.isDryRun {
      await BlockingWork.run { [store = sync.store] in store.removeArrivals() }
    }
    report.requests = sync.session.statistics.requests - before.requests
    report.duration = sync.time.uptime() - begin
    return report
  }

  // MARK: What is wanted

  /// Reads the one list of all attachments.
  private func wholeList() async throws -> [String: [Attachment]] {
    guard let list = sync.source.wholeAttachmentList else { return [:] }
    var found: [String: [Attachment]] = [:]
    var next: Request? = list.first
    do {
      while let request = next {
        let response = try await fetcher.ask(request, for: .attachment)
        let page = try list.read(response, request)
        for (invoice, attachment) in page.attachments {
          found[invoice, default: []].append(attachment)
        }
        next = page.next
      }
      return found
    } catch {
      try note(error, of: nil, .attachment, nil)
      state.withLock { _ = $0.denied.insert(.attachment) }
      return [:]
    }
  }

  private func needsList(_ invoice: DocumentedInvoice) -> Bool {
    guard kinds.contains(.attachment), invoice.stored.deletedAt == nil else { return false }
    return options.refresh == .all || invoice.listedFingerprint == nil
      || (options.refresh == .changed && invoice.listedFingerprint != invoice.fingerprint)
  }

  private func work(through keys: [InvoiceKey]) async throws {
    var groups = keys.groups(of: Self.group).makeIterator()
    var jobs: ArraySlice<Job> = []
    let width = options.isDryRun ? 1 : max(1, sync.session.configuration.concurrency)
    try await withThrowingTaskGroup(of: (DocumentKind, [Job]).self) { tasks in
      var running = 0
      // One request shows whether the login may read a kind that needs a scope of its own.
      var unproven: Set<DocumentKind> =
        options.isDryRun ? [] : kinds.filter { sync.source.scope(for: $0) != nil }
      var trying: Set<DocumentKind> = []
      var whole: [String: [Attachment]]?
      while true {
        while jobs.isEmpty, !hasEnded, let keys = groups.next() {
          jobs = try await self.jobs(for: keys, &whole)[...]
        }
        if running < width, !hasEnded,
          let next = jobs.firstIndex(where: { !trying.contains($0.kind) })
        {
          let job = jobs.remove(at: next)
          guard !isSpent() else { continue }
          if unproven.contains(job.kind) { trying.insert(job.kind) }
          running += 1
          tasks.addTask { (job.kind, try await self.run(job)) }
        } else {
          guard running > 0 else { break }
          // Attachments that were listed come before the next invoice's files.
          guard let (kind, found) = try await tasks.next() else { break }
          jobs = found[...] + jobs
          running -= 1
          if trying.remove(kind) != nil { unproven.remove(kind) }
        }
      }
    }
  }

  private var hasEnded: Bool { state.withLock { $0.report.ending != nil } }

  /// Returns whether the run's limits are reached, and notes which.
  private func isSpent() -> Bool {
    let elapsed = sync.time.uptime() - begin
    return state.withLock { state in
      if let limit = options.maximumDuration, elapsed >= limit {
        state.report.ending = .duration
      } else if let limit = options.limit, state.begun >= limit {
        state.report.ending = .limit
      }
      return state.report.ending != nil
    }
  }

  private func jobs(
    for keys: ArraySlice<InvoiceKey>, _ whole: inout [String: [Attachment]]?
  ) async throws -> [Job] {
    var jobs: [Job] = []
    for invoice in try await sync.database.documentedInvoices(withKeys: keys) {
      for kind in [DocumentKind.pdf, .ubl] where kinds.contains(kind) {
        if let job = rendered(kind, of: invoice) { jobs.append(job) }
      }
      if needsList(invoice) {
        jobs += try await list(of: invoice, &whole)
      } else if kinds.contains(.attachment) {
        jobs += attachments(of: invoice, in: invoice.documents)
      }
      tellProgress { $0.invoicesDone += 1 }
    }
    return jobs
  }

  private func rendered(_ kind: DocumentKind, of invoice: DocumentedInvoice) -> Job? {
    let known = invoice.documents.first { $0.kind == kind }
    let isSame = known?.fingerprint == invoice.fingerprint
    switch known?.state {
    case .stored where options.refresh != .all && (isSame || options.refresh == .never):
      state.withLock { $0.report.unchanged += 1 }
      return nil
    case .unsupported where isSame && options.refresh != .all:
      state.withLock { $0.report.unsupported += 1 }
      return nil
    case .gone where isSame && options.refresh != .all:
      state.withLock { $0.report.gone += 1 }
      return nil
    default: break
    }
    guard invoice.stored.deletedAt == nil, sync.source.renders(kind, of: invoice.stored.invoice)
    else { return nil }
    return .fetch(
      invoice,
      known
        ?? StoredDocument(
          account: sync.account, invoiceID: invoice.stored.invoice.id, kind: kind))
  }

  private func attachments(
    of invoice: DocumentedInvoice, in documents: [StoredDocument]
  ) -> [Job] {
    documents.filter { $0.kind == .attachment }.compactMap { document in
      switch document.state {
      case .stored where options.refresh != .all:
        state.withLock { $0.report.unchanged += 1 }
        return nil
      case .gone:
        state.withLock { $0.report.gone += 1 }
        return nil
      case .unsupported where options.refresh != .all:
        state.withLock { $0.report.unsupported += 1 }
        return nil
      default: return .fetch(invoice, document)
      }
    }
  }

  private func list(
    of invoice: DocumentedInvoice, _ whole: inout [String: [Attachment]]?
  ) async throws -> [Job] {
    switch try sync.source.attachments(of: invoice.stored.invoice) {
    case .none: return try await listed([], of: invoice)
    case .known(let attachments): return try await listed(attachments, of: invoice)
    case .request(let request, let read):
      return options.isDryRun ? [] : [.list(invoice, request, read: read)]
    case .inWholeList:
      guard !options.isDryRun, !isDenied(.attachment) else { return [] }
      // Read once, for the first invoice that is new to it.
      if whole == nil { whole = try await wholeList() }
      guard !isDenied(.attachment) else { return [] }
      return try await listed(whole?[invoice.stored.invoice.id] ?? [], of: invoice)
    }
  }

  /// Stores the list of an invoice's attachments, and returns the work that it makes.
  private func listed(
    _ attachments: [Attachment], of invoice: DocumentedInvoice
  ) async throws -> [Job] {
    let known = invoice.documents.filter { $0.kind == .attachment }
    let documents = attachments.map { attachment -> StoredDocument in
      var document =
        known.first { $0.id == attachment.id }
        ?? StoredDocument(
          account: sync.account, invoiceID: invoice.stored.invoice.id, kind: .attachment,
          id: attachment.id)
      let isOther =
        attachment.md5.map { $0 != document.providerHash } ?? false
        || (document.state == .stored && attachment.size.map { $0 != document.size } ?? false)
      if document.state == .gone { document.state = document.sha256 == nil ? .missing : .stored }
      if document.state == .stored, isOther { document.state = .missing }
      document.name = attachment.name ?? document.name
      document.mediaType = attachment.mediaType ?? document.mediaType
      if document.state != .stored { document.size = attachment.size }
      document.providerHash = attachment.md5 ?? document.providerHash
      document.fingerprint = invoice.fingerprint
      return document
    }
    if !options.isDryRun, !documents.isEmpty || !known.isEmpty || invoice.needsMark {
      try await sync.database.record(attachments: documents, of: invoice, at: now)
    }
    return self.attachments(of: invoice, in: documents)
  }

  // MARK: Fetching

  private func run(_ job: Job) async throws -> [Job] {
    switch job {
    case .list(let invoice, let request, let read):
      guard !isDenied(.attachment) else { return [] }
      do {
        let response = try await fetcher.ask(request, for: .attachment)
        return try await listed(try read(response), of: invoice)
      } catch {
        try note(error, of: invoice, .attachment, nil)
        return []
      }
    case .fetch(let invoice, let document):
      guard !isDenied(document.kind) else { return [] }
      guard mayBegin() else { return [] }
      guard !options.isDryRun else {
        tellProgress { $0.stored += 1 }
        state.withLock { $0.report.stored += 1 }
        return []
      }
      try await fetch(document, of: invoice)
      return []
    }
  }

  private func isDenied(_ kind: DocumentKind) -> Bool {
    state.withLock { $0.denied.contains(kind) }
  }

  /// Counts a file that begins, unless the run's limit of files is reached.
  private func mayBegin() -> Bool {
    state.withLock { state in
      if let limit = options.limit, state.begun >= limit {
        state.report.ending = .limit
        return false
      }
      state.begun += 1
      return true
    }
  }

  private func fetch(_ document: StoredDocument, of invoice: DocumentedInvoice) async throws {
    var document = document
    document.fingerprint = invoice.fingerprint
    let key = [document.invoiceID, document.kind.rawValue, document.id].joined(separator: "\n")
    defer { state.withLock { $0.receiving[key] = nil } }
    do {
      let file = try await fetcher.fetch(document, of: invoice.stored.invoice) { [self] received in
        let progress = state.withLock { state in
          state.progress.bytes += received - (state.receiving[key] ?? 0)
          state.receiving[key] = received
          return state.progress
        }
        tell(progress)
      }
      (document.state, document.errorCode) = (.stored, nil)
      // Another version has a name of its own.
      if document.sha256 != file.sha256 { document.fileName = nil }
      (document.sha256, document.size, document.fetchedAt) = (file.sha256, file.size, now)
      document.mediaType = document.mediaType ?? document.kind.mediaType
      try await sync.database.record([document], at: now)
      state.withLock { state in
        state.report.stored += 1
        state.report.bytes += file.size
        state.outages = 0
      }
      tellProgress { $0.stored += 1 }
    } catch {
      guard let code = try note(error, of: invoice, document.kind, document.name) else { return }
      switch error {
      case DocumentError.absent: document.state = .unsupported
      case DocumentError.gone: document.state = .gone
      default: document.state = .failed
      }
      document.errorCode = document.state == .failed ? code.rawValue : nil
      (document.sha256, document.fetchedAt) = (nil, nil)
      try await sync.database.record([document], at: now)
    }
  }

  /// Notes an error in the report.
  ///
  /// - Returns: the code to store with the file; `nil` if the error is not the file's own.
  /// - Throws: the error, if the run cannot go on.
  @discardableResult
  private func note(
    _ error: any Error, of invoice: DocumentedInvoice?, _ kind: DocumentKind, _ name: String?
  ) throws -> ErrorCode? {
    if Task.isCancelled || error is CancellationError { throw CancellationError() }
    let code: ErrorCode
    switch error {
    case DocumentError.absent:
      state.withLock { $0.report.unsupported += 1 }
      return .notFound
    case DocumentError.gone:
      state.withLock { $0.report.gone += 1 }
      return .notFound
    case SessionError.insufficientScope(let needed, _, _):
      return try note(
        DocumentError.accessDenied(scope: needed ?? sync.source.scope(for: kind)), of: invoice,
        kind,
        name)
    case let error as DocumentError where error.isDenial:
      // One fact about the account, not one of each file.
      state.withLock { state in
        state.denied.insert(kind)
        if state.report.denial == nil { state.report.denial = error }
        if state.denied.isSuperset(of: kinds) { state.report.ending = .denied }
      }
      return nil
    case DocumentError.rateLimited(let retryAt):
      postpone(until: retryAt.map { Timestamp($0) })
      return nil
    case SessionError.rateLimited(let wait):
      postpone(until: Timestamp(sync.time.wall().addingTimeInterval(wait / .seconds(1))))
      return nil
    case SessionError.cancelled, SessionError.closed, DocumentError.unusable: throw error
    case DownloadError.unwritable: throw error
    case let error as DocumentError: code = error.code
    case let error as SessionError: code = error.code
    case let error as DownloadError: code = error.code
    default: throw error
    }
    let text = (error as? any CodedError)?.description ?? "failed"
    state.withLock { state in
      state.report.failed += 1
      state.progress.failed += 1
      if let invoice, state.report.failures.count < DocumentReport.failuresLimit {
        state.report.failures.append(
          DocumentReport.FailedFile(
            invoiceID: invoice.stored.invoice.id, number: invoice.stored.invoice.number, kind: kind,
            name: name, code: code, message: text))
      }
      guard [.serverUnavailable, .serverFailed, .untrustedServer].contains(code) else { return }
      state.outages += 1
      if state.outages >= Self.outage {
        state.report.ending = .unavailable
        state.report.outage = error
      }
    }
    return code
  }

  /// Ends the run; without a time from the server it is a minute, as most limits are counted by it.
  private func postpone(until retryAt: Timestamp?) {
    let retryAt = retryAt ?? now.adding(seconds: 60)
    state.withLock { state in
      state.report.ending = .rateLimit
      state.report.retryAt = max(retryAt, state.report.retryAt ?? retryAt)
    }
  }

  private var now: Timestamp { Timestamp(sync.time.wall()) }

  private func tellProgress(_ change: (inout DocumentProgress) -> Void) {
    let progress = state.withLock { state in
      change(&state.progress)
      return state.progress
    }
    tell(progress)
  }
}

extension DocumentedInvoice {
  /// True if the list of its attachments has to be noted although it has none: it was noted before.
  fileprivate var needsMark: Bool { listedFingerprint != fingerprint }
}

extension DocumentKind {
  fileprivate var mediaType: String? {
    switch self {
    case .pdf: "application/pdf"
    case .ubl: "application/xml"
    case .attachment: nil
    }
  }
}

extension DocumentError {
  fileprivate var isDenial: Bool { if case .accessDenied = self { true } else { false } }
}

extension [InvoiceKey] {
  fileprivate func groups(of size: Int) -> some Sequence<ArraySlice<InvoiceKey>> {
    stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
  }
}
