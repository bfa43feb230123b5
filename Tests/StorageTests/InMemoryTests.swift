import Foundation
import Models
import TestSupport
import Testing

@testable import Storage

/// A database in memory stores and finds what a file does.
@Suite(.timeLimit(.minutes(10))) struct InMemoryTests {
  private let scene = WholeInvoiceTests()

  @Test("a database in memory finds stored records, and leaves no file")
  func storing() async throws {
    let database = try await LocalDatabase.inMemory()
    let invoice = try scene.invoice("a")
    #expect(try await scene.commit([invoice], to: database).inserted == 1)
    #expect(try await scene.commit([invoice], to: database).unchanged == 1)
    #expect(try await database.invoice("a", account: nil)?.invoice == invoice)
    var query = InvoiceQuery()
    query.search = "paint"
    #expect(try await database.invoices(matching: query).map(\.invoice.id) == ["a"])
    #expect(
      try await database.lastRun(account: "default", resource: .invoices)?.counts.inserted == 0)
    try await database.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: ".")
    #expect(!files.contains { $0.hasPrefix(LocalDatabase.memoryPath) })
  }

  @Test("two databases in memory know nothing of each other")
  func apart() async throws {
    let (one, two) = (try await LocalDatabase.inMemory(), try await LocalDatabase.inMemory())
    _ = try await scene.commit([try scene.invoice("a")], to: one)
    #expect(try await two.invoiceCount(account: nil) == 0)
    try await one.close()
    try await two.close()
  }

  @Test("an observer of a database in memory sees each change")
  func observing() async throws {
    let database = try await LocalDatabase.inMemory()
    var found = database.observe(InvoiceQuery(), every: .milliseconds(1)).makeAsyncIterator()
    #expect(try await found.next()?.isEmpty == true)
    _ = try await scene.commit([try scene.invoice("a")], to: database)
    #expect(try await found.next()?.map(\.invoice.id) == ["a"])
    try await database.close()
  }

  @Test("a closed database in memory refuses readers, writers and observers, and ends no program")
  func closed() async throws {
    let database = try await LocalDatabase.inMemory()
    var found = database.observe(InvoiceQuery(), every: .milliseconds(1)).makeAsyncIterator()
    #expect(try await found.next()?.isEmpty == true)
    try await database.close()
    await #expect(throws: StorageError.self) { try await database.invoiceCount(account: nil) }
    await #expect(throws: StorageError.self) { try await database.forgetRecords(account: "a") }
  }
}
