import ErrorCodes
import Foundation
import Models
import Presentation
import Sandbox
import TestSupport
import Testing

@testable import AppCoreCommands
@testable import Documents

/// The command that exports files, and the reports of runs that end early.
@Suite(.timeLimit(.minutes(10)), .cleansUp) struct DocumentsExportCommandTests {
  private let commands = DocumentsCommandTests()

  @Test("export says what it wrote, what was there, what it replaced and what it left out")
  func exportText() async throws {
    let (fixture, _) = try await commands.scene()
    #expect(await fixture.run("documents", "sync").status == .done)
    let list = await fixture.run("documents", "list", "--json")
    let count = try DocumentsCommandTests.rows(list).count
    func export(_ words: String...) async -> CommandFixture.Ending {
      await fixture.run(["documents", "export", "--name", "{number}", "--dir", "out"] + words)
    }
    let first = await export()
    #expect(first.status == .done && first.errors.hasPrefix("Wrote \(count) files ("))
    let again = await export()
    #expect(
      again.status == .done && again.errors.hasPrefix("Wrote 0 files, \(count) unchanged ("),
      "\(again.errors)")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: fixture.file("out"))
        .first { $0.hasSuffix(".pdf") })
    _ = try fixture.home.write("of another invoice", to: "out/\(name)")
    let skipped = await export("--skip-existing")
    #expect(skipped.status == .done)
    #expect(
      skipped.errors.contains("; 1 skipped, as other files have their names\nSkipped \(name)\n"),
      "\(skipped.errors)")
    let refused = await export()
    #expect(refused.status == .inputOutput && refused.errors.contains("with --clobber"))
    let replaced = try await export("--clobber", "--json").document()
    #expect(replaced["replaced"] as? Int == 1 && replaced["files"] as? Int == count)
    _ = try fixture.home.write("of another invoice", to: "out/\(name)")
    let text = await export("--clobber")
    #expect(
      text.errors.hasPrefix("Wrote 1 file, replacing 1, \(count - 1) unchanged ("),
      "\(text.errors)")
  }

  @Test("export takes no empty name, and replaces no file that is no ZIP file")
  func exportPlace() async throws {
    let (fixture, _) = try await commands.scene(invoices: 3)
    for option in ["--dir", "--zip"] {
      let ending = await fixture.run("documents", "export", option, "")
      #expect(ending.status == .usage && ending.errors.contains("\(option) is empty"))
    }
    _ = try fixture.home.write("my notes", to: "notes.txt")
    let export = ["documents", "export", "--zip", "notes.txt"]
    let refused = await fixture.run(export)
    #expect(refused.status == .inputOutput, "\(refused.errors)")
    #expect(refused.errors.contains("is no ZIP archive"), "\(refused.errors)")
    #expect(refused.errors.contains("replace it with --clobber"), "\(refused.errors)")
    #expect(try String(contentsOfFile: fixture.file("notes.txt"), encoding: .utf8) == "my notes")
    #expect(await fixture.run(export + ["--clobber"]).status == .done)
    #expect(await fixture.run(export).status == .done)
  }

  @Test("a sync that is interrupted while it fetches files has the reports of its lists")
  func interruptedFiles() async throws {
    let (fixture, server) = try await commands.scene()
    let path = "config/appcore/config.yaml"
    let yaml = try String(contentsOfFile: fixture.file(path), encoding: .utf8)
    _ = try fixture.home.write(
      yaml.replacing("documents: {}", with: "documents: { sync: true }"), to: path)
    server.armFault(Fault(path: "/d/*", kind: .delay, delayMilliseconds: 3_600_000))
    let running = Task { await fixture.run("sync", "all", "--json") }
    try await eventually("a file is asked for") {
      await server.statistics().faultsApplied == 1
    }
    running.cancel()
    let ending = await running.joined
    #expect(ending.status == .interrupted)
    let document = try ending.document()
    #expect((document["reports"] as? [Any])?.isEmpty == false && document["documents"] == nil)
    let failure = try ending.failure()
    #expect(failure["code"] as? String == "interrupted")
    #expect(failure["message"] as? String == "interrupted while files were fetched")
  }

  @Test("the failure of the list of all attachments names it, and hints name the account")
  func listFailure() throws {
    var report = DocumentReport(account: "shop", provider: "Acme")
    report.listFailure = DocumentError.serverFailed(status: 400)
    report.failed = 1
    report.failures = [
      DocumentReport.FailedFile(
        invoiceID: "1", number: "A-1", kind: .pdf, name: nil, code: .unreadableData, message: "no")
    ]
    let failures = report.failures(in: nil)
    #expect(
      failures.map(\.message) == [
        "the list of attachments: the provider answered with status 400", "A-1 pdf: no",
      ])
    #expect(failures[1].hint == "See them all with: appcore documents list --failed --account shop")
    #expect(!report.isComplete)
  }
}
