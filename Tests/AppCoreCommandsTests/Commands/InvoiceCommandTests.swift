import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct InvoiceCommandTests {
  /// Four invoices, two of one number, one void.
  private func fixture() async throws -> CommandFixture {
    let rows = [
      ("1", "A-1", "open", "2024-05-01", "1.50"), ("2", "A-2", "paid", "2024-06-01", "2.25"),
      ("3", "A-2", "open", "2024-06-02", "10"), ("4", "A-4", "void", "2024-06-03", "4"),
    ].map {
      #"{"id":"\#($0.0)","number":"\#($0.1)","status":"\#($0.2)","day":"\#($0.3)","total":"\#($0.4)"}"#
    }
    let fixture = try await CommandFixture.loggedIn(["[" + rows.joined(separator: ",") + "]"])
    #expect(await fixture.run("sync", "invoices").status == .done)
    return fixture
  }

  private func ids(_ ending: CommandFixture.Ending) throws -> [String?] {
    let invoices = try #require(try ending.document()["invoices"] as? [[String: Any]])
    return invoices.map { $0["id"] as? String }
  }

  @Test("a list is the newest first, without void invoices, and can be narrowed and sorted")
  func list() async throws {
    let fixture = try await fixture()
    #expect(try ids(await fixture.run("invoices", "list", "--json")) == ["3", "2", "1"])
    #expect(try ids(await fixture.run("invoices", "list", "--json", "--all")).count == 4)
    #expect(try ids(await fixture.run("invoices", "list", "--json", "--limit", "1")) == ["3"])
    #expect(
      try ids(await fixture.run("invoices", "list", "--json", "--sort", "total")).first == "1")
    #expect(try ids(await fixture.run("invoices", "list", "--json", "--status", "void")) == ["4"])
    #expect(
      try ids(await fixture.run("invoices", "list", "--json", "--from", "2024-06-02")) == ["3"])
    let text = await fixture.run("invoices", "list").output.split(separator: "\n")
    #expect(text.count == 4 && text[0].hasPrefix("DATE") && text[1].contains("10.00 EUR"))
  }

  @Test("an unknown status is a usage error with the available ones")
  func unknownStatus() async throws {
    let ending = try await CommandFixture().run("invoices", "list", "--status", "lost")
    #expect(ending.status == .usage)
    #expect(ending.errors.contains("unknown status 'lost'; available: draft, "), "\(ending.errors)")
  }

  @Test("an invoice is shown by its number or identifier")
  func show() async throws {
    let fixture = try await fixture()
    #expect(await fixture.run("invoices", "show", "A-1").output.contains("total      1.50 EUR"))
    let document = try await fixture.run("invoices", "show", "2", "--json").document()
    let invoice = try #require(document["invoice"] as? [String: Any])
    #expect(invoice["total"] as? String == "2.25" && invoice["lines"] is [Any])
  }

  @Test("a record is shown as it is, with its lines joined, whatever command it reads like")
  func shownAsItIs() async throws {
    let fixture = try CommandFixture()
    var invoice = try SampleRecords.invoice(
      "a", number: "A-1", contact: Party(name: "appcore sync GmbH"))
    invoice.reference = "first\nappcore login"
    try await fixture.store([invoice])
    let shown = await fixture.run(
      "invoices", "show", "A-1", "--config", fixture.file("config/appcore/config.yaml"))
    #expect(shown.output.contains("contact    appcore sync GmbH\n"), "\(shown)")
    #expect(shown.output.contains("reference  first appcore login\n"), "\(shown)")
  }

  @Test("an unknown or ambiguous invoice ends in 1")
  func showErrors() async throws {
    let fixture = try await fixture()
    let absent = await fixture.run("invoices", "show", "B-1", "--json")
    #expect(absent.status == .unclassified && absent.output.isEmpty)
    #expect(try absent.failure()["code"] as? String == "not-found")
    let ambiguous = await fixture.run("invoices", "show", "A-2", "--json")
    #expect(try ambiguous.failure()["code"] as? String == "ambiguous")
    #expect((try ambiguous.failure()["message"] as? String)?.contains("A-2 (2), A-2 (3)") == true)
  }

  @Test("a summary adds up the invoices of the same list exactly")
  func summary() async throws {
    let fixture = try await fixture()
    let document = try await fixture.run("invoices", "summary", "--json").document()
    let months = try #require(document["months"] as? [[String: Any]])
    #expect(months.map { $0["month"] as? String }.contains("2024-06") && months.count == 2)
    let june = try #require(months.first { $0["month"] as? String == "2024-06" })
    #expect(june["total"] as? String == "12.25" && june["count"] as? Int == 2)
    #expect(await fixture.run("invoices", "summary").output.contains("12.25 EUR"))
  }

  @Test("an export holds every invoice in each of its forms")
  func export() async throws {
    let fixture = try await fixture()
    let csv = await fixture.run("invoices", "export").output
    let lines = csv.split(separator: "\r\n")
    #expect(lines.count == 5 && lines[0].hasPrefix("account,id,number,"))
    #expect(lines[4].hasPrefix("default,4,A-4,invoice,void,"))
    #expect(try ids(await fixture.run("invoices", "export", "--format", "json")).count == 4)
    #expect(try ids(await fixture.run("invoices", "export", "--json")).count == 4)
    let jsonl = await fixture.run("invoices", "export", "--format", "jsonl").output
    #expect(jsonl.split(separator: "\n").count == 4)
  }

  @Test("commands that read create no database, and a mistyped account is an error")
  func noDatabase() async throws {
    let fixture = try CommandFixture()
    let none = await fixture.run("invoices", "list")
    #expect(none.status == .done && none.output.isEmpty)
    #expect(none.errors == "No invoices are stored; fetch them with: appcore sync invoices\n")
    #expect(try ids(await fixture.run("invoices", "export", "--json")) == [])
    let ending = await fixture.run("invoices", "list", "--account", "shp", "--json")
    #expect(ending.status == .configuration)
    #expect(try ending.failure()["code"] as? String == "unknown-account")
    #expect(
      try await fixture.run("status", "--json").document()["databaseExists"] as? Bool == false)
    try FileManager.default.removeItem(atPath: fixture.home.file("config/appcore/config.yaml"))
    let unset = await fixture.run("invoices", "list")
    #expect(unset.errors == "No invoices are stored; connect a provider with: appcore setup\n")
  }

  @Test("a description of several lines is shown on one")
  func severalLines() async throws {
    let fixture = try CommandFixture()
    var invoice = try SampleRecords.invoice("a", number: "A-1")
    var line = InvoiceLine(id: "1")
    line.description = "Design\r\n  and print\n"
    invoice.lines = [line]
    try await fixture.store([invoice])
    let text = await fixture.run("invoices", "show", "A-1").output
    #expect(text.contains("Design and print\n") && !text.contains("\u{FFFD}"), "\(text)")
  }
}
