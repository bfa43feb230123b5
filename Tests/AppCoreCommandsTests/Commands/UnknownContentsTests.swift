import ErrorCodes
import Foundation
import TestSupport
import Testing

@testable import AppCoreCommands

/// A file that was written before is not replaced by an empty one, of which nobody knows whether it
/// is true.
@Suite(.timeLimit(.minutes(10))) struct UnknownContentsTests {
  private static let commands = [
    ["invoices", "export", "-o"], ["invoices", "list", "--json", "-o"],
    ["invoices", "summary", "-o"], ["contacts", "export", "-o"], ["report", "--html"],
  ]

  private func damage(in fixture: CommandFixture) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.home.path)
    where name.contains("appcore.sqlite") && !name.hasSuffix(".lock") {
      let path = fixture.home.file(name)
      if name.hasSuffix(".sqlite") {
        try Data(repeating: 0xA5, count: 8_192).write(to: URL(filePath: path))
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  @Test("a file stays as it is if nothing was ever fetched", arguments: commands)
  func nothing(command: [String]) async throws {
    let fixture = try CommandFixture()
    let file = fixture.home.file(command[0] == "report" ? "kept.html" : "kept.txt")
    try Data("rows".utf8).write(to: URL(filePath: file))
    let ending = await fixture.run(command + [file])
    #expect(ending.status == .configuration && ending.errors.contains("is not written"))
    #expect(
      ending.errors.contains("appcore sync") || ending.errors.contains("lists no"),
      "\(ending.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "rows")
    let output = await fixture.run(command + ["-"])
    #expect(output.status == .done, "\(output.errors)")
  }

  @Test("a file stays as it is if the database was damaged, and the file is named")
  func damaged() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([try SampleRecords.invoice("a", "10")])
    let file = fixture.home.file("kept.csv")
    #expect(await fixture.run("invoices", "export", "-o", file).status == .done)
    let before = try Data(contentsOf: URL(filePath: file))
    try damage(in: fixture)
    let ending = await fixture.run("invoices", "export", "-o", file)
    #expect(
      ending.status == .inputOutput && ending.errors.contains(".damaged-"), "\(ending.errors)")
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
    // The next command finds an empty database in its place.
    #expect(await fixture.run("invoices", "export", "-o", file).status == .configuration)
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  @Test("a company without invoices has an empty file after a complete sync")
  func empty() async throws {
    let fixture = try await CommandFixture.loggedIn(["[]"])
    let sync = await fixture.run("sync", "invoices")
    #expect(sync.status == .done, "\(sync.errors)")
    let file = fixture.home.file("none.csv")
    let ending = await fixture.run("invoices", "export", "-o", file)
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("account,id,"))
  }

  @Test("a sync says that it renamed a damaged database, even if it prints errors only")
  func sync() async throws {
    let fixture = try await CommandFixture.loggedIn(["[]", "[]"])
    #expect(await fixture.run("sync", "invoices").status == .done)
    try damage(in: fixture)
    let ending = await fixture.run("sync", "invoices", "--quiet")
    #expect(ending.status == .done && ending.errors.contains(".damaged-"), "\(ending.errors)")
  }
}
