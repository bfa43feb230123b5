import ErrorCodes
import Foundation
import Glibc
import Models
import Testing

@testable import AppCoreCommands

/// Data that goes to a file.
@Suite(.timeLimit(.minutes(10))) struct OutputFileTests {
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    try await fixture.store(
      [try SampleRecords.invoice("a", number: "A-1")],
      contacts: [SampleRecords.contact("c-1", "Acme Ltd")])
    return fixture
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(
    "a file gets the bytes that a pipe would get, and standard output stays empty",
    arguments: [
      (["invoices", "list"], ": 1 row"), (["invoices", "list", "--json"], ": 1 invoice"),
      (["invoices", "export"], ": 1 row"), (["invoices", "summary"], ""),
      (["invoices", "export", "--format", "jsonl"], ": 1 invoice"),
      (["contacts", "export"], ": 1 row"), (["contacts", "export", "--owing"], ": 0 rows"),
    ])
  func sameAsPipe(arguments: [String], written: String) async throws {
    let fixture = try await fixture()
    let piped = await fixture.run(arguments)
    let ending = await fixture.run(arguments + ["-o", "out.txt"], columns: 40)
    #expect(ending.status == .done && ending.output.isEmpty, "\(ending.errors)")
    #expect(ending.errors.hasSuffix("Wrote out.txt\(written).\n"), "\(ending.errors)")
    #expect(try text(fixture.file("out.txt")) == piped.output)
    let left = try FileManager.default.contentsOfDirectory(atPath: fixture.file("."))
    #expect(!left.contains { $0.hasPrefix(".out.txt") })
  }

  @Test(
    "the name of an export's file decides its format, unless an option does",
    arguments: [
      ("out.json", [], "json"), ("out.jsonl", [], "jsonl"), ("out.ndjson", [], "jsonl"),
      ("out.csv", [], "csv"), ("out.txt", [], "csv"), ("json", [], "csv"),
      ("a.json/out", [], "csv"),
      ("out.JSON", [], "json"), ("out.json", ["--format", "csv"], "csv"),
      ("out.csv", ["--json"], "json"),
    ], ["invoices", "contacts"])
  func suffix(_ file: (name: String, options: [String], format: String), list: String) async throws
  {
    let fixture = try await fixture()
    try FileManager.default.createDirectory(
      atPath: fixture.file("a.json"), withIntermediateDirectories: true)
    let expected = await fixture.run(list, "export", "--format", file.format)
    let ending = await fixture.run([list, "export", "-o", file.name] + file.options)
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(try text(fixture.file(file.name)) == expected.output)
  }

  @Test("a name that promises another format is refused, and nothing is written")
  func promises() async throws {
    let fixture = try await fixture()
    for (command, name, hint) in [
      (["invoices", "export"], "a.xlsx", "choose one with --format"),
      (["invoices", "list"], "a.csv", "appcore invoices export -o a.csv"),
      (["contacts", "list"], "a.json", "appcore contacts export -o a.json"),
      (["invoices", "summary"], "a.json", "appcore invoices summary --json -o a.json"),
      (["report"], "a.pdf", "name the file .html, not .pdf"),
      (["report"], "a.txt", "which a browser prints as PDF"),
    ] {
      let ending = await fixture.run(command + ["-o", name])
      #expect(ending.status == .usage && ending.errors.contains(hint), "\(ending.errors)")
      #expect(!FileManager.default.fileExists(atPath: fixture.file(name)))
    }
    #expect(await fixture.run("invoices", "list", "--json", "-o", "a.json").status == .done)
  }

  @Test("a new file has the mode of the process's mask, and an existing one keeps its own")
  func modes() async throws {
    let fixture = try await fixture()
    let mask = umask(0)
    umask(mask)
    #expect(await fixture.run("invoices", "export", "--output", "new.csv").status == .done)
    #expect(try mode(fixture.file("new.csv")) == 0o666 & ~Int(mask))
    chmod(fixture.file("new.csv"), 0o600)
    #expect(await fixture.run("invoices", "export", "-o", "new.csv").status == .done)
    #expect(try mode(fixture.file("new.csv")) == 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.file("link"), withDestinationPath: "new.csv")
    #expect(await fixture.run("invoices", "list", "-o", "link").status == .done)
    #expect(try text(fixture.file("new.csv")).hasPrefix("DATE"))
  }

  @Test("a terminal that is named as a file is written as a terminal")
  func terminal() throws {
    let leader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(leader) }
    // As unlockpt(3) and ptsname(3) do, which Swift does not see.
    var (lock, number): (CInt, CUnsignedInt) = (0, 0)
    try #require(ioctl(leader, 0x4004_5431, &lock) == 0)
    try #require(ioctl(leader, 0x8004_5430, &number) == 0)
    #expect(try OutputFile("/dev/pts/\(number)", in: "/").isTerminal)
    #expect(try !OutputFile("/dev/null", in: "/").isTerminal)
  }

  @Test("a file that cannot be written ends in 74 with its path, and an earlier one stays")
  func failures() async throws {
    let fixture = try await fixture()
    let absent = await fixture.run("invoices", "export", "-o", "none/out.csv", "--json")
    #expect(absent.status == .inputOutput)
    #expect(try absent.failure()["code"] as? String == "output-file")
    #expect((try absent.failure()["message"] as? String)?.contains("none/out.csv") == true)
    let full = await fixture.run("invoices", "export", "-o", "/dev/full")
    #expect(full.status == .inputOutput && full.errors.contains("No space left"), "\(full.errors)")
    #expect(await fixture.run("invoices", "export", "-o", "/dev/null").status == .done)
    let standard = await fixture.run("invoices", "export", "-o", "-")
    #expect(standard.output.hasPrefix("account,id,"))
  }
}
