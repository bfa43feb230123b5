import GRDB
import Models
import Testing

@testable import Storage

/// A list that is read page by page is the list that is read in one piece.
@Suite(.timeLimit(.minutes(10))) struct PagingTests {
  private let scene = WholeInvoiceTests()

  private func invoices(_ numbers: Range<Int>) throws -> [Invoice] {
    try numbers.map { number in
      var invoice = try scene.invoice("id\(number)")
      invoice.number = "N\(number * 7 % 40)"
      invoice.contact.name = number.isMultiple(of: 3) ? "Garnet" : "Elmswood"
      invoice.status = [.paid, .open, .draft][number % 3]
      invoice.issueDate = CalendarDate("2024-01-\(10 + number % 13)")
      return invoice
    }
  }

  private func queries() -> [InvoiceQuery] {
    var queries: [InvoiceQuery] = []
    for sort in InvoiceQuery.Sort.allCases {
      for search in [nil, "garnet"] {
        for account in [nil, "default"] {
          var query = InvoiceQuery()
          (query.sort, query.search, query.account) = (sort, search, account)
          (query.isAscending, query.includesLines) = (account == nil, search == nil)
          queries.append(query)
        }
      }
    }
    return queries
  }

  private func pages(
    of query: InvoiceQuery, size: Int, in database: LocalDatabase
  ) async throws -> [StoredInvoice] {
    var (query, all) = (query, [StoredInvoice]())
    query.limit = size
    while true {
      let page = try await database.invoices(matching: query)
      all += page
      guard page.count == size else { return all }
      query.offset += size
    }
  }

  @Test("the pages of every order are the list, in a file and in memory", arguments: [1, 7, 50])
  func order(size: Int) async throws {
    func check(_ database: LocalDatabase) async throws {
      _ = try await scene.commit(try invoices(0..<50), to: database)
      try await database.updateIndexes()
      for query in queries() {
        let expected = try await database.invoices(matching: query)
        let found = try await pages(of: query, size: size, in: database)
        #expect(found == expected && !found.isEmpty, "\(query)")
      }
    }
    try await scene.withDatabase(check)
    let memory = try await LocalDatabase.inMemory()
    try await check(memory)
    try await memory.close()
  }

  @Test("any page can be read at any time, even one beyond the end")
  func jumps() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try invoices(0..<50), to: database)
      let all = try await database.invoices(matching: InvoiceQuery())
      for (offset, limit) in [
        (30, 5), (35, 5), (10, 5), (40, 20), (60, 5), (1, 60), (49, 1), (50, 1), (2, 0),
        (.max, .max), (1, .max),
      ] {
        var query = InvoiceQuery()
        (query.offset, query.limit) = (offset, limit)
        let found = try await database.invoices(matching: query)
        #expect(found == Array(all.dropFirst(offset).prefix(limit)), "\(offset), \(limit)")
      }
    }
  }

  @Test("a page after a change, here or by another process, is one of the changed list")
  func changes() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try invoices(0..<50), to: database)
      let other = try #require(try await LocalDatabase.openForReading(at: database.path))
      var query = InvoiceQuery()
      (query.offset, query.limit, query.sort) = (10, 10, .number)
      for count in [50, 55, 60] {
        _ = try await scene.commit(try invoices((count - 5)..<count), to: database)
        for reader in [database, other] {
          var whole = query
          (whole.offset, whole.limit) = (0, nil)
          let expected = try await reader.invoices(matching: whole)
          #expect(expected.count == count)
          for offset in [10, 15, 20] {
            query.offset = offset
            let page = try await reader.invoices(matching: query)
            #expect(page == Array(expected.dropFirst(offset).prefix(10)))
          }
        }
      }
      try await other.close()
    }
  }

  @Test("many pages take few walks over the list")
  func walks() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try invoices(0..<200), to: database)
      let keys = database.pagedKeys
      let walks = try await database.read { db in
        var walks = 0
        db.trace { if "\($0)".contains("OFFSET") { walks += 1 } }
        defer { db.trace() }
        var query = InvoiceQuery()
        query.limit = 5
        for offset in stride(from: 5, to: 200, by: 5) {
          query.offset = offset
          let page = try keys.page(of: query, db)
          guard page?.count == 5 else { return Int.max }
        }
        return walks
      }
      // At 5, 10, 20, 40, 80 and 160.
      #expect(walks == 6)
    }
  }

  @Test("pages of several lists at a time are each their own")
  func together() async throws {
    try await scene.withDatabase { database in
      _ = try await scene.commit(try invoices(0..<50), to: database)
      try await withThrowingTaskGroup { group in
        for query in queries() {
          group.addTask {
            let expected = try await database.invoices(matching: query)
            #expect(try await pages(of: query, size: 3, in: database) == expected)
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
