import Foundation
import GRDB
import Models
import Testing

@testable import Storage

// What is found by its words.
extension WholeInvoiceTests {
  /// Returns invoices whose first lines have texts, by identifier.
  func invoices(_ words: [String: String], version: Int64 = 8) throws -> [Invoice] {
    try words.sorted { $0.key < $1.key }.map { id, text in
      var invoice = try invoice(id)
      invoice.version = version
      invoice.lines[0].description = text
      return invoice
    }
  }

  func found(_ words: String, in database: LocalDatabase) async throws -> [String] {
    var query = InvoiceQuery()
    query.search = words
    return try await database.invoices(matching: query).map(\.invoice.id).sorted()
  }

  func isBehind(_ database: LocalDatabase) async throws -> Bool {
    try await database.read { try SearchState(db: $0).isBehind() }
  }

  @Test("words are found in number, contact, reference and lines, also after a change")
  func search() async throws {
    try await withDatabase { database in
      var other = try invoice("b")
      other.lines = []
      other.contact.name = "Łukasz Müller"
      _ = try await commit([try invoice(), other], to: database)
      func found(_ words: String) async throws -> [String] {
        var query = InvoiceQuery()
        query.search = words
        return try await database.invoices(matching: query).map(\.invoice.id).sorted()
      }
      #expect(try await found("paint") == ["a"])
      #expect(try await found("BLUE tin") == ["a"])
      #expect(try await found("muller") == ["b"])
      #expect(try await found("PO-9") == ["a", "b"])
      #expect(try await found(#"" OR * NEAR("#) == [])
      other.contact.name = "Nobody"
      other.version = 8
      _ = try await commit([other], to: database)
      #expect(try await found("muller") == [])
      #expect(try await found("nobody 2024") == ["b"])
    }
  }

  // Edge case 63
  @Test("a word of any length is searched in linear time", .timeLimit(.minutes(1)))
  func longWord() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice()], to: database)
      var query = InvoiceQuery()
      query.search = String(repeating: "s", count: 300_000)
      #expect(try await database.invoices(matching: query).isEmpty)
    }
    let words = (0..<20_000).map { "w\($0)" }.joined(separator: " ")
    #expect(SearchWords(words + " end").contains(SearchWords(words)))
  }

  @Test("the beginning of a word is found, whether few words begin so or many")
  func beginnings() async throws {
    try await withDatabase { database in
      let words = ["painting", "Paint", "PAINTER", "paste"] + (100..<130).map { "many\($0)" }
      let invoices = try words.enumerated().map { index, word in
        var invoice = try invoice("\(index)")
        invoice.lines = [InvoiceLine(description: word)]
        invoice.issueDate = CalendarDate(
          year: 2024, month: index % 12 + 1, day: index % 28 + 1)
        return invoice
      }
      _ = try await commit(invoices, to: database)
      for text in [
        "paint", "PAINT", "pa", "painte", "ada paint", "many", "many11", "many999", "päin",
      ] {
        var query = InvoiceQuery()
        query.search = text
        let last = text.lowercased().split(separator: " ").last.map(String.init) ?? ""
        let wanted = invoices.filter {
          $0.lines[0].description?.lowercased().hasPrefix(last.replacing("ä", with: "a")) == true
        }.sorted { ($0.issueDate?.description ?? "") > ($1.issueDate?.description ?? "") }
        let found = try await database.invoices(matching: query).map(\.invoice.id)
        #expect(found == wanted.map(\.id), "\(text)")
        #expect(text == "many999" || !wanted.isEmpty)
      }
    }
  }

  @Test("words without a letter or digit are left out, wherever they stand")
  func marks() async throws {
    try await withDatabase { database in
      var other = try invoice("b")
      other.contact.name = "Bo & Söhne"
      _ = try await commit([try invoice(), other], to: database)
      let wanted = [
        "ada & paint": ["a"], "& ada": ["a"], "- ada": ["a"], "ada -": ["a"], "bo & söhne": ["b"],
        "& paint": ["a", "b"], "- -": [], "&": [], "bo & pai": ["b"], "söhne pai": ["b"],
      ]
      for (words, ids) in wanted {
        var query = InvoiceQuery()
        query.search = words
        #expect(
          try await database.invoices(matching: query).map(\.invoice.id).sorted() == ids, "\(words)"
        )
      }
    }
  }

  @Test("the words that are indexed are those that the index's view shows")
  func words() async throws {
    try await withDatabase { database in
      var bare = try invoice("bare")
      (bare.number, bare.reference, bare.orderNumber, bare.contact.name) = (nil, nil, nil, nil)
      bare.lines = []
      var odd = try invoice("odd")
      odd.lines = [nil, "", "one", nil, "two\nthree"].map { InvoiceLine(description: $0) }
      var silent = try invoice("silent")
      silent.lines = [InvoiceLine(), InvoiceLine()]
      let invoices = [try invoice(), bare, odd, silent]
      _ = try await commit(invoices, to: database)
      func check() async throws {
        try await database.updateIndexes()
        // With a rank, FTS5 compares the index with the view row by row.
        try await database.write { db in
          try db.execute(
            sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
        }
      }
      try await check()
      for var invoice in invoices {
        invoice.version = 9
        (invoice.reference, invoice.number) = (invoice.number, invoice.reference)
        invoice.lines.append(InvoiceLine(description: "four"))
        _ = try await commit([invoice], to: database)
      }
      try await check()
    }
  }

  @Test("matches come in the order of their days, whatever the order of their storing")
  func foundInOrder() async throws {
    try await withDatabase { database in
      func dated(_ id: String, _ day: String?, version: Int64 = 1) throws -> Invoice {
        var invoice = try invoice(id)
        invoice.issueDate = day.flatMap { CalendarDate($0) }
        invoice.version = version
        return invoice
      }
      // One stands twice on the page, with another day.
      _ = try await commit(
        [
          try dated("b", "2024-02-02"), try dated("d", "1999-12-31"), try dated("none", nil),
          try dated("a", "2023-01-01"), try dated("a", "2024-02-03", version: 2),
        ], to: database)
      _ = try await commit([try dated("c", "2024-02-02")], to: database)
      _ = try await commit([try dated("d", "2020-01-01", version: 2)], to: database)
      var query = InvoiceQuery()
      query.search = "blue"
      let newest = ["a", "c", "b", "d", "none"]
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == newest)
      query.isAscending = true
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == newest.reversed())
      query.limit = 2
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["none", "d"])
      query.sort = .stored
      #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["b", "d"])
      try await database.updateIndexes()
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      }
    }
  }
}
