import ErrorCodes
import Foundation
import Models
import TestSupport
import Testing

@testable import AppCoreCommands
@testable import Storage

/// `singer`, and exports of what has changed.
@Suite(.timeLimit(.minutes(10))) struct SingerCommandTests {
  private func invoice(_ id: String, _ total: String = "1.468") throws -> Invoice {
    Invoice(
      id: id, type: .invoice, status: .open, rawStatus: "open",
      currency: try #require(Currency(code: "TND")), total: try #require(ExactDecimal(total)))
  }

  /// Requires that each line of standard output is a message, and returns their types.
  private func types(_ ending: CommandFixture.Ending) throws -> [String] {
    try ending.output.split(separator: "\n").map { line in
      let message = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(message?["type"] as? String, "\(line)")
    }
  }

  @Test("the tap writes messages alone, and after its state nothing but states")
  func messages() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a"), invoice("b")])
    let first = await fixture.run("singer")
    #expect(first.status == .done && first.errors == "", "\(first.errors)")
    let types = try types(first)
    #expect(types.filter { $0 == "RECORD" }.count == 3 && types.last == "STATE")
    let last = try #require(first.output.split(separator: "\n").last)
    let state = try #require(last.firstMatch(of: /"value":(.*)\}/)?.output.1)
    _ = try fixture.home.write(String(state), to: "state.json")
    let second = await fixture.run("singer", "--state", "state.json")
    #expect(try self.types(second) == Array(repeating: "SCHEMA", count: 4) + ["STATE"])
  }

  @Test("without a database or with an unknown account, the tap fails before its first message")
  func nothing() async throws {
    let fixture = try await CommandFixture.loggedIn()
    _ = try fixture.home.write(#"{"accounts": ["nobody"]}"#, to: "nobody.json")
    _ = try fixture.home.write(#"{"accounts": ["nobody"], "sync": true}"#, to: "syncs.json")
    let empty = await fixture.run("singer")
    #expect(empty.status == .configuration && empty.output.isEmpty)
    #expect(empty.errors.contains("nothing was fetched yet"), "\(empty.errors)")
    try await fixture.store([invoice("a")])
    for file in ["nobody.json", "syncs.json"] {
      let unknown = await fixture.run("singer", "--config", file)
      #expect(unknown.status == .configuration && unknown.output.isEmpty)
      #expect(unknown.errors.contains("nobody"), "\(unknown.errors)")
    }
  }

  @Test("a state of another database is named on standard error")
  func foreign() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a")])
    _ = try fixture.home.write(
      """
      {"database": "x", "bookmarks": {"invoices": {"replication_key_value": 1, "version": 1}}}
      """, to: "state.json")
    let ending = await fixture.run("singer", "--state", "state.json")
    #expect(ending.status == .done)
    #expect(ending.errors.contains("the state is of another database"), "\(ending.errors)")
  }

  @Test(
    "a state without bookmarks or versions is named on standard error, unless it is empty",
    arguments: [
      (#"{"bookmarks": {"invoices": {"replication_key_value": 1}}}"#, true),
      (#"{"type": "STATE", "value": {"bookmarks": {}}}"#, true),
      (#"{"bookmarks": {}}"#, false), ("{}", false), ("", false),
    ])
  func unreadable(state: String, isNamed: Bool) async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a")])
    _ = try fixture.home.write(state, to: "state.json")
    let ending = await fixture.run("singer", "--state", "state.json")
    #expect(ending.status == .done)
    #expect(try types(ending).filter { $0 == "RECORD" }.count == 2)
    #expect(ending.errors.contains("the state is not one of this tap") == isNamed)
    #expect(ending.errors.split(separator: "\n").count == (isNamed ? 1 : 0), "\(ending.errors)")
    #expect(await fixture.run("singer", "-q", "--state", "state.json").errors == "")
  }

  @Test("hints of the tap name the configuration of appcore that its own one names")
  func hints() async throws {
    let fixture = try CommandFixture()
    let other = try fixture.home.write(
      String(contentsOfFile: fixture.file("config/appcore/config.yaml"), encoding: .utf8)
        .replacing("{ default:", with: "{ second: { provider: acme }, default:"),
      to: "other.yaml")
    _ = try fixture.home.write(#"{"config_file": "\#(other)"}"#, to: "tap.json")
    let empty = await fixture.run("singer", "--config", "tap.json")
    #expect(
      empty.errors.contains("appcore --config \(other) sync invoices"), "\(empty.errors)")
    try await fixture.store([invoice("a")])
    let unread = await fixture.run("singer", "--config", "tap.json")
    #expect(unread.status == .done)
    let command = "appcore --config \(other) sync invoices --account second"
    #expect(
      unread.errors.contains("'invoices' of account 'second' was never read to its end")
        && unread.errors.contains(command), "\(unread.errors)")
  }

  @Test("the tap takes the options that every command takes, and --config is its own")
  func options() async throws {
    let row = #"[{"id": "a", "number": "1", "status": "open", "day": "2024-01-01", "total": "5"}]"#
    let fixture = try await CommandFixture.loggedIn([row])
    _ = try fixture.home.write(#"{"sync": true}"#, to: "tap.json")
    let ending = await fixture.run("singer", "-v", "--config", "tap.json", "--color", "never")
    #expect(ending.status == .done && ending.errors.contains("sync"), "\(ending.errors)")
    #expect(try types(ending).contains("RECORD"))
    let failed = await fixture.run("singer", "--json", "--config", "absent.json")
    #expect(try failed.failure()["code"] as? String == "configuration")
  }

  @Test("a sync that fails writes what is stored, and then fails")
  func sync() async throws {
    let fixture = try await CommandFixture.loggedIn()
    try await fixture.store([invoice("a")])
    _ = try fixture.home.write(#"{"sync": true, "max_wait": "1s"}"#, to: "tap.json")
    let ending = await fixture.run("singer", "--config", "tap.json")
    #expect(ending.status != .done && !ending.errors.isEmpty)
    #expect(try types(ending).contains("RECORD"))
  }

  @Test("a sync comes first, and its report is no message")
  func synced() async throws {
    let row = #"[{"id": "a", "number": "1", "status": "open", "day": "2024-01-01", "total": "5"}]"#
    let fixture = try await CommandFixture.loggedIn([row])
    _ = try fixture.home.write(#"{"sync": true}"#, to: "tap.json")
    let ending = await fixture.run("singer", "--config", "tap.json")
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(try types(ending).filter { $0 == "RECORD" }.count == 2)
  }

  @Test(
    "what is wrong is said on standard error alone",
    arguments: [
      ["--config", "absent.json"], ["--config", "unknown.json"], ["--state", "broken.json"],
      ["--catalog", "broken.json"], ["--states", "x"], ["--config", "elsewhere.json"],
    ])
  func mistakes(arguments: [String]) async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a")])
    _ = try fixture.home.write(#"{"configfile": "x"}"#, to: "unknown.json")
    _ = try fixture.home.write(#"{"config_file": "/nonexistent/a.yaml"}"#, to: "elsewhere.json")
    _ = try fixture.home.write("{", to: "broken.json")
    let ending = await fixture.run(["singer"] + arguments)
    #expect(ending.status != .done && ending.output.isEmpty && !ending.errors.isEmpty)
  }

  @Test("the name tap-appcore is the command, also for --discover and --about")
  func name() async throws {
    #expect(
      CommandLineProgram.arguments(of: ["/x/tap-appcore", "--about"]) == ["singer", "--about"])
    #expect(CommandLineProgram.arguments(of: ["tap-appcore", "--version"]) == ["--version"])
    #expect(CommandLineProgram.arguments(of: ["./appcore", "status"]) == ["status"])
    let fixture = try CommandFixture()
    let about = try await fixture.run("singer", "--about").document()
    #expect(about["name"] as? String == "tap-appcore")
    let catalog = try await fixture.run("singer", "--discover").document()
    #expect((catalog["streams"] as? [Any])?.count == 7)
  }

  @Test("an export of changes writes what has changed since the last one")
  func export() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a"), invoice("b")])
    func changed() async throws -> [String] {
      let ending = await fixture.run("invoices", "export", "--changes-since", "changes")
      #expect(ending.status == .done, "\(ending.errors)")
      return try ending.output.split(separator: "\n").map { line in
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return "\(row?["id"] ?? "") \(row?["total"] ?? row?["deletedReason"] ?? "")"
      }
    }
    #expect(try await changed() == ["a 1.468", "b 1.468"])
    #expect(try await changed() == [])
    try await fixture.store([invoice("a"), invoice("b", "0.000001")])
    #expect(try await changed() == ["b 0.000001"])
    let database = try await LocalDatabase.open(at: fixture.file("data/appcore/appcore.sqlite"))
    try await database.forgetRecords(account: "default")
    try await database.close()
    #expect(try await changed() == ["a forgotten", "b forgotten"])
    _ = try fixture.home.write("other:1", to: "changes")
    try await fixture.store([invoice("c")])
    let foreign = await fixture.run("invoices", "export", "--changes-since", "changes", "-o", "x")
    #expect(foreign.errors.contains("is not of this database"), "\(foreign.errors)")
    _ = try fixture.home.write("other:1", to: "changes")
    #expect(try await changed() == ["c 1.468"])
    // Other accounts than those of the state are written whole.
    let state = try String(contentsOfFile: fixture.file("changes"), encoding: .utf8)
    _ = try fixture.home.write(state.replacing("default", with: "second"), to: "changes")
    #expect(try await changed() == ["c 1.468"])
    #expect(try await changed() == [])
  }

  @Test(
    "an export of changes writes jsonl without filters, and nothing else",
    arguments: [
      ["--overdue"], ["--lines"], ["--excel"], ["--json"], ["--format", "csv"], ["-o", "x.csv"],
      ["-o", "x.journal"], ["-o", "x.unknown"], ["-o", "./changes"],
    ])
  func refused(options: [String]) async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a")])
    let export = ["invoices", "export", "--changes-since", "changes"]
    let ending = await fixture.run(export + options)
    #expect(ending.status == .usage && ending.output.isEmpty, "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: fixture.file("changes")))
    for file in ["x.jsonl", "x.ndjson", "x.txt", "x"] {
      #expect(await fixture.run(export + ["-o", file]).status == .done)
    }
    #expect(await fixture.run(export + ["-o", "x.csv", "--format", "jsonl"]).status == .done)
  }

  @Test("a state that cannot be written fails before the first line")
  func unwritableState() async throws {
    let fixture = try CommandFixture()
    try await fixture.store([invoice("a")])
    try FileManager.default.createDirectory(
      atPath: fixture.file("folder"), withIntermediateDirectories: false)
    for state in ["absent/changes", "folder/changes/x"] {
      let ending = await fixture.run(
        "invoices", "export", "--changes-since", state, "-o", "x.jsonl")
      #expect(ending.status != .done && ending.errors.contains(state), "\(ending.errors)")
      #expect(!FileManager.default.fileExists(atPath: fixture.file("x.jsonl")))
    }
  }
}
