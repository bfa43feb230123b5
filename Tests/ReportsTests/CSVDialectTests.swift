import Models
import Testing

@testable import Reports
@testable import Storage

/// CSV for spreadsheet programs.
@Suite(.timeLimit(.minutes(1))) struct CSVDialectTests {
  private func row(_ text: String, comma: Bool = false) -> String {
    CSVDialect.spreadsheet(hasDecimalComma: comma).row([text, "-1.5"], isNumber: [false, true])
  }

  @Test(
    "a text that a spreadsheet program would run gets an apostrophe",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
      ("\rx", "\"'\rx\""), ("\r\nx", "\"'\r\nx\""), ("=\u{301}1", "'=\u{301}1"), ("＝1", "'＝1"),
      ("=A(1,2)", "\"'=A(1,2)\""), ("a=1", "a=1"), (" =1", " =1"), ("", ""),
    ])
  func formulas(text: String, cell: String) {
    #expect(row(text) == cell + ",-1.5\r\n")
  }

  @Test("with a decimal comma, semicolons separate the fields, and texts keep their points")
  func decimalComma() {
    #expect(row("1.5", comma: true) == "1.5;-1,5\r\n")
    #expect(row("a;b,c", comma: true) == "\"a;b,c\";-1,5\r\n")
    #expect(row("a;b,c") == "\"a;b,c\",-1.5\r\n")
  }

  @Test(
    "the first variable that is set names the locale, which has to be installed",
    arguments: [
      ([:], true), (["LANG": "C.UTF-8"], true), (["LANG": "xx_NONE", "LC_NUMERIC": "C"], true),
      (["LANG": "xx_NONE", "LC_ALL": "", "LC_NUMERIC": "POSIX"], true),
      (["LANG": "xx_NONE"], false), (["LC_ALL": "xx_NONE", "LANG": "C"], false),
    ])
  func locales(environment: [String: String], isInstalled: Bool) {
    #expect(
      CSVDialect.spreadsheet(environment: environment)
        == (isInstalled ? .spreadsheet(hasDecimalComma: false) : nil))
  }

  @Test("a table begins with a byte order mark, and writes numbers as numbers")
  func table() throws {
    var invoice = Invoice(
      id: "a", number: "-7", type: .creditNote, status: .open, rawStatus: "@OPEN",
      contact: Party(name: "=cmd"), currency: try #require(Currency(code: "EUR")),
      total: try #require(ExactDecimal("-1119.50")))
    invoice.lines = [InvoiceLine(description: "+1", quantity: ExactDecimal("-2.5"))]
    let stored = StoredInvoice(
      account: "default", invoice: invoice, deletedAt: nil, deletedReason: nil,
      syncedAt: Timestamp(microsecondsSinceEpoch: 0))
    var table = CSVTable.lines
    #expect(
      table.rows(of: stored)[0].contains(",-7,") && table.rows(of: stored)[0].contains("=cmd"))
    table.dialect = .spreadsheet(hasDecimalComma: true)
    #expect(table.header.hasPrefix("\u{FEFF}account;id;number;"))
    let row = table.rows(of: stored)[0]
    #expect(row.hasPrefix("default;a;'-7;credit-note;open;;'=cmd;"), "\(row)")
    #expect(row.contains(";'+1;-2,5;"), "\(row)")
  }

  @Test("the balances of a contact are numbers with their currency")
  func contacts() throws {
    var table = CSVTable.contacts
    table.dialect = .spreadsheet(hasDecimalComma: true)
    var contact = Contact(id: "c", status: .active, rawStatus: "ACTIVE")
    contact.phone = "+49 30"
    var balance = ContactBalance(try #require(Currency(code: "EUR")))
    balance.receivable = try SampleReport.sum("-120.5")
    let row = table.rows(
      of: StoredContact(
        account: "default", contact: contact, deletedAt: nil, deletedReason: nil,
        invoiceCount: 2, balances: [balance]))[0]
    #expect(row.contains(";'+49 30;") && row.contains(";2;-120,50 EUR;;"), "\(row)")
  }
}
