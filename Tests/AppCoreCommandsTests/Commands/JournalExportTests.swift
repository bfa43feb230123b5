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
        == """
        1 document with amounts that the provider does not explain; see equity:unexplained
        1 document without lines; their net amounts have the account code 'unspecified'

        """)
  }

  @Test("statuses that no journal holds are refused, and the file stays")
  func noClaims() async throws {
    let fixture = try await fixture()
    try "kept".write(toFile: fixture.file("a.journal"), atomically: true, encoding: .utf8)
    for statuses in ["draft", "draft,scheduled,void", "deleted,unknown"] {
      let ending = await export(fixture, "--status", statuses, "-o", "a.journal")
      #expect(ending.status == .usage && ending.errors.contains("are in no journal"))
    }
    #expect(try String(contentsOfFile: fixture.file("a.journal"), encoding: .utf8) == "kept")
    let some = await export(fixture, "--status", "draft,open", "-o", "b.journal")
    #expect(some.status == .done, "\(some.errors)")
  }

  @Test("what a journal never holds is not offered with --all")
  func nothing() async throws {
    let fixture = try CommandFixture()
    try await fixture.store(
      [
        try SampleRecords.invoice("b", number: "B-1", status: .draft),
        try SampleRecords.invoice("c", number: "C-1", status: .void),
      ], contacts: [])
    let ending = await export(fixture, "--format", "hledger")
    #expect(
      ending.errors == "No invoices match; 2 stored, void and deleted ones included\n",
      "\(ending.errors)")
  }

  @Test("--accounts names the accounts, and a mistake in the file is refused with its line")
  func accounts() async throws {
    let fixture = try await fixture()
    func run(_ text: String, _ format: String = "hledger") async throws -> CommandFixture.Ending {
      try text.write(toFile: fixture.file("accounts.yaml"), atomically: true, encoding: .utf8)
      return await export(fixture, "--format", format, "--accounts", "accounts.yaml")
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
      ("receivable: \"a;b::c  d\"", "receivable: a part of the account is empty"),
      ("payable: a;b:c", "payable: the programs do not allow ';' in an account"),
      ("payments: \"a:c  d\"", "payments: expected single spaces"),
      ("codes: [a]", "accounts.yaml:1:8: codes: expected a mapping"),
      ("a: [", "accounts.yaml:"),
    ] {
      let ending = try await run(text)
      #expect(ending.status == .configuration, "\(ending.errors)")
      #expect(ending.errors.contains(message) && ending.output == "", "\(ending.errors)")
    }
    for text in ["receivable: Funny:{contact}", "taxes:\n  VAT: vat:x", "contacts: { a: b:c }"] {
      #expect(try await run(text).status == .done)
      let ending = try await run(text, "beancount")
      #expect(ending.status == .configuration && ending.output == "")
      #expect(ending.errors.contains("beancount knows no account '"), "\(ending.errors)")
    }
    #expect(
      try await run("receivable: Funny:{contact}", "beancount").errors.contains(
        "accounts.yaml:1:13: receivable: beancount knows no account 'Funny'; begin with Assets, "))
    #expect(try await run("receivable: assets:{contact}", "beancount").status == .done)
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
