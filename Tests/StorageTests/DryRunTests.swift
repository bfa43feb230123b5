import Foundation
import GRDB
import Models
import TestSupport
import Testing

@testable import Storage

/// A dry run reports the records that would change, and stores nothing.
@Suite(.timeLimit(.minutes(10))) struct DryRunTests {
  private func invoice(
    _ id: String, _ change: (inout Invoice) throws -> Void = { _ in }
  ) throws -> Invoice {
    var invoice = Invoice(
      id: id, number: "N-" + id, type: .invoice, status: .open, rawStatus: "SENT",
      contact: Party(name: "Ada"), currency: try #require(Currency(code: "EUR")),
      issueDate: CalendarDate("2024-01-02"),
      updatedAt: Timestamp(microsecondsSinceEpoch: 1_000_000),
      total: try #require(ExactDecimal("10.00")), amountDue: ExactDecimal("10.00"),
      lines: [
        InvoiceLine(description: "Paint", quantity: ExactDecimal("1")),
        InvoiceLine(description: "Brush", quantity: ExactDecimal("2")),
      ])
    try change(&invoice)
    return invoice
  }

  private func commit<Record>(
    _ records: [Record], _ store: ResourceStore<Record>, removing removals: [Removal] = [],
    isDryRun: Bool
  ) async throws -> PageChanges {
    let start = RunStart(
      account: "default", provider: "acme", kind: .full,
      startedAt: Timestamp(microsecondsSinceEpoch: 0), watermarkBefore: nil)
    let run =
      isDryRun ? store.beginDryRun(account: "default") : try await store.beginRun(start)
    var page = PendingPage(source: "acme:1", instant: Timestamp(microsecondsSinceEpoch: 9))
    page.records = store.encode(records)
    page.removals = removals
    return try #require(try await run.commit([page]).first)
  }

  private func withDatabase(_ body: (LocalDatabase) async throws -> Void) async throws {
    let folder = try TemporaryDirectory()
    let database = try await LocalDatabase.open(at: folder.file("a.sqlite"))
    try await body(database)
    try await database.close()
  }

  @Test(
    "a dry run reports each changed field with its stored and its new value, and stores nothing")
  func fields() async throws {
    try await withDatabase { database in
      let old = try invoice("a")
      _ = try await commit([old, try invoice("b")], database.invoiceStore, isDryRun: false)
      let new = try invoice("a") { invoice in
        invoice.status = .paid
        invoice.amountDue = nil
        invoice.dueDate = CalendarDate("2024-02-01")
        invoice.contact.name = "Grace"
        invoice.linesIncludeTax = true
        invoice.updatedAt = Timestamp(microsecondsSinceEpoch: 2_500_000)
        invoice.lines[1].quantity = ExactDecimal("3.50")
      }
      let outcome = try await commit(
        [new, try invoice("b"), try invoice("c")], database.invoiceStore, isDryRun: true)
      #expect(outcome.changes.map(\.id) == ["a", "c"])
      #expect(outcome.changes.map(\.kind) == [.updated, .inserted])
      #expect(
        outcome.changes.first?.fields == [
          FieldChange(field: "status", old: "open", new: "paid"),
          FieldChange(field: "contact.name", old: "Ada", new: "Grace"),
          FieldChange(field: "dueDate", old: nil, new: "2024-02-01"),
          FieldChange(
            field: "updatedAt", old: "1970-01-01T00:00:01Z", new: "1970-01-01T00:00:02.500Z"),
          FieldChange(field: "amountDue", old: "10.00", new: nil),
          FieldChange(field: "linesIncludeTax", old: nil, new: "true"),
          FieldChange(field: "lines[1].quantity", old: "2", new: "3.50"),
        ])
      #expect(outcome.changes.allSatisfy { $0.omittedFields == 0 })
      #expect(outcome.changes.last?.fields.isEmpty == true)
      #expect(try await database.invoice("a", account: nil)?.invoice == old)
      #expect(try await database.invoice("c", account: nil) == nil)
      // A run that stores reports only the counts.
      let stored = try await commit([new], database.invoiceStore, isDryRun: false)
      #expect(stored.counts.updated == 1 && stored.changes.isEmpty)
    }
  }

  @Test("a changed number of lines is reported in place of each line")
  func lines() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice("a")], database.invoiceStore, isDryRun: false)
      let new = try invoice("a") { invoice in
        invoice.lines.removeFirst()
        invoice.payments = [InvoicePayment(amount: try #require(ExactDecimal("1")))]
      }
      let outcome = try await commit([new], database.invoiceStore, isDryRun: true)
      #expect(
        outcome.changes.first?.fields == [
          FieldChange(field: "lines", old: "2", new: "1"),
          FieldChange(field: "payments", old: "0", new: "1"),
        ])
    }
  }

  @Test("a changed line of an address is reported with both values")
  func addressLines() async throws {
    try await withDatabase { database in
      func invoice(at street: String) throws -> Invoice {
        try self.invoice("a") { $0.contact.address = PostalAddress(lines: [street, "Yard 2"]) }
      }
      _ = try await commit([try invoice(at: "1 Old St")], database.invoiceStore, isDryRun: false)
      let outcome = try await commit(
        [try invoice(at: "2 New St")], database.invoiceStore, isDryRun: true)
      #expect(
        outcome.changes.first?.fields == [
          FieldChange(field: "contact.address.lines[0]", old: "1 Old St", new: "2 New St")
        ])
    }
  }

  @Test("a deleted record and one that returns are reported as such")
  func deletion() async throws {
    try await withDatabase { database in
      let store = database.invoiceStore
      _ = try await commit([try invoice("a"), try invoice("b")], store, isDryRun: false)
      let deleted = try invoice("a") { $0.status = .deleted }
      var outcome = try await commit(
        [deleted], store, removing: [Removal(id: "b", reason: "gone")], isDryRun: true)
      #expect(outcome.changes.map(\.kind) == [.deleted, .deleted])
      #expect(outcome.changes.first?.id == "b" && outcome.changes.first?.fields.isEmpty == true)
      #expect(
        outcome.changes.last?.fields == [
          FieldChange(field: "status", old: "open", new: "deleted"),
          FieldChange(field: "deletedReason", old: nil, new: "status SENT"),
        ])
      _ = try await commit(
        [], store, removing: [Removal(id: "b", reason: "gone")], isDryRun: false)
      outcome = try await commit([try invoice("b")], store, isDryRun: true)
      #expect(
        outcome.changes.first?.fields == [
          FieldChange(field: "deletedReason", old: "gone", new: nil)
        ])
    }
  }

  @Test("long texts and many fields are reported in part, with the number of omitted ones")
  func bounds() async throws {
    try await withDatabase { database in
      let store = database.invoiceStore
      let lines = (0..<80).map { InvoiceLine(description: "\($0)") }
      _ = try await commit([try invoice("a") { $0.lines = lines }], store, isDryRun: false)
      let long = String(repeating: "x", count: 5_000)
      let others = (0..<80).map { InvoiceLine(description: long + "\($0)") }
      let outcome = try await commit(
        [try invoice("a") { $0.lines = others }], store, isDryRun: true)
      let change = try #require(outcome.changes.first)
      #expect(change.fields.count == RecordChange.fieldsLimit && change.omittedFields == 30)
      #expect(change.fields.first?.new == long.prefix(200) + "…")
      #expect(change.withoutFields.fields.isEmpty && change.withoutFields.omittedFields == 80)
    }
  }

  @Test("contacts are compared like invoices")
  func contacts() async throws {
    try await withDatabase { database in
      var contact = Contact(id: "1", status: .active, rawStatus: "ACTIVE")
      contact.isCustomer = true
      _ = try await commit([contact], database.contactStore, isDryRun: false)
      contact.name = "Ada"
      contact.isCustomer = false
      let outcome = try await commit([contact], database.contactStore, isDryRun: true)
      #expect(
        outcome.changes.first?.fields == [
          FieldChange(field: "name", old: nil, new: "Ada"),
          FieldChange(field: "isCustomer", old: "true", new: "false"),
        ])
    }
  }

  @Test("a corrupt stored record does not stop a dry run")
  func spoilt() async throws {
    try await withDatabase { database in
      _ = try await commit([try invoice("a")], database.invoiceStore, isDryRun: false)
      try await database.pool.write { db in
        try db.execute(sql: "UPDATE invoice SET subtotal = 'x', fingerprint = 0")
      }
      let outcome = try await commit([try invoice("a")], database.invoiceStore, isDryRun: true)
      #expect(outcome.changes.map(\.id) == ["a"] && outcome.changes.map(\.kind) == [.updated])
      #expect(outcome.changes.allSatisfy { $0.fields.isEmpty })
    }
  }
}
