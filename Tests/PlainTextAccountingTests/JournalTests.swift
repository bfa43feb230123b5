import Foundation
import Models
import Testing

@testable import PlainTextAccounting
@testable import Storage

/// The bytes of journals.
@Suite(.timeLimit(.minutes(10))) struct JournalTests {
  private func decimal(_ text: String) throws -> ExactDecimal { try #require(ExactDecimal(text)) }

  private func invoice() throws -> Invoice {
    var invoice = Invoice(
      id: "a2", number: "INV-002", type: .invoice, status: .partiallyPaid, rawStatus: "part",
      contact: Party(id: "c2", name: "Bräuhof | Söhne; GmbH"),
      currency: try #require(Currency(code: "EUR")), issueDate: CalendarDate("2024-02-01"),
      dueDate: CalendarDate("2024-03-02"), total: try decimal("296.50"),
      amountPaid: try decimal("100.00"), amountDue: try decimal("196.50"))
    invoice.lines = [
      InvoiceLine(
        description: "Paint: red", taxType: "OUTPUT21", taxAmount: try decimal("42.00"),
        lineAmount: try decimal("200.00"), accountCode: "200"),
      InvoiceLine(
        description: "Book", taxType: "OUTPUT9", taxAmount: try decimal("4.50"),
        lineAmount: try decimal("50.00"), accountCode: "210"),
    ]
    invoice.payments = [
      InvoicePayment(id: "p2", date: CalendarDate("2024-03-01"), amount: try decimal("100.00"))
    ]
    return invoice
  }

  /// The text with one space for several.
  private func plain(_ text: String) -> String {
    text.replacing(#/(\S) {3,}/#) { "\($0.output.1)  " }
  }

  @Test("an account that adds up several organisations is named")
  func roleWithoutAccount() throws {
    var accounts = JournalAccounts(namesAccounts: true)
    #expect(accounts.roleWithoutAccount == nil)
    accounts.templates[.payable] = AccountTemplate("liabilities:payable:{contact}")
    #expect(accounts.roleWithoutAccount == .payable)
    accounts.templates[.payable] = AccountTemplate("liabilities:{account}-payable:{contact}")
    #expect(accounts.roleWithoutAccount == nil)
  }

  @Test("a journal for hledger declares what it uses, and has tags on the first line")
  func hledger() async throws {
    let books = try await Books([try invoice()])
    var journal = Journal(.hledger)
    #expect(
      plain(try await books.text(journal)) == """
        ; appcore writes this file anew with each export; do not edit it.
        commodity 1000.00 EUR
        account assets:clearing:payments  ; type:A
        account assets:receivable:Bräuhof Söhne GmbH  ; type:A
        account income:200  ; type:R
        account income:210  ; type:R
        account liabilities:tax:sales:OUTPUT21  ; type:L
        account liabilities:tax:sales:OUTPUT9  ; type:L
        payee Bräuhof / Söhne, GmbH

        2024-02-01 * (INV-002) Bräuhof / Söhne, GmbH | invoice  ; inv:INV-002, due:2024-03-02, \
        status:partially-paid, id:a2
            assets:receivable:Bräuhof Söhne GmbH  296.50 EUR
            income:200  -200.00 EUR
            income:210  -50.00 EUR
            liabilities:tax:sales:OUTPUT21  -42.00 EUR
            liabilities:tax:sales:OUTPUT9  -4.50 EUR

        2024-03-01 * (INV-002) Bräuhof / Söhne, GmbH | payment  ; inv:INV-002, due:2024-03-02, \
        payment:p2
            assets:clearing:payments  100.00 EUR
            assets:receivable:Bräuhof Söhne GmbH  -100.00 EUR

        """)
    journal.includesLineTexts = true
    let text = plain(try await books.text(journal))
    #expect(text.contains("    income:200  -200.00 EUR  ; Paint red\n"))
  }

  @Test("a journal for ledger has a tag a line, and a journal for beancount opens its accounts")
  func others() async throws {
    let books = try await Books([try invoice()])
    let ledger = plain(try await books.text(Journal(.ledger)))
    #expect(
      ledger.contains(
        """
        2024-03-01 * (INV-002) Bräuhof / Söhne, GmbH
            ; inv: INV-002
            ; due: 2024-03-02
            ; payment: p2
            assets:clearing:payments  100.00 EUR
            assets:receivable:Bräuhof Söhne GmbH  -100.00 EUR
        """))
    #expect(ledger.contains("commodity EUR\n    format 1000.00 EUR\n"))
    #expect(ledger.contains("\ntag inv\n") && ledger.contains("\naccount income:200\n"))
    let beancount = plain(try await books.text(Journal(.beancount)))
    #expect(beancount.contains("1900-01-01 open Assets:Receivable:Bräuhof-Söhne-GmbH\n"))
    #expect(
      beancount.contains(
        """
        2024-02-01 * "Bräuhof | Söhne; GmbH" "invoice INV-002" ^INV-002
          due: 2024-03-02
          status: "partially-paid"
          id: "a2"
          Assets:Receivable:Bräuhof-Söhne-GmbH  296.50 EUR
          Income:200  -200.00 EUR
        """))
    #expect(
      beancount.contains(
        """
        2024-03-01 * "Bräuhof | Söhne; GmbH" "payment INV-002" ^INV-002
          due: 2024-03-02
          payment: "p2"
        """))
  }

  @Test("the same records make the same bytes, in whichever order they were stored")
  func deterministic() async throws {
    let drawn = try GeneratedBooks(300, seed: 7)
    let first = try await Books(drawn.invoices, drawn.payments)
    let second = try await Books(drawn.invoices.reversed(), drawn.payments.reversed())
    for format in Journal.Format.allCases {
      let text = try await first.text(Journal(format))
      #expect(try await first.text(Journal(format)) == text)
      #expect(try await second.text(Journal(format)) == text)
    }
  }

  @Test("a document that changes, changes its own transactions alone")
  func difference() async throws {
    let drawn = try GeneratedBooks(300, seed: 8)
    let books = try await Books(drawn.invoices, drawn.payments)
    var changed = try #require(drawn.invoices.first { $0.status == .open && $0.number != nil })
    let before = try await books.text(Journal(.hledger))
    changed.amountDue = try changed.total.adding(decimal("1.00"))
    changed.dueDate = CalendarDate("2031-01-01")
    try await books.add([changed])
    let after = try await books.text(Journal(.hledger))
    let blocks = { (text: String) in Set(text.components(separatedBy: "\n\n").dropFirst()) }
    let different = blocks(before).symmetricDifference(blocks(after))
    #expect(!different.isEmpty)
    let tag = "inv:\(changed.number ?? "")"
    #expect(different.allSatisfy { $0.contains(tag) }, "\(different)")
  }

  @Test("a filter chooses documents, each with its payments")
  func filter() async throws {
    var other = try invoice()
    (other.id, other.issueDate) = ("b", CalendarDate("2023-02-01"))
    let books = try await Books([try invoice(), other])
    var query = InvoiceQuery()
    query.issuedThrough = CalendarDate("2023-12-31")
    let text = try await books.text(Journal(.hledger), query)
    #expect(text.contains("2023-02-01 *") && text.contains("2024-03-01 *"))
    #expect(!text.contains("2024-02-01"))
  }

  @Test("a journal of several accounts keeps their amounts apart")
  func severalAccounts() async throws {
    let books = try await Books([try invoice()], account: "acme")
    try await books.add([try invoice()], account: "globex")
    var journal = Journal(.hledger, accounts: JournalAccounts(namesAccounts: true))
    journal.namesAccounts = true
    let text = try await books.text(journal)
    #expect(text.contains("account assets:acme:receivable:Bräuhof Söhne GmbH  ; type:A\n"))
    #expect(text.contains("account income:globex:200  ; type:R\n"))
    #expect(text.contains("id:a2, account:acme\n"))
  }

  @Test("an empty database makes a journal without transactions")
  func empty() async throws {
    let books = try await Books([])
    for format in Journal.Format.allCases {
      #expect(try await books.text(Journal(format)).split(separator: "\n").count == 1)
    }
  }

  @Test("names and texts lose what a program would take for something else")
  func texts() {
    #expect(JournalText.line("Bräuhof | Söhne; GmbH", .part) == "Bräuhof Söhne GmbH")
    #expect(JournalText.line("Gone  Away;\tInc", .part) == "Gone Away Inc")
    #expect(JournalText.line("Bräuhof | Söhne; GmbH", .payee) == "Bräuhof / Söhne, GmbH")
    #expect(JournalText.line("2024 (17)", .code) == "2024 17")
    #expect(JournalText.line("x, [2024-01-01]", .value) == "x (2024-01-01)")
    #expect(JournalText.line("date:2025-06-01 [x]", .comment) == "date 2025-06-01 (x)")
    #expect(JournalText.beancountPart("Hosting (UK) Ltd.") == "Hosting-UK-Ltd")
    #expect(JournalText.beancountPart("東京 KK") == "X-東京-KK")
    #expect(JournalText.beancountPart("ärzte") == "Ärzte")
    #expect(JournalText.beancountPart("!?") == "X")
    #expect(JournalText.link("RE 10/2024 №5") == "RE-10/2024--5")
    #expect(JournalText.quoted("a \"b\" \\ c") == #""a \"b\" \\ c""#)
  }
}
