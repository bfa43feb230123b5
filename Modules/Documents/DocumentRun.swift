import ErrorCodes
import Models
import Networking
import Storage
import SystemSupport

/// One run: it looks at the invoices in groups, and keeps as many requests under way as the session
/// has permits.
struct DocumentRun: Sendable {
  /// A piece of work for one invoice.
  private enum Job: Sendable {
    case list(DocumentedInvoice, Request, read: @Sendable (Response) throws -> [Attachment])
    case fetch(DocumentedInvoice, StoredDocument)
    case store(DocumentedInvoice, StoredDocument, arrival: String)

    var kind: DocumentKind {
      switch self {
      case .list: .attachment
      case .fetch(_, let document), .store(_, let document, _): document.kind
      }
    }

    var isRequest: Bool {
      if case .store = self { false } else { true }
    }
  }

  /// The ways to treat a file.
  private enum Decision {
    case fetch
    case count(DocumentReport.Count)
    case leave
  }

  /// The number of invoices that are read from the database at once.
  private static let group = 200
  /// The number of files that are stored while requests have all of the session's permits.
  private static let storing = 2

  private let sync: DocumentSync
  private let options: DocumentSyncOptions
  private let kinds: Set<DocumentKind>
  private let tally: DocumentTally
  private let lists: AttachmentLists
  private let fetcher: DocumentFetcher
  private let requireSameSignIn: @Sendable () async throws -> Void

  init(
    _ sync: DocumentSync, _ options: DocumentSyncOptions, _ kinds: Set<DocumentKind>,
    _ requireSameSignIn: @escaping @Sendable () async throws -> Void,
    _ tell: @escaping @Sendable (DocumentProgress) -> Void
  ) {
    (self.sync, self.options, self.kinds) = (sync, options, kinds)
    self.requireSameSignIn = requireSameSignIn
    tally = DocumentTally(sync, options, kinds, tell)
    lists = AttachmentLists(sync, options)
    fetcher = DocumentFetcher(
      source: sync.source, session: sync.session, store: sync.store, now: sync.time.wall)
  }

  func report() async throws -> DocumentReport {
    var query = options.invoices
    query.account = sync.account
    (query.sort, query.isAscending, query.includesLines) = (.issueDate, false, false)
    let keys =
      if let keys = options.keys { keys } else {
        try await sync.database.invoiceKeys(matching: query)
      }
    tally.expect(invoices: keys.count)
    do { try await work(through: keys) } catch SessionError.cancelled {
      throw CancellationError()
    }
    try Task.checkCancellation()
    if !tally.hasEnded, !options.isDryRun {
      await BlockingWork.run { [sync] in sync.store.removeArrivals(account: sync.account) }
    }
    return tally.report
  }

  private func work(through keys: [InvoiceKey]) async throws {
    var groups = stride(from: 0, to: keys.count, by: Self.group).lazy
      .map { keys[$0..<min($0 + Self.group, keys.count)] }.makeIterator()
    var jobs: ArraySlice<Job> = []
    let width = options.isDryRun ? 1 : sync.session.configuration.concurrency
    var whole: [String: [Attachment]]?
    try await withThrowingTaskGroup(of: (Job, [Job]).self) { tasks in
      var (running, requesting) = (0, 0)
      // One request shows whether the login may read a kind that needs a scope of its own.
      var unproven: Set<DocumentKind> =
        options.isDryRun ? [] : kinds.filter { sync.source.scope(for: $0) != nil }
      var trying: Set<DocumentKind> = []
      func mayBegin(_ job: Job) -> Bool {
        !job.isRequest || requesting < width && !tally.hasEnded && !trying.contains(job.kind)
      }
      while true {
        while jobs.isEmpty, !tally.hasEnded, let keys = groups.next() {
          jobs = try await self.jobs(for: keys, &whole)[...]
        }
        if running < width + Self.storing, let next = jobs.firstIndex(where: mayBegin) {
          let job = jobs.remove(at: next)
          if job.isRequest {
            guard !tally.isSpent() else { continue }
            if unproven.contains(job.kind) { trying.insert(job.kind) }
            requesting += 1
          }
          running += 1
          tasks.addTask { (job, try await tally.waiting { try await run(job) }) }
        } else {
          guard running > 0, let (job, found) = try await tasks.next() else { break }
          // Files that arrived, and attachments that were listed, come before the next invoice's.
          jobs = found[...] + jobs
          running -= 1
          guard job.isRequest else { continue }
          requesting -= 1
          if trying.remove(job.kind) != nil { unproven.remove(job.kind) }
        }
      }
    }
    if whole != nil, !tally.hasEnded, !tally.isDenied(.attachment) { lists.noteWholeRead() }
  }

  // MARK: The files that are wanted

  private func jobs(
    for keys: ArraySlice<InvoiceKey>, _ whole: inout [String: [Attachment]]?
  ) async throws -> [Job] {
    var jobs: [Job] = []
    if let objects = options.objects {
      for invoice in try await sync.database.documentedInvoices(withKeys: keys)
      where invoice.stored.deletedAt == nil {
        jobs += invoice.documents.filter { objects.contains($0.sha256 ?? "") }.map {
          .fetch(invoice, $0)
        }
      }
      return jobs
    }
    let states = try await sync.database.documentStates(withKeys: keys)
    let left = states.filter { !isDone($0) }.map(\.key)
    for invoice in try await sync.database.documentedInvoices(withKeys: left) {
      for kind in [DocumentKind.pdf, .ubl] where kinds.contains(kind) {
        let document =
          invoice.documents.first { $0.kind == kind }
          ?? StoredDocument(
            account: sync.account, invoiceID: invoice.stored.invoice.id, kind: kind)
        if let job = job(for: document, of: invoice) { jobs.append(job) }
      }
      if kinds.contains(.attachment) {
        if lists.isNeeded(of: invoice.states) {
          jobs += try await list(of: invoice, &whole)
        } else {
          let attachments = invoice.documents.filter { $0.kind == .attachment }
          jobs += attachments.compactMap { job(for: $0, of: invoice) }
        }
      }
    }
    tally.count(invoices: keys.count)
    return jobs
  }

  /// Returns whether no file of an invoice is to be fetched or listed, and then counts its files.
  private func isDone(_ invoice: DocumentStates) -> Bool {
    if kinds.contains(.attachment), lists.isNeeded(of: invoice) { return false }
    let decisions = invoice.files(of: kinds).map { decision(on: $0, of: invoice) }
    for case .fetch in decisions { return false }
    for case .count(let count) in decisions { tally.count(count) }
    return true
  }

  /// Returns the work for a file; `nil` for one that is not fetched.
  private func job(for document: StoredDocument, of invoice: DocumentedInvoice) -> Job? {
    switch decision(on: document.summary, of: invoice.states) {
    case .fetch: return .fetch(invoice, document)
    case .count(let count): tally.count(count)
    case .leave: break
    }
    return nil
  }

  private func decision(
    on file: DocumentStates.File, of invoice: DocumentStates
  ) -> Decision {
    // An attachment changes with its list, not with its invoice.
    let isSame = file.kind == .attachment || file.fingerprint == invoice.fingerprint
    if options.refresh != .all {
      switch file.state {
      case .stored where isSame || options.refresh == .never: return .count(\.unchanged)
      case .gone where isSame: return .count(\.gone)
      case .unsupported where isSame: return .count(\.unsupported)
      default: break
      }
    }
    guard !invoice.isDeleted else { return .leave }
    let isRendered =
      file.kind == .attachment
      || sync.source.renders(file.kind, of: invoice.id, as: invoice.type, with: invoice.status)
    return isRendered ? .fetch : .count(\.unsupported)
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
      guard !options.isDryRun, !tally.isDenied(.attachment) else { return [] }
      // Read once, for the first invoice that needs it.
      if whole == nil {
        do { whole = try await tally.waiting { try await lists.readWhole(fetcher) } } catch {
          try tally.note(error, of: nil, .attachment)
          tally.leaveOut(.attachment)
          return []
        }
      }
      return try await listed(whole?[invoice.stored.invoice.id] ?? [], of: invoice)
    }
  }

  private func listed(
    _ attachments: [Attachment], of invoice: DocumentedInvoice
  ) async throws -> [Job] {
    try await lists.store(attachments, of: invoice).compactMap { job(for: $0, of: invoice) }
  }

  // MARK: Fetching

  private func run(_ job: Job) async throws -> [Job] {
    switch job {
    case .list(let invoice, let request, let read):
      guard !tally.isDenied(.attachment) else { return [] }
      let response: Response
      do { response = try await fetcher.ask(request, for: .attachment) } catch {
        try tally.note(error, of: invoice, .attachment)
        return []
      }
      try await requireSameSignIn()
      do {
        return try await listed(try fetcher.read(response, read), of: invoice)
      } catch {
        try tally.note(error, of: invoice, .attachment)
        return []
      }
    case .fetch(let invoice, let document):
      guard !tally.isDenied(document.kind), tally.mayBegin() else { return [] }
      guard !options.isDryRun else {
        tally.countStored(bytes: 0)
        return []
      }
      return try await fetch(document, of: invoice)
    case .store(let invoice, let document, let arrival):
      try await store(document, of: invoice, from: arrival)
      return []
    }
  }

  private func fetch(_ known: StoredDocument, of invoice: DocumentedInvoice) async throws -> [Job] {
    var document = known
    document.fingerprint = invoice.fingerprint
    let key = document.key
    let arrival: String
    do {
      arrival = try await fetcher.fetch(
        document, of: invoice.stored.invoice, renews: options.refresh == .all
      ) { [tally] received in
        tally.receive(received, of: key)
      }
    } catch {
      try await note(error, of: document, invoice)
      return []
    }
    try await requireSameSignIn()
    return [.store(invoice, document, arrival: arrival)]
  }

  private func store(
    _ document: StoredDocument, of invoice: DocumentedInvoice, from arrival: String
  ) async throws {
    do {
      try await fetcher.store(document, from: arrival) { file in
        var stored = document
        (stored.state, stored.errorCode) = (.stored, nil)
        // Another version has a name of its own.
        if stored.sha256 != file.sha256 { stored.fileName = nil }
        (stored.sha256, stored.size, stored.fetchedAt) = (file.sha256, file.size, now)
        stored.mediaType = stored.mediaType ?? stored.kind.mediaType
        try await sync.database.record([stored], at: now)
        tally.countStored(bytes: file.size)
      }
      tally.end(document.key)
    } catch {
      try await note(error, of: document, invoice)
    }
  }

  /// Records that a file could not be fetched or stored.
  private func note(
    _ error: any Error, of known: StoredDocument, _ invoice: DocumentedInvoice
  ) async throws {
    tally.end(known.key)
    guard let code = try tally.note(error, of: invoice, known.kind, known.name) else { return }
    var document = known
    let isThere = known.state == .stored
    switch error {
    case DocumentError.absent: document.state = .unsupported
    case DocumentError.gone: document.state = .gone
    default: document.state = isThere ? .stored : .failed
    }
    document.errorCode = [.failed, .stored].contains(document.state) ? code.rawValue : nil
    // The version that is stored stays what it is.
    if document.state == .stored {
      document.fingerprint = invoice.documents.first { $0.key == known.key }?.fingerprint
      return try await sync.database.record([document], at: now)
    }
    (document.sha256, document.fetchedAt) = (nil, nil)
    try await sync.database.record([document], at: now)
  }

  private var now: Timestamp { Timestamp(sync.time.wall()) }
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
