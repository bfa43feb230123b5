import GRDB
import Models
import Testing

@testable import Storage

/// A search without a keyboard for every letter.
@Suite(.timeLimit(.minutes(10))) struct SearchSpellingTests {
  private static let names = [
    "Łódź Zażółć", "Lodz Transport", "Søren Bækgård", "Đorđe Straße", "Cœur de Lyon", "Oslo Hall",
  ]

  private let scene = WholeInvoiceTests()

  @Test(
    "plain letters find letters with strokes and ligatures, and these find plain ones",
    arguments: [
      ("lodz", [0, 1]), ("Łódź", [0, 1]), ("łodz", [0, 1]), ("zazolc", [0]), ("zażółć lod", [0]),
      ("lodz tra", [1]), ("soren", [2]), ("søren baek", [2]), ("bækgard", [2]), ("dorde", [3]),
      ("Đorđe strasse", [3]), ("straß", [3]), ("coeur", [4]), ("œ", []),
      ("stras", [3]), ("stras dorde", []), ("co", [4]), ("coe lyon", []),
      ("oslo hall", [5]), ("øslø", [5]), ("lyon cœur", [4]), ("soren lodz", []),
      ("- lodz", [0, 1]),
      ("-", []),
    ])
  func spellings(words: String, wanted: [Int]) async throws {
    try await scene.withDatabase { database in
      let invoices = try Self.names.enumerated().map { number, name in
        var invoice = try scene.invoice("\(number)")
        invoice.contact = Party(name: name)
        return invoice
      }
      _ = try await scene.commit(invoices, to: database)
      let query = {
        var query = InvoiceQuery()
        query.search = words
        return query
      }()
      let indexed = try await database.invoices(matching: query).map(\.invoice.id)
      #expect(indexed.sorted() == wanted.map(String.init))
      // A reader finds words that the index lacks by the same spellings.
      let unindexed = try await database.write { db in
        try db.execute(sql: "INSERT INTO search_pending SELECT row FROM invoice")
        return try UnindexedWords(db).with { isNeeded in
          #expect(isNeeded)
          let text = try SearchExpression(words)?.text(db, vocabulary: UnindexedWords.vocabulary)
          return try String.fetchAll(
            db,
            sql: """
              SELECT id FROM invoice WHERE row IN
                (SELECT rowid FROM temp.\(UnindexedWords.name) WHERE \(UnindexedWords.name) MATCH ?)
              ORDER BY id
              """, arguments: [text])
        }
      }
      #expect(unindexed == wanted.map(String.init))
    }
  }

  @Test("a word with many letters that have other spellings is looked up in a bounded number")
  func bounded() async throws {
    try await scene.withDatabase { database in
      var invoice = try scene.invoice("a")
      invoice.contact = Party(name: "lolololololo łołołołołoło løløløløløløl")
      _ = try await scene.commit([invoice], to: database)
      _ = try await database.invoices(matching: InvoiceQuery())
      let found = try await database.read { db in
        try WordSpellings(vocabulary: "invoice_term", db: db).of(
          "lolololololo", isPrefix: false)
      }
      #expect(found.first == "lolololololo" && found.count <= 17)
    }
  }
}
