import Dispatch
import Foundation
import GRDB
import Glibc
import Synchronization
import SystemSupport

/// The search index of a first sync, built in a file of its own beside the rows that are stored.
///
/// FTS5 takes as long for the words of an invoice as everything else takes for its row, and a
/// database has one writer. So a thread of its own adds the words of stored rows to an index of the
/// same form, in a file without a name; at the end the contents of FTS5's tables are copied, which
/// takes a tenth of the time. Whichever way the process ends, nothing else is left of it.
///
/// The index is used only if no row has changed since its words were read, and the database has no
/// words yet; else ``SearchIndexer`` adds them as ever.
final class SearchBuild: Sendable {
  /// The state of the build, by its rows.
  struct Progress {
    /// The number of rows that were stored.
    var stored = 0
    /// The number of those whose words were added.
    private(set) var added = 0
    /// The number of rows without words that are worth a batch.
    private var worthwhile: Int
    /// True once a list has ended: no words wait for more rows then.
    var addsAll = false
    /// True while a job adds words or waits for rows.
    var hasJob = false
    /// True if it was cancelled, or failed.
    var isOver = false

    init(least: Int) { worthwhile = least }

    /// True if another batch is worth it.
    ///
    /// Half of the words wait until all rows are stored: the creation of the indexes then takes one
    /// core, and the words the other.
    var isWorthwhile: Bool {
      let rest = stored - added
      return !isOver && rest > 0 && (addsAll || rest >= max(worthwhile, stored / 2))
    }

    /// Notes that the words of some rows were added; no row means that there are no more.
    mutating func noteAdded(_ count: Int) {
      guard count > 0 else {
        added = stored
        return
      }
      added += count
      // A batch that is not whole makes a segment of the index all the same.
      worthwhile = count * 5 / 4
    }
  }

  /// The rows whose words were read together.
  private struct Batch {
    let end: Int64
    let count: Int
    /// The number of the last change before.
    let change: Int64
  }

  /// The index so far.
  private struct Index {
    let file: DatabaseQueue
    var batches: [Batch] = []
  }

  private let path: String
  private let pool: any DatabaseReader
  private let least: Int
  private let progress: Mutex<Progress>
  /// Only the jobs of ``queue`` use it.
  private let index = Mutex<Index?>(nil)
  private let queue = DispatchQueue(label: "appcore.search")
  /// Wakes the thread that adds words.
  private let news = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - path: the path of the database.
  ///   - pool: reads it.
  ///   - least: the number of stored rows with which it begins; fewer are indexed at once.
  init(_ path: String, _ pool: any DatabaseReader, least: Int = 20_000) {
    (self.path, self.pool, self.least) = (path, pool, least)
    progress = Mutex(Progress(least: least))
  }

  deinit {
    news.signal()
    try? index.withLock { $0 }?.file.close()
  }

  /// True if enough rows were stored.
  var hasBegun: Bool { progress.withLock { $0.stored >= least && !$0.isOver } }

  /// The number of rows whose words were added.
  var added: Int { progress.withLock { $0.added } }

  /// Notes that rows were stored, and begins to add their words if it is worth it.
  func stored(_ count: Int) {
    progress.withLock { $0.stored += count }
    addIfWorthwhile()
  }

  /// Ends it without a result; afterwards it reads nothing.
  func end() async {
    cancel()
    await onQueue {}
  }

  private func cancel() {
    progress.withLock { $0.isOver = true }
    news.signal()
  }

  private var isOver: Bool { progress.withLock { $0.isOver } }

  /// Adds the words of all rows that are stored, while the caller goes on.
  func addRestLater() {
    progress.withLock { $0.addsAll = true }
    addIfWorthwhile()
  }

  private func addIfWorthwhile() {
    let begins = progress.withLock { progress in
      guard !progress.hasJob, progress.isWorthwhile else { return false }
      progress.hasJob = true
      return true
    }
    guard begins else {
      news.signal()
      return
    }
    // The job waits for rows on its thread: on another one, the C library would take the memory for
    // the words from another place, and keep both.
    queue.async { [weak self, news] in
      while let addsBatch = self?.nextStep() {
        if addsBatch { self?.addBatch() } else { news.wait() }
      }
    }
  }

  /// Returns whether another batch is worth it, or ends the job with `nil` if none will be.
  private func nextStep() -> Bool? {
    progress.withLock { progress in
      let hasAll = progress.addsAll && progress.added >= progress.stored
      progress.hasJob = !progress.isOver && !hasAll
      return progress.hasJob ? progress.isWorthwhile : nil
    }
  }

  /// Adds the words of all rows that are stored.
  ///
  /// - Returns: false if the build did not begin, or failed.
  func addRest() async -> Bool {
    guard hasBegun else { return false }
    addRestLater()
    return await withTaskCancellationHandler {
      // Behind the job, which ends once the words of all rows are there.
      await onQueue { [self] in !isOver }
    } onCancel: {
      cancel()
    }
  }

  /// Replaces the index of the database by this one, if it may be used.
  ///
  /// The caller keeps others from writing.
  ///
  /// - Returns: whether it was.
  func adopt() async -> Bool {
    await onQueue { [self] in
      let index = index.withLock { $0.take() }
      guard let index, let last = index.batches.last, !isOver else { return false }
      // Whatever it fails with, the database is as it was, and its index is behind.
      return
        (try? index.file.writeWithoutTransaction { db in
          try copy(index.batches, upTo: last.end, db)
        }) ?? false
    }
  }

  private func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  // MARK: Adding words

  /// Adds the words of the next rows.
  private func addBatch() {
    do {
      var current = try index.withLock { try $0 ?? Index(file: Self.file(beside: path)) }
      let words = try WordBatch.read(after: current.batches.last?.end ?? 0, from: pool)
      if words.count > 0 {
        try current.file.write { try words.add(to: $0) }
        current.batches.append(
          Batch(end: words.end, count: words.count, change: words.change))
      }
      let added = current
      index.withLock { $0 = added }
      progress.withLock { $0.noteAdded(words.count) }
    } catch {
      index.withLock { $0 = nil }
      cancel()
    }
  }

  /// Creates the file, which nobody else can open, and an index of the same form in it.
  private static func file(beside path: String) throws -> DatabaseQueue {
    let file = "\(path)-search-\(RandomBytes.make(8).hexadecimal)"
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    close(descriptor)
    defer { unlink(file) }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // A crash takes the file with it.
      try db.execute(sql: "PRAGMA journal_mode = OFF")
      try db.execute(sql: "PRAGMA synchronous = OFF")
      try db.execute(sql: "PRAGMA cache_size = -1024")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }
    let queue = try DatabaseQueue(path: file, configuration: configuration)
    try queue.write { try $0.execute(sql: Schema.searchBuild) }
    return queue
  }

  // MARK: Copying

  /// Copies the index in a transaction, if the database has the rows as they were read.
  private func copy(_ batches: [Batch], upTo end: Int64, _ db: Database) throws -> Bool {
    try db.execute(sql: "ATTACH ? AS store", arguments: [path])
    defer { try? db.execute(sql: "DETACH store") }
    try OpenFile(path: path, schema: "store").check(db)
    try db.execute(sql: "PRAGMA store.synchronous = FULL")
    var isCopied = false
    try db.inTransaction(.immediate) {
      guard try isCurrent(batches, db) else { return .rollback }
      for table in ["data", "idx"] {
        try db.execute(sql: "DELETE FROM store.invoice_search_\(table)")
        try db.execute(
          sql: """
            INSERT INTO store.invoice_search_\(table) SELECT * FROM main.invoice_search_\(table)
            """)
      }
      try SearchState(db: db).setIndexedRow(end)
      isCopied = true
      return .commit
    }
    return isCopied
  }

  private func isCurrent(_ batches: [Batch], _ db: Database) throws -> Bool {
    let isUnused =
      try Bool.fetchOne(
        db,
        sql: """
          SELECT indexed_row = 0 AND NOT EXISTS (SELECT 1 FROM search_pending)
            AND NOT EXISTS (SELECT 1 FROM store.invoice_search_idx) FROM search_state
          """) ?? false
    guard isUnused else { return false }
    var counts = batches.map { _ in 0 }
    var isSame = true
    // The sign keeps SQLite from reading the rows: an index has both columns.
    try BoundStatement(db, "SELECT row, change FROM invoice WHERE +row > 0").forEachRow { columns in
      guard let row = columns.integer(at: 0), let change = columns.integer(at: 1) else { return }
      // The first batch that ends at the row or after it.
      var (low, high) = (0, batches.count)
      while low < high {
        let middle = (low + high) / 2
        if batches[middle].end < row { low = middle + 1 } else { high = middle }
      }
      guard low < batches.count else { return }
      counts[low] += 1
      if change > batches[low].change { isSame = false }
    }
    return isSame && counts == batches.map(\.count)
  }
}

/// The build of a database's search index that is under way.
final class CurrentSearchBuild: Sendable {
  private let build = Mutex<SearchBuild?>(nil)

  var value: SearchBuild? {
    get { build.withLock { $0 } }
    set { build.withLock { $0 = newValue } }
  }
}
