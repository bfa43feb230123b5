import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands

@Suite(.timeLimit(.minutes(10))) struct ReportCommandTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try await CommandFixture.loggedIn([
      """
      [{"id":"1","number":"A-1","status":"open","day":"2024-05-01","total":"1.50"},
       {"id":"2","number":"<b>2","status":"paid","day":"2024-06-01","total":"2.25"},
       {"id":"3","number":"A-3","status":"void","day":"2024-06-01","total":"9"}]
      """
    ])
    #expect(await fixture.run("sync", "invoices").status == .done)
    return fixture
  }

  @Test("a report goes into a file that only its owner can read, or to standard output")
  func destinations() async throws {
    let fixture = try await fixture()
    let folder = try TemporaryDirectory()
    let ending = await fixture.run("report", "--html", folder.file("r.html"))
    #expect(ending.status == .done && ending.output.isEmpty)
    #expect(ending.errors == "Wrote \(folder.file("r.html")) (2 invoices; EUR).\n")
    let page = try String(contentsOfFile: folder.file("r.html"), encoding: .utf8)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("3.75") && !page.contains("<b>"))
    #expect(page.contains("<p>2 of 3 documents count. Left out: 1 void.</p>"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file("r.html"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["r.html"])
    let printed = await fixture.run("report", "--html", "-")
    #expect(printed.status == .done && printed.output == page && printed.errors.isEmpty)
    let quiet = await fixture.run("report", "--html", folder.file("r.html"), "--quiet")
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
  }

  @Test("a relative name is a file in the current folder")
  func relativeName() async throws {
    let fixture = try await fixture()
    let path = fixture.home.file("r.html")
    let ending = await fixture.run("report", "--html", "r.html")
    #expect(ending.errors.hasPrefix("Wrote \(path) "), "\(ending.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  @Test("with --json the file, the number of invoices and the currencies are printed")
  func json() async throws {
    let fixture = try await fixture()
    let folder = try TemporaryDirectory()
    let document = try await fixture.run("report", "--html", folder.file("r"), "--json").document()
    #expect(document["file"] as? String == folder.file("r"))
    #expect(document["invoices"] as? Int == 2 && document["schemaVersion"] as? Int == 1)
    #expect(document["currencies"] as? [String] == ["EUR"])
    #expect(await fixture.run("report", "--html", "-", "--json").status == .usage)
  }

  @Test("days narrow a report, and a wrong day is a usage error")
  func days() async throws {
    let fixture = try await fixture()
    let page = await fixture.run("report", "--html", "-", "--from", "2024-06-01").output
    #expect(page.contains("Issued since 1 Jun 2024.") && !page.contains("1.50"))
    let none = await fixture.run("report", "--html", "-", "--to", "2024-04-30").output
    #expect(none.contains("There are no invoices to report."))
    #expect(await fixture.run("report", "--html", "-", "--from", "June").status == .usage)
    for wrong in [[], ["--html", "a.html", "--each", "d"], ["--each", ""]] {
      #expect(await fixture.run(["report"] + wrong).status == .usage)
    }
  }

  @Test("a name that promises no page is refused before anything is read, in any case")
  func suffixes() async throws {
    let fixture = try CommandFixture(configuration: "accounts: [")
    for name in ["r.pdf", "r.PDF", "r.csv", "no/r.json"] {
      let ending = await fixture.run("report", "-o", name)
      #expect(ending.status == .usage, "\(ending.errors)")
      #expect(ending.errors.contains("A report is an HTML page, which a browser prints as PDF"))
    }
    for name in ["r.html", "r.HTM", "r", ".html", "d.pdf/r.xhtml"] {
      #expect(await fixture.run("report", "-o", name).status == .configuration, "\(name)")
    }
  }

  @Test("--each writes a page for each account, and leaves alone the file of an unknown one")
  func each() async throws {
    let fixture = try CommandFixture(
      configuration: """
        defaultAccount: one
        accounts: { one: { provider: acme }, two: { provider: acme }, new: { provider: acme } }
        """)
    for (account, total) in [("one", "11"), ("two", "22")] {
      try await fixture.store([try SampleRecords.invoice("1", total)], account: account)
    }
    func page(_ name: String) throws -> String {
      try String(contentsOfFile: fixture.file("pages/\(name).html"), encoding: .utf8)
    }
    let named = await fixture.run("report", "--each", "pages", "--account", "two")
    let path = fixture.file("pages")
    #expect(named.status == .done && named.errors == "Wrote \(path)/two.html (1 invoice; EUR).\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["two.html"])
    _ = try fixture.home.write("kept", to: "pages/new.html")
    let all = await fixture.run("report", "--each", "pages", "--json")
    #expect(all.status == .configuration)
    let reports = try #require(try all.document()["reports"] as? [[String: Any]])
    #expect(reports.map { $0["account"] as? String } == ["one", "two"])
    #expect(reports.map { $0["file"] as? String } == ["\(path)/one.html", "\(path)/two.html"])
    let failure = try all.failure()
    #expect(
      failure["account"] as? String == "new" && failure["code"] as? String == "nothing-stored")
    #expect((failure["message"] as? String)?.contains("new.html' is not written") == true)
    #expect((failure["hint"] as? String)?.contains("--account new") == true)
    #expect(try page("new") == "kept")
    #expect(try page("one").contains("11.00") && !page("one").contains("22.00"))
    #expect(try page("two").contains("22.00") && !page("two").contains("11.00"))
    #expect(try page("two").contains("<h1>Invoices of <bdi>two</bdi></h1>"))
  }

  @Test("without a database the page says how to get invoices, and a mistyped account is an error")
  func noDatabase() async throws {
    let fixture = try CommandFixture()
    let ending = await fixture.run("report", "--html", "-")
    #expect(ending.status == .done && ending.output.contains("appcore sync all"))
    #expect(await fixture.run("report", "--html", "-", "--account", "x").status == .configuration)
  }

  @Test("a file that cannot be written is named with the cause, and nothing is left")
  func unwritable() async throws {
    let fixture = try await fixture()
    let folder = try TemporaryDirectory()
    let ending = await fixture.run("report", "--html", folder.file("no/r.html"), "--json")
    #expect(ending.status == .inputOutput && ending.output.isEmpty)
    let failure = try ending.failure()
    #expect(
      failure["message"] as? String
        == "\(folder.file("no/r.html")) cannot be written: No such file or directory")
    let directory = await fixture.run("report", "--html", folder.path)
    #expect(directory.errors.contains("Is a directory"), "\(directory.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
