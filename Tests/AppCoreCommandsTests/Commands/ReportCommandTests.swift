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
    #expect(await fixture.run("report").status == .usage)
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
