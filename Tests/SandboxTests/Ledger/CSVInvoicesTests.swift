import Foundation
import Models
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct CSVInvoicesTests {
  private static let invoiceHeader =
    "invoice_id,contact_id,date,updated_date_utc,due_date,fully_paid_on_date,amount_credited,"
    + "amount_due,amount_paid,sub_total,total,total_tax,currency_code,currency_rate,"
    + "has_attachments,has_errors,invoice_number,is_discounted,line_amount_types,reference,"
    + "sent_to_contact,status,type,url\n"
  private static let invoice =
    "i1,c1,2020-04-21,2020-04-26 14:45:34.083 UTC,2020-05-21,,0,47.990,0,40.00,47.99,7.99,CAD,"
    + "0.752950,true,false,RB1,false,Exclusive,\"\",true,AUTHORISED,ACCPAY,\n"
  private static let lineHeader =
    "account_code,description,discount_rate,invoice_id,item_code,line_amount,line_item_id,"
    + "quantity,tax_amount,tax_type,unit_amount\n"

  private func read(invoices: String, lines: String) async throws -> [LedgerInvoice] {
    var result: [LedgerInvoice] = []
    try await withTemporaryDirectory { directory in
      try write(Self.invoiceHeader + invoices, to: directory + "/" + CSVInvoices.invoiceFile)
      try write(Self.lineHeader + lines, to: directory + "/" + CSVInvoices.lineFile)
      result = try CSVInvoices.read(directory: directory)
    }
    return result
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  @Test("every column of a table is read, digits as written, lines in the order of the file")
  func reading() async throws {
    let invoices = try await read(
      invoices: Self.invoice,
      lines: "200,Second,,i1,,-1.50,l2,0.05,0,NONE,-30.0000\n,First,0,i1,X,2,l1,1,0,OUTPUT,2\n")
    let invoice = try #require(invoices.first)
    #expect(invoices.count == 1)
    #expect(invoice.kind == .bill && invoice.status == .open && invoice.taxBasis == .exclusive)
    #expect(invoice.amountDue.description == "47.990")
    #expect(invoice.subTotal.description == "40.00")
    #expect(invoice.currencyRate.description == "0.752950")
    #expect(invoice.updatedAt.description == "2020-04-26T14:45:34.083Z")
    #expect(invoice.reference == "")
    #expect(invoice.url == nil)
    #expect(invoice.fullyPaidOn == nil)
    #expect(invoice.sentToContact == true)
    #expect(invoice.lines.map(\.id) == ["l2", "l1"])
    #expect(invoice.lines[0].unitAmount?.description == "-30.0000")
    #expect(invoice.lines[0].itemCode == nil)
    #expect(invoice.lines[1].discountRate == ExactDecimal(0))
  }

  @Test("a line without its invoice is refused with file and line")
  func orphan() async throws {
    let error = await #expect(throws: SandboxError.self) {
      try await read(invoices: Self.invoice, lines: "200,x,,i2,,1,l1,1,0,NONE,1\n")
    }
    #expect("\(try #require(error))".hasSuffix("data.csv, line 2: the line belongs to no invoice"))
  }

  @Test("a duplicate invoice is refused")
  func twice() async throws {
    await #expect(throws: SandboxError.self) {
      try await read(invoices: Self.invoice + Self.invoice, lines: "")
    }
  }

  @Test(
    "a value that cannot be read is named by its column, without its text",
    arguments: [
      ("47.990", "amount_due"), ("ACCPAY", "type"), ("AUTHORISED", "status"),
      ("Exclusive", "line_amount_types"),
    ])
  func unreadableValue(value: String, column: String) async throws {
    let error = await #expect(throws: SandboxError.self) {
      try await read(
        invoices: Self.invoice.replacing(value, with: "much"), lines: "")
    }
    let text = "\(try #require(error))"
    #expect(text.hasSuffix("line 2: \(column) cannot be read"))
  }

  @Test("a missing file is named")
  func missingFile() {
    let error = #expect(throws: SandboxError.self) {
      try CSVInvoices.read(directory: "/nonexistent")
    }
    #expect(error.map { "\($0)".contains("/nonexistent/xero_invoice") } == true)
  }

  @Test(
    "the real tables have 601 invoices and 649 lines",
    .enabled(if: RealTables.directory != nil, "the real tables are not here"))
  func realData() throws {
    let invoices = try CSVInvoices.read(directory: try #require(RealTables.directory))
    #expect(invoices.count == 601)
    #expect(invoices.map(\.lines.count).reduce(0, +) == 649)
    #expect(Set(invoices.map(\.id)).count == 601)
    #expect(invoices.count(where: { $0.status == .void }) == 8)
    #expect(invoices.compactMap(\.model).count == 601)
  }
}
