import Foundation
import TestSupport
import Testing

/// The JSON that the real program prints.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct JSONOutputTests {
  @Test("a document in a pipe is one line, empty values included")
  func oneLine() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    for arguments in [
      ["status"], ["doctor"], ["invoices", "list"], ["invoices", "summary"],
      ["invoices", "export"],
    ] {
      let output = try await fixture.start(arguments + ["--json"]).ending().output
      #expect(output.hasSuffix("}\n") && output.split(separator: "\n").count == 1, "\(output)")
    }
    let export = try await fixture.run("invoices", "export", "--json").output
    #expect(export == #"{"invoices":[],"schemaVersion":1}"# + "\n")
    let failure = try await fixture.run("invoices", "show", "none", "--json")
    #expect(failure.status == 1 && failure.errors.split(separator: "\n").count == 1)
  }

  @Test(
    "a document on a terminal is indented, and empty values stay on their line",
    .enabled(if: ChildProcess.find("script") != nil, "script is not installed"))
  func terminal() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    let program = try ChildProcess.built("appcore")
    for arguments in ["invoices list --json", "invoices export --json"] {
      let ending = try await ChildProcess(
        try #require(ChildProcess.find("script")),
        ["-qec", "\(program) \(arguments)", "/dev/null"], environment: fixture.environment
      ).ending()
      let text = ending.output.replacing("\r\n", with: "\n")
      #expect(text == "{\n  \"invoices\": [],\n  \"schemaVersion\": 1\n}\n", "\(text)")
    }
  }

  // Edge case 55
  @Test(
    "amounts whose digits are far apart are listed and summed",
    .enabled(if: OtherWriter.isAvailable, "python3 is not installed"))
  func farApart() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    try await fixture.makeDatabase()
    let other = try OtherWriter(at: fixture.databasePath)
    try await other.run("INSERT INTO account (row, name, source) VALUES (1, 'default', 's')")
    let least = "0." + String(repeating: "0", count: 37) + "1"
    for (index, total) in [least, "100.50"].enumerated() {
      try await other.run(
        "INSERT INTO invoice (account, id, type, status, raw_status, currency, issue_date, total, "
          + "amount_due, fingerprint, synced_at) VALUES (1, 'i\(index)', 'invoice', 'open', 'o', "
          + "'EUR', '2024-01-01', '\(total)', '\(total)', 0, 0)")
    }
    try await other.stop()
    let text = try await fixture.run("invoices", "summary")
    let sum = "100.5" + least.dropFirst(3)
    #expect(text.status == 0 && text.output.contains("\(sum) EUR"), "\(text.errors)")
    let json = try await fixture.run("invoices", "summary", "--json")
    #expect(json.status == 0 && json.output.contains(#""total":"\#(sum)""#), "\(json.errors)")
  }
}
