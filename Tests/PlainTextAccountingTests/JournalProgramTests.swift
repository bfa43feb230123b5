import Foundation
import Models
import Testing

@testable import PlainTextAccounting

/// Journals, read by hledger, ledger and beancount.
@Suite(.timeLimit(.minutes(30))) struct JournalProgramTests {
  private static let count =
    ProcessInfo.processInfo.environment["APPCORE_BOOKS"].flatMap { Int($0) } ?? 1_000

  @Test(
    "sixteen documents by hand are read without a complaint, with the balances of the summary",
    .enabled(if: SampleBooks.isThere, "the folder with sample books is not there"),
    arguments: JournalProgram.allCases)
  func sample(program: JournalProgram) async throws {
    try program.require()
    let books = try await Books(try SampleBooks.documents())
    try await books.expect(program, sees: try await books.transactions())
  }

  @Test(
    "601 real invoices are read without a complaint, with the balances of the summary",
    .enabled(if: SampleBooks.hasReal, "the folder with real invoices is not there"),
    arguments: JournalProgram.allCases)
  func real(program: JournalProgram) async throws {
    try program.require()
    let books = try await Books(try SampleBooks.real())
    try await books.expect(program, sees: try await books.transactions())
  }

  @Test(
    "documents of all types, statuses and currencies are read with the balances of the summary",
    arguments: JournalProgram.allCases)
  func generated(program: JournalProgram) async throws {
    try program.require()
    let drawn = try GeneratedBooks(Self.count, seed: 1)
    let books = try await Books(drawn.invoices, drawn.payments)
    try await books.expect(program, sees: try await books.transactions())
  }

  @Test(
    "hostile texts in every field change no day, mark, account or amount",
    arguments: JournalProgram.allCases)
  func hostile(program: JournalProgram) async throws {
    try program.require()
    var invoices: [Invoice] = []
    for (index, text) in HostileTexts.all.enumerated() {
      var invoice = try Self.invoice(index)
      (invoice.number, invoice.reference, invoice.rawStatus) = (text, text, text)
      invoice.contact = Party(id: text, name: text)
      invoice.id += text
      for line in invoice.lines.indices {
        invoice.lines[line].description = text
        (invoice.lines[line].accountCode, invoice.lines[line].taxType) = (text, text)
      }
      invoice.payments[0].reference = text
      invoice.payments[0].id = text
      invoice.allocations = [
        Allocation(invoiceID: text, invoiceNumber: text, amount: try #require(ExactDecimal("1.00")))
      ]
      invoices.append(invoice)
    }
    #expect(Set(HostileTexts.all).count >= 60)
    let books = try await Books(invoices)
    let transactions = try await books.transactions()
    #expect(transactions.count == invoices.count)
    try await books.expect(program, sees: transactions)
    var journal = Journal(program.format)
    (journal.includesLineTexts, journal.namesAccounts) = (true, true)
    let file = try await books.file(journal)
    try await program.check(file)
    let days = Set(try await program.postings(file).map(\.day))
    #expect(days == ["2024-01-15", "2024-02-01"])
  }

  private static func invoice(_ index: Int) throws -> Invoice {
    func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }
    var invoice = Invoice(
      id: "\(index) ", type: .invoice, status: .partiallyPaid, rawStatus: "",
      currency: try #require(Currency(code: "EUR")),
      issueDate: CalendarDate("2024-01-15"), dueDate: CalendarDate("2024-02-15"),
      total: try decimal("121.00"), amountPaid: try decimal("20.00"),
      amountDue: try decimal("100.00"))
    invoice.paidDate = CalendarDate("2024-02-01")
    invoice.lines = [
      InvoiceLine(taxAmount: try decimal("21.00"), lineAmount: try decimal("60.00")),
      InvoiceLine(lineAmount: try decimal("40.00")),
    ]
    invoice.payments = [
      InvoicePayment(date: CalendarDate("2024-02-01"), amount: try decimal("20.00"))
    ]
    return invoice
  }
}
