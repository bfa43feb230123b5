import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// A file that cannot be read any more is renamed, so that the user has nothing to delete.
@Suite(.timeLimit(.minutes(10))) struct DamagedFileTests {
  private func store(_ ids: [String], in database: LocalDatabase) async throws {
    let instant = Timestamp(microsecondsSinceEpoch: 1)
    let run = try await database.invoiceStore.beginRun(
      RunStart(
        account: "default", provider: "p", kind: .full, startedAt: instant, watermarkBefore: nil))
    var page = PendingPage(source: "s", instant: instant)
    let currency = try #require(Currency(code: "EUR"))
    let invoices = ids.map {
      Invoice(
        id: $0, type: .invoice, status: .open, rawStatus: "o",
        contact: Party(name: String(repeating: "x", count: 500)), currency: currency, total: .zero)
    }
    page.records = database.invoiceStore.encode(invoices)
    page.checkpoint = [1]
    _ = try await run.commit([page])
  }

  // Edge case 52
  @Test("a file of garbage is renamed whole, and a new file created")
  func garbage() async throws {
    let folder = try TemporaryDirectory()
    try await LocalDatabase.open(at: folder.file("a.sqlite")).close()
    try await LocalDatabase.writeBack(at: folder.file("a.sqlite"))
    let text = String(repeating: "no database ", count: 500)
    let path = try folder.write(text, to: "a.sqlite")
    let database = try await LocalDatabase.open(at: path)
    let renamed = try #require(database.damagedFile)
    #expect(try String(contentsOfFile: renamed, encoding: .utf8) == text)
    try await store(["a"], in: database)
    try await database.close()
    let again = try await LocalDatabase.open(at: path)
    #expect(again.damagedFile == nil)
    #expect(try await again.invoiceCount(account: nil) == 1)
    try await again.close()
  }

  @Test("damage that is found while reading is reported, and repaired at the next opening")
  func found() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    var database = try await LocalDatabase.open(at: path)
    try await store((0..<300).map(String.init), in: database)
    try await database.close()
    // All of it is in the one file then.
    try await LocalDatabase.writeBack(at: path)
    // Every page but those that an opening reads: the schema, and the tables at the beginning.
    let (pages, pageSize) = try await DatabaseQueue(path: path).read { db in
      let sql = """
        SELECT pageno FROM dbstat WHERE name NOT LIKE 'sqlite_%'
          AND pageno > (SELECT max(pageno) / 2 FROM dbstat)
        """
      return (
        try UInt64.fetchAll(db, sql: sql),
        try #require(try Int.fetchOne(db, sql: "PRAGMA page_size"))
      )
    }
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    for page in pages {
      try file.seek(toOffset: (page - 1) * UInt64(pageSize))
      try file.write(contentsOf: Data(repeating: 0xA5, count: pageSize))
    }
    try file.close()

    database = try await LocalDatabase.open(at: path)
    #expect(database.damagedFile == nil)
    var query = InvoiceQuery()
    query.sort = .contact
    let asked = query
    let opened = database
    await #expect {
      _ = try await opened.invoices(matching: asked)
    } throws: {
      if case StorageError.corrupt = $0 { true } else { false }
    }
    try? await database.close()
    database = try await LocalDatabase.open(at: path)
    #expect(database.damagedFile.map { FileManager.default.fileExists(atPath: $0) } == true)
    #expect(try await database.invoiceCount(account: nil) == 0)
    try await database.close()
  }

  @Test("a file that another process has renamed meanwhile is not written to any more")
  func replaced() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let old = try await LocalDatabase.open(at: path)
    try await store(["a"], in: old)
    let renamed = try DamagedFile(path: path).quarantine(at: Timestamp(microsecondsSinceEpoch: 1))
    for isThere in [false, true] {
      if isThere { try await LocalDatabase.open(at: path).close() }
      await #expect {
        try await store(["b"], in: old)
      } throws: { error in
        if case StorageError.replaced = error { true } else { false }
      }
    }
    try await old.close()
    let new = try await LocalDatabase.open(at: path)
    #expect(try await new.invoiceCount(account: nil) == 0)
    try await new.close()
    let kept = try await LocalDatabase.open(at: renamed)
    #expect(try await kept.invoiceCount(account: nil) == 1)
    try await kept.close()
  }
}
