import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// The numbers that a shell completes.
@Suite(.timeLimit(.minutes(10))) struct InvoiceNumbersTests {
  private let scene = WholeInvoiceTests()

  @Test("numbers are found by their beginning, in order, for one account, up to a limit")
  func beginnings() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    let database = try await LocalDatabase.open(at: path)
    for (account, numbers) in [
      ("default", ["INV-2", "INV-10", "INV-1", "inv-3", "Ä-1", "%"]), ("other", ["INV-4"]),
    ] {
      let invoices = try numbers.map { number in
        var invoice = try scene.invoice(number)
        invoice.number = number
        return invoice
      }
      _ = try await scene.commit(invoices, to: database, account: account)
    }
    try await database.close()
    let reader = try #require(try await LocalDatabase.openUnchanged(at: path))
    func numbers(_ prefix: String, limit: Int = 10) async throws -> [String] {
      try await reader.invoiceNumbers(startingWith: prefix, account: "default", limit: limit)
    }
    #expect(try await numbers("INV-") == ["INV-1", "INV-10", "INV-2"])
    #expect(try await numbers("INV-1", limit: 1) == ["INV-1"])
    #expect(try await numbers("Ä") == ["Ä-1"])
    #expect(try await numbers("%") == ["%"])
    #expect(try await numbers("").count == 6)
    #expect(try await numbers("X").isEmpty)
    try await reader.close()
  }

  @Test("opening a file as it is creates none, and leaves one that has to be migrated as it is")
  func unchanged() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.sqlite")
    #expect(try await LocalDatabase.openUnchanged(at: path)?.path == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    // A file to which no migration was applied yet.
    try await DatabaseQueue(path: path).write { db in
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try await LocalDatabase.openUnchanged(at: path)?.path == nil)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }
}
