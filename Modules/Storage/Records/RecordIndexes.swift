import GRDB
import SystemSupport

/// The indexes that a first sync stores without, inside a transaction.
///
/// It creates them at its end: written row by row, at random places, they cost three times what
/// they cost in one piece, and twice the bytes in the write-ahead log. A query meanwhile finds the
/// same, more slowly.
struct RecordIndexes {
  let db: Database

  /// Drops those of a table if it has no record yet.
  ///
  /// - Returns: whether there is none; false if there are no such indexes.
  func dropIfEmpty(_ table: any RecordTable.Type) throws -> Bool {
    guard !table.indexes.isEmpty,
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(table.name))") ?? false
    else { return false }
    for index in table.indexes { try db.execute(sql: "DROP INDEX IF EXISTS \(index.name)") }
    return true
  }

  /// Returns whether an index exists.
  func exist(_ index: Schema.RecordIndex) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?)"),
      arguments: [index.name]) ?? false
  }

  /// Creates those that are missing.
  func createMissing() throws {
    for index in try missing() { try db.execute(sql: index.sql) }
  }

  /// Returns those that are missing.
  func missing() throws -> [Schema.RecordIndex] {
    let names = try String.fetchSet(
      db.cachedStatement(sql: "SELECT name FROM sqlite_schema WHERE type = 'index'"))
    return (Schema.invoiceIndexes + Schema.paymentIndexes).filter { !names.contains($0.name) }
  }
}

extension LocalDatabase {
  /// Brings the indexes up to date that syncs leave behind: those that a first sync stores without,
  /// and the search index.
  ///
  /// Each step is a transaction of its own, so that other programs can write in between, and an end
  /// anywhere leaves a database that the next call completes. Queries find everything at any time;
  /// with the indexes they are fast.
  ///
  /// - Parameter leavesWords: true to leave the search index to a later call, if a thread of its
  ///   own is adding the words of a first sync.
  /// - Throws: ``StorageError``, `CancellationError`.
  package func updateIndexes(leavesWords: Bool = false) async throws {
    guard try await read({ try Self.areIndexesBehind($0) }) else {
      // A search has indexed everything meanwhile.
      if let build = searchBuild.value, build.hasBegun {
        searchBuild.value = nil
        await build.end()
      }
      return
    }
    if let build = searchBuild.value, build.hasBegun {
      build.addRestLater()
      try await write { try RecordIndexes(db: $0).createMissing() }
      if leavesWords { return }
      searchBuild.value = nil
      if await build.addRest() { try await adopt(build) }
    }
    let reader = isInMemory ? nil : WordBatchReader(pool)
    let result: Result<Void, any Error>
    do {
      while try await write({ try SearchIndexer($0).addNext(readBy: reader) }) {
        try await letOthersWrite()
      }
      result = .success(try await write { try RecordIndexes(db: $0).createMissing() })
    } catch {
      result = .failure(error)
    }
    await BlockingWork.run { reader?.finish() }
    try result.get()
  }

  /// Takes the search index that was built beside the rows, if it may be used.
  private func adopt(_ build: SearchBuild) async throws {
    try await locked {
      guard await build.adopt() else { return }
      try? await pool.writeWithoutTransaction { [path] db in
        try WriteAheadLog(path: path).writeBack(db)
      }
    }
  }

  /// Reads what a query finds; if it searches, with all words that are stored.
  func read<Value: Sendable>(
    matching query: InvoiceQuery,
    _ body: @escaping @Sendable (Database, InvoiceQuery) throws -> Value
  ) async throws -> Value {
    guard query.asksForWords else { return try await read { try body($0, query) } }
    guard !isInMemory else {
      return try await write { db in
        while try SearchIndexer(db).addNext() {}
        return try body(db, query)
      }
    }
    try await updateSearchIfFree()
    return try await read { db in
      try UnindexedWords(db).with { isNeeded in
        var query = query
        query.hasUnindexedWords = isNeeded
        return try body(db, query)
      }
    }
  }

  /// Adds a batch of the words that the search index lacks, unless this is a connection that only
  /// reads, or another process writes.
  ///
  /// One batch only, since a sync that goes on beside it waits for the lock for a few seconds only.
  /// A failure here, such as on a full disk, does not keep the search from reading.
  private func updateSearchIfFree() async throws {
    guard !pool.configuration.readonly,
      try await read({ try SearchState(db: $0).isBehind() })
    else { return }
    do {
      try await StorageError.translating(path) {
        guard let lock = try FileLock.tryAcquire(at: path + ".lock") else { return }
        _ = try await writeLocked { try SearchIndexer($0).addNext() }
        lock.release()
      }
    } catch StorageError.corrupt(let path) {
      throw StorageError.corrupt(path: path)
    } catch is StorageError {}
  }

  /// Leaves the lock alone for longer than a process that waits for it pauses between two tries.
  private func letOthersWrite() async throws {
    if !isInMemory { try await Task.sleep(for: .milliseconds(60)) }
  }

  private static func areIndexesBehind(_ db: Database) throws -> Bool {
    try SearchState(db: db).isBehind() || !RecordIndexes(db: db).missing().isEmpty
  }
}
