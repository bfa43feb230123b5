import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

/// Exports for a tax adviser: rows of lines and taxes, and the form that spreadsheet programs open.
@Suite(.timeLimit(.minutes(10))) struct ExportOptionTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    var whole = try SampleRecords.complete("a", number: "=A-1")
    whole.lines.append(InvoiceLine(description: "Brush"))
    try await fixture.store(
      [
        whole, try SampleRecords.invoice("b", number: "B-1", status: .draft),
        try SampleRecords.invoice("c", number: "C-1", issued: "2023-12-31"),
        try SampleRecords.invoice("d", number: "D-1", status: .void),
      ], contacts: [SampleRecords.contact("c-1", "@home")])
    return fixture
  }

  private func rows(_ ending: CommandFixture.Ending) -> [String] {
    ending.output.components(separatedBy: "\r\n").dropLast()
  }

  @Test("--lines writes a row a line, and --issued leaves out what does not count")
  func lines() async throws {
    let fixture = try await fixture()
    let all = rows(await fixture.run("invoices", "export", "--lines"))
    #expect(
      all.count == 6 && all[0].hasPrefix("account,id,number,type,status,deletedAt,contactName"))
    let issued = await fixture.run("invoices", "export", "--lines", "--issued", "--year", "2024")
    #expect(
      rows(issued).dropFirst() == [
        "default,a,=A-1,invoice,open,,Ada Ltd,2024-05-01,2024-05-31,EUR,false,l-1,Paint,2,49.30,"
          + "0.10,19,S,19.00,98.50,200,,,,,,,,,",
        "default,a,=A-1,invoice,open,,Ada Ltd,2024-05-01,2024-05-31,EUR,false,,Brush,,,,"
          + ",,,,,,,,,,,,,",
      ])
    let file = await fixture.run("invoices", "export", "--lines", "--issued", "-o", "l.csv")
    #expect(file.errors == "Wrote l.csv: 3 rows.\n", "\(file.errors)")
  }

  @Test("--tax-rates writes a row a tax")
  func taxRates() async throws {
    let found = rows(
      try await fixture().run("invoices", "export", "--tax-rates", "--issued", "--year", "2024"))
    #expect(
      found == [
        "account,id,number,type,status,deletedAt,contactName,issueDate,dueDate,currency,taxName,"
          + "taxRate,taxableAmount,taxAmount,taxExemptionReason",
        "default,a,=A-1,invoice,open,,Ada Ltd,2024-05-01,2024-05-31,EUR,VAT,19,100.00,19.00,",
      ])
  }

  @Test("--excel writes harmless texts and a byte order mark, and a plain export keeps the texts")
  func excel() async throws {
    let fixture = try await fixture()
    let command = ["invoices", "export", "--lines", "--excel", "--year", "2024", "--issued"]
    let found = await fixture.run(command, variables: ["LANG": "C.UTF-8"])
    #expect(found.output.hasPrefix("\u{FEFF}account,id,number,") && found.errors.isEmpty)
    #expect(rows(found)[1].hasPrefix("default,a,'=A-1,") && found.output.contains(",49.30,"))
    let unknown = await fixture.run(command, variables: ["LANG": "xx_NONE.UTF-8"])
    #expect(unknown.output == found.output && unknown.errors.contains("is not installed"))
    let contacts = await fixture.run("contacts", "export", "--excel")
    #expect(
      contacts.output.hasPrefix("\u{FEFF}account,id,") && contacts.output.contains(",'@home,"))
    let plain = await fixture.run("invoices", "export")
    #expect(plain.output.hasPrefix("account,") && plain.output.contains(",=A-1,"))
  }

  @Test("options of CSV are refused for other formats")
  func otherFormats() async throws {
    let fixture = try await fixture()
    for (options, message) in [
      (["--lines", "--json"], "--lines and --tax-rates are for csv, not for json."),
      (["--tax-rates", "-o", "a.jsonl"], "are for csv, not for jsonl."),
      (["--excel", "--format", "json"], "--excel is for csv, not for json."),
      (["--lines", "--tax-rates"], "exclude each other."),
      (["--excel", "-o", "a.xlsx"], "name the file .csv"),
    ] {
      let ending = await fixture.run(["invoices", "export"] + options)
      #expect(ending.status == .usage && ending.errors.contains(message), "\(ending.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: fixture.file("a.jsonl")))
  }
}
