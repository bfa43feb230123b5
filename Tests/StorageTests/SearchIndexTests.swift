import GRDB
import Models
import SystemSupport
import TestSupport
import Testing

@testable import Storage

/// The search index follows the rows in transactions of its own; a search never notices.
@Suite(.timeLimit(.minutes(10))) struct SearchIndexTests {
  private let scene = WholeInvoiceTests()

  @Test("a reader that cannot write finds words that the index lacks, in changed rows as in new")
  func readOnly() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let writer = try await LocalDatabase.open(at: path)
    _ = try await scene.commit(try scene.invoices(["a": "pear", "b": "plum"]), to: writer)
    try await writer.updateIndexes()
    _ = try await scene.commit(
      try scene.invoices(["b": "quince", "c": "pears"], version: 9), to: writer)
    #expect(try await scene.isBehind(writer))
    let reader = try #require(try await LocalDatabase.openForReading(at: path))
    #expect(try await scene.found("pear", in: reader) == ["a", "c"])
    #expect(try await scene.found("quince", in: reader) == ["b"])
    #expect(try await scene.found("plum", in: reader) == [])
    var query = InvoiceQuery()
    query.search = "pear"
    #expect(try await reader.totals(matching: query, by: .month).reduce(0) { $0 + $1.count } == 2)
    // The reader leaves the index as it is; a writer's search updates it.
    #expect(try await scene.isBehind(writer))
    #expect(try await scene.found("quince", in: writer) == ["b"])
    #expect(try await !scene.isBehind(writer))
    #expect(try await scene.found("plum", in: writer) == [])
    try await reader.close()
    try await writer.close()
  }

  @Test("a search while another process writes waits for nothing, and finds everything")
  func besideWriter() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try scene.invoices(["a": "pear"]), to: database)
      guard let lock = try FileLock.tryAcquire(at: database.path + ".lock") else {
        Issue.record("nobody else has the lock")
        return
      }
      #expect(try await scene.found("pear", in: database) == ["a"])
      #expect(try await scene.isBehind(database))
      lock.release()
    }
  }

  @Test("a change that leaves all words as they were leaves the index as it was")
  func sameWords() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try scene.invoices(["a": "pear"]), to: database)
      try await database.updateIndexes()
      var changed = try scene.invoices(["a": "pear"], version: 9)
      changed[0].amountPaid = changed[0].total
      #expect(try await scene.commit(changed, to: database).updated == 1)
      #expect(try await !scene.isBehind(database))
      #expect(try await scene.found("pear", in: database) == ["a"])
    }
  }

  @Test("a text in another Unicode normal form is other words; the index follows it")
  func normalForms() async throws {
    try await scene.withDatabase { database in
      let (composed, decomposed) = ("\u{0439}ork", "\u{0438}\u{0306}ork")
      #expect(composed == decomposed)
      _ = try await scene.commit(try scene.invoices(["a": composed]), to: database)
      try await database.updateIndexes()
      _ = try await scene.commit(try scene.invoices(["a": decomposed], version: 9), to: database)
      #expect(try await scene.found(decomposed, in: database) == ["a"])
      _ = try await scene.commit(try scene.invoices(["a": "plum"], version: 10), to: database)
      try await database.updateIndexes()
      #expect(try await scene.found(composed, in: database) == [])
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  @Test("words that were read ahead of a change are read again")
  func readAhead() async throws {
    try await scene.withDatabase { database in
      // As much as one batch holds.
      let long = String(repeating: "pear ", count: 600_000)
      _ = try await scene.commit(try scene.invoices(["a": long, "b": long + "plum"]), to: database)
      let reader = WordBatchReader(database.pool)
      func addBatch(after row: Int64) async throws -> Int64 {
        try await database.write { db in
          let words = try reader.words(after: row, db)
          #expect(words.count == 1)
          try words.add(to: db)
          try SearchState(db: db).setIndexedRow(words.end)
          return words.end
        }
      }
      let first = try await addBatch(after: 0)
      _ = try await scene.commit(
        try scene.invoices(["b": long + "quince"], version: 9), to: database)
      _ = try await addBatch(after: first)
      #expect(try await !scene.isBehind(database))
      #expect(try await scene.found("quince", in: database) == ["b"])
      #expect(try await scene.found("plum", in: database) == [])
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  @Test("a search that is cancelled half-way does not hide words from a later one")
  func cancelled() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let writer = try await LocalDatabase.open(at: path)
    _ = try await scene.commit(try scene.invoices(["a": "pear", "b": "pear"]), to: writer)
    let reader = try #require(try await LocalDatabase.openForReading(at: path))
    var query = InvoiceQuery()
    query.search = "pear"
    // As many as there are connections, and one more.
    for _ in 0..<5 {
      let task = Task { [query] in
        try await reader.forEachInvoice(matching: query) { _ in
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      _ = await task.result
    }
    for _ in 0..<5 { #expect(try await scene.found("pear", in: reader) == ["a", "b"]) }
    try await reader.close()
    try await writer.close()
  }

  @Test("a forgotten account takes no words with it but its own, whether indexed or not")
  func forgotten() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try scene.invoices(["a": "pear", "b": "plum"]), to: database)
      try await database.updateIndexes()
      _ = try await scene.commit(
        try scene.invoices(["b": "quince", "c": "fig"], version: 9), to: database)
      try await database.forgetRecords(account: "default")
      // The numbers of the rows are used anew.
      _ = try await scene.commit(try scene.invoices(["d": "fig", "e": "pear"]), to: database)
      #expect(try await scene.isBehind(database))
      #expect(try await scene.found("pear", in: database) == ["e"])
      #expect(try await scene.found("fig", in: database) == ["d"])
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  @Test("every query during a first sync without indexes finds the same as with them")
  func withoutIndexes() async throws {
    try await scene.withDatabase { database in
      let start = RunStart(
        account: "default", provider: "xero", kind: .incremental,
        startedAt: Timestamp(microsecondsSinceEpoch: 1), watermarkBefore: nil)
      _ = try await database.invoiceStore.beginRun(start)
      #expect(try await missing(in: database) == Schema.invoiceIndexes.count)
      _ = try await scene.commit(
        try scene.invoices(["a": "pear", "b": "plum", "c": "fig"]), to: database)
      let queries = try Self.queries()
      var before: [[String]] = []
      for query in queries {
        before.append(try await database.invoices(matching: query).map(\.invoice.id))
      }
      try await database.updateIndexes()
      #expect(try await missing(in: database) == 0)
      for (query, ids) in zip(queries, before) {
        #expect(try await database.invoices(matching: query).map(\.invoice.id) == ids)
      }
      // A later run leaves them, since there are rows.
      _ = try await database.invoiceStore.beginRun(start)
      #expect(try await missing(in: database) == 0)
    }
  }

  private func missing(in database: LocalDatabase) async throws -> Int {
    try await database.read { try RecordIndexes(db: $0).missing().count }
  }

  private static func queries() throws -> [InvoiceQuery] {
    var queries = InvoiceQuery.Sort.allCases.map { sort in
      var query = InvoiceQuery()
      query.sort = sort
      return query
    }
    var open = InvoiceQuery()
    open.statuses = [.open, .partiallyPaid]
    var overdue = InvoiceQuery()
    (overdue.dueBefore, overdue.sort) = (CalendarDate("2030-01-01"), .dueDate)
    var deleted = InvoiceQuery()
    deleted.statuses = [.deleted]
    var days = InvoiceQuery()
    days.issuedFrom = CalendarDate("2000-01-01")
    var account = InvoiceQuery()
    account.account = "default"
    queries += [open, overdue, deleted, days, account]
    return queries
  }
}
