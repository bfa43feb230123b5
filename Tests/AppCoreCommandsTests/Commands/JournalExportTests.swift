import ErrorCodes
import Foundation
import Models
import Testing

@testable import AppCoreCommands

/// Exports for hledger, ledger and beancount.
@Suite(.timeLimit(.minutes(10))) struct JournalExportTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    try await fixture.store(
      [
        try SampleRecords.complete("a", number: "A-1"),
        try SampleRecords.invoice("b", number: "B-1", status: .draft),
      ], contacts: [])
    return fixture
  }

  private func export(
    _ fixture: CommandFixture, _ options: String...
  ) async -> CommandFixture.Ending {
    await fixture.run(["invoices", "export"] + options)
  }

  @Test("the end of a file's name chooses the program, and so does --format")
  func formats() async throws {
    let fixture = try await fixture()
    let beginnings = [
      "journal": "commodity 1000.00 EUR\n", "hledger": "commodity 1000.00 EUR\n",
      "ledger": "commodity EUR\n    format", "beancount": "1900-01-01 open ",
      "bean": "1900-01-01 open ",
    ]
    for (suffix, beginning) in beginnings {
      let ending = await export(fixture, "-o", "a.\(suffix)")
      #expect(ending.status == .done && ending.output == "", "\(ending.errors)")
      #expect(ending.errors.contains("Wrote a.\(suffix): 2 transactions."), "\(ending.errors)")
      let text = try String(contentsOfFile: fixture.file("a.\(suffix)"), encoding: .utf8)
      #expect(text.contains(beginning) && !text.contains("B-1"))
    }
    let file = try String(contentsOfFile: fixture.file("a.journal"), encoding: .utf8)
    #expect(await export(fixture, "--format", "hledger").output == file)
  }

  @Test("--lines writes a posting with its text for each line")
  func lines() async throws {
    let fixture = try await fixture()
    let plain = await export(fixture, "--format", "ledger")
    let lines = await export(fixture, "--format", "ledger", "--lines")
    #expect(!plain.output.contains("  ; Paint") && lines.output.contains(" EUR  ; Paint\n"))
  }

  @Test("amounts that nobody explains are counted on standard error")
  func unexplained() async throws {
    let fixture = try CommandFixture()
    var invoice = try SampleRecords.invoice("a", number: "A-1")
    (invoice.amountDue, invoice.lines) = (ExactDecimal("0.50"), [])
    try await fixture.store([invoice], contacts: [])
    let ending = await export(fixture, "--format", "hledger")
    #expect(ending.output.contains("    equity:unexplained "))
    #expect(
      ending.errors
        == "1 document with amounts that the provider does not explain; see equity:unexplained\n")
  }

  @Test("--accounts names the accounts, and a mistake in the file is refused with its line")
  func accounts() async throws {
    let fixture = try await fixture()
    func run(_ text: String) async throws -> CommandFixture.Ending {
      try text.write(toFile: fixture.file("accounts.yaml"), atomically: true, encoding: .utf8)
      return await export(fixture, "--format", "hledger", "--accounts", "accounts.yaml")
    }
    let ending = try await run(
      """
      receivable: Assets:AR:{contact}
      codes: { "200": income:sales }
      taxes: { VAT: liabilities:vat }
      contacts: { Ada Ltd: ada }
      """)
    #expect(ending.status == .done, "\(ending.errors)")
    for account in ["Assets:AR:ada", "income:sales", "liabilities:vat"] {
      #expect(ending.output.contains("    \(account) "), "\(ending.output)")
    }
    for (text, message) in [
      ("codes:\n  \"200\": income", "accounts.yaml:2:10: codes.200: expected an account of two"),
      ("receivabel: a:b", "accounts.yaml:1:1: receivabel: unknown key 'receivabel'; did you mean"),
      ("\nincome: a:{name}", "accounts.yaml:2:9: income: unknown placeholder '{name}'"),
      ("codes: [a]", "accounts.yaml:1:8: codes: expected a mapping"),
      ("a: [", "accounts.yaml:"),
    ] {
      let ending = try await run(text)
      #expect(ending.status == .configuration, "\(ending.errors)")
      #expect(ending.errors.contains(message) && ending.output == "", "\(ending.errors)")
    }
    let missing = await export(fixture, "--format", "ledger", "--accounts", "none.yaml")
    #expect(missing.errors.contains("none.yaml: file not found"), "\(missing.errors)")
  }

  @Test("options that do not fit the format are refused")
  func refused() async throws {
    let fixture = try await fixture()
    for (options, message) in [
      (["--format", "ledger", "--excel"], "--excel is for csv, not for ledger."),
      (["--tax-rates", "-o", "a.bean"], "are for csv, not for beancount."),
      (["--accounts", "a.yaml"], "--accounts is for hledger, ledger and beancount, not for csv."),
    ] {
      let ending = await fixture.run(["invoices", "export"] + options)
      #expect(ending.status == .usage && ending.errors.contains(message), "\(ending.errors)")
    }
    let contacts = await fixture.run("contacts", "export", "--format", "hledger")
    #expect(contacts.status == .usage)
  }
}
