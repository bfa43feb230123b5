import ErrorCodes
import Foundation
import Models
import SystemSupport
import TestSupport
import Testing

@testable import AppCoreCommands

private let syncCommands =
  "invoices, credit-notes, external-invoices, bills, payments, prepayments,\n"
  + "overpayments, contacts, all."

/// Command lines that are not as ArgumentParser reads them, or wrong.
@Suite(.timeLimit(.minutes(10))) struct UsageTests {
  @Test(
    "global options are accepted before the command, between its words and after it",
    arguments: [
      "--json --config FILE status", "--json --config=FILE status", "status --json --config FILE",
      "--config FILE -v --json status", "-qv --json --config FILE status",
      "--config FILE invoices --json list", "--json invoices --config FILE list --overdue",
      "invoices --config FILE list --json", "sync --json --config=FILE -v all",
      "sync -qv --config FILE invoices --json",
    ])
  func globalOptions(line: String) async throws {
    let fixture = try CommandFixture()
    let words = line.split(separator: " ").map {
      String($0).replacing("FILE", with: "/nowhere.yaml")
    }
    let ending = await fixture.run(words)
    #expect(ending.status == .configuration && ending.output.isEmpty)
    let failure = try #require(ending.errors.split(separator: "\n").last)
    #expect(failure.contains("/nowhere.yaml") && failure.hasPrefix("{"), "\(ending.errors)")
  }

  @Test(
    "an unknown command or option ends in 64 with the nearest one",
    arguments: [
      ("lst", "Unknown command 'lst'. Did you mean 'invoices list'?"),
      ("invoices lst", "Unknown command 'lst'. Did you mean 'list'?"),
      ("invoces", "Unknown command 'invoces'. Did you mean 'invoices'?"),
      ("stauts", "Unknown command 'stauts'. Did you mean 'status'?"),
      ("-v sync invoces", "Unknown command 'invoces'. Did you mean 'invoices'?"),
      ("lst --help", "Unknown command 'lst'. Did you mean 'invoices list'?"),
      ("frobnicate", "Unknown command 'frobnicate'."),
      ("sync -q", "A command is missing; available:\n" + syncCommands),
      ("-q sync -q", "A command is missing; available:\n" + syncCommands),
      ("sync --config sync", "A command is missing; available:\n" + syncCommands),
      ("invoices list --form 2026-01-01", "Unknown option '--form'. Did you mean '--from'?"),
      ("invoices export --since 2026", "Unknown option '--since'. Did you mean '--from'?"),
      ("invoices export --sorting x", "Unknown option '--sorting'."),
      ("--confg FILE status", "Unknown option '--confg'. Did you mean '--config'?"),
      ("help exit-code", "Unknown help topic 'exit-code'. Did you mean 'exit-codes'?"),
      ("help nosuch", "Unknown command 'nosuch'."),
      ("help status more", "'appcore status' has no subcommands."),
    ])
  func nearest(line: String, message: String) async throws {
    let fixture = try CommandFixture()
    let words = line.split(separator: " ").map(String.init)
    let ending = await fixture.run(words)
    #expect(ending.status == .usage && ending.output.isEmpty)
    #expect(ending.errors.hasPrefix("appcore: " + message + "\n"), "\(ending.errors)")
    for text in ending.errors.split(separator: "\n") { #expect(text.count <= 80, "\(text)") }
  }

  @Test("a mistake names the help of the command it is in, also in JSON")
  func hints() async throws {
    let fixture = try CommandFixture()
    let text = await fixture.run("invoices", "show").errors
    #expect(text.contains("\nUsage: appcore invoices show [options] <id>\n"), "\(text)")
    #expect(text.contains("\n  See 'appcore invoices show --help' for more information.\n"))
    let failure = try await fixture.run("--json", "invoices", "lst").failure()
    #expect(failure["code"] as? String == "usage")
    #expect(failure["hint"] as? String == "appcore invoices --help")
    #expect(failure["message"] as? String == "Unknown command 'lst'. Did you mean 'list'?")
  }

  @Test("topics are named for a word that could be one, and not for one after a command")
  func topics() async throws {
    let fixture = try CommandFixture()
    #expect(await fixture.run("help", "nosuch").errors.contains("Topics: "))
    let ending = await fixture.run("help", "invoices", "lst")
    #expect(ending.errors.hasPrefix("appcore: Unknown command 'lst'. Did you mean 'list'?\n"))
    #expect(!ending.errors.contains("Topics"), "\(ending.errors)")
  }

  @Test("a word after -- and the value of --sort are no options")
  func values() async throws {
    let fixture = try CommandFixture()
    let sorted = await fixture.run("invoices", "list", "--sort", "-total")
    #expect(sorted.status == .done, "\(sorted.errors)")
    let shown = await fixture.run("invoices", "show", "--", "--help")
    #expect(shown.status == .unclassified && shown.errors.contains("'--help'"), "\(shown.errors)")
  }

  @Test("--version names the program; a group of commands shows its help")
  func versionAndGroups() async throws {
    let fixture = try CommandFixture()
    for words in [["--version"], ["-v", "--version"], ["sync", "all", "--version"]] {
      #expect(await fixture.run(words).output == "appcore \(Version.text)\n")
    }
    #expect(Version.text.hasPrefix(Version.number))
    for words in [["invoices"], ["--json", "invoices"], ["invoices", "-h"]] {
      let ending = await fixture.run(words)
      #expect(ending.status == .done && ending.output.contains("USAGE: appcore invoices"))
    }
  }

  /// The help of another program, as ArgumentParser prints it.
  private static let dump = """
    {"serializationVersion":0,"command":{"commandName":"other","shouldDisplay":true,
     "abstract":"Serve something. Really.","discussion":"\(String(repeating: "word ", count: 30))",
     "subcommands":[
      {"commandName":"serve","shouldDisplay":true,"superCommands":["other"],"arguments":[
       {"kind":"option","names":[{"kind":"long","name":"config"}],"valueName":"n","isOptional":true,
        "isRepeating":false,"shouldDisplay":true,"parsingStrategy":"default","abstract":"One."},
       {"kind":"option","names":[{"kind":"long","name":"port"}],"valueName":"n","isOptional":false,
        "isRepeating":false,"shouldDisplay":true,"parsingStrategy":"default"}]},
      {"commandName":"help","shouldDisplay":true,"superCommands":["other"]}]}}
    """

  @Test("the manual pages of another program have its own options and commands")
  func otherProgram() async throws {
    let fixture = try CommandFixture()
    _ = try fixture.home.write(Self.dump, to: "help.json")
    let ending = await fixture.run("generate-manual", "--program-help", "help.json", ".")
    #expect(ending.status == .done, "\(ending.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.home.path)
        .filter { $0.hasSuffix(".1") || $0.hasSuffix(".7") }.sorted()
        == ["other-serve.1", "other.1"])
    let page = try String(contentsOfFile: fixture.file("other.1"), encoding: .utf8)
    #expect(page.contains("other \\- serve something\n"))
    #expect(page.contains(".BR other\\-serve (1),\n.BR appcore (1)\n"), "\(page)")
    #expect(!page.contains(".SH EXAMPLES") && !page.contains("GLOBAL OPTIONS"))
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(page)")
    let serve = try String(contentsOfFile: fixture.file("other-serve.1"), encoding: .utf8)
    #expect(serve.contains(".B \\-\\-config <n>\nOne.\n"), "\(serve)")
    #expect(serve.contains("other serve \\-\\-port <n> [options]"), "\(serve)")
    let mistaken = await fixture.run("generate-manual", "--program-help", "none.json", ".")
    #expect(mistaken.status == .inputOutput && mistaken.errors.contains("none.json"))
  }

  @Test("every manual page has a name, no line that roff would run, and no raw minus")
  func manual() throws {
    let other = try CommandDescription(dump: Data(Self.dump.utf8))
    let pages = ManualPage.all + ManualPage.all(of: other)
    #expect(Set(pages.map(\.fileName)).count == pages.count)
    #expect(pages.contains { $0.fileName == "appcore-invoices-list.1" })
    #expect(pages.contains { $0.fileName == "appcore-exit-codes.7" })
    let macros: Set = [".TH", ".SH", ".B", ".BR", ".TP", ".PP", ".nf", ".fi", ".in"]
    for page in pages {
      let lines = page.text.split(separator: "\n")
      #expect(lines[1] == ".SH NAME" && lines[2].contains(" \\- "))
      for line in lines where line.hasPrefix(".") {
        #expect(macros.contains(String(line.prefix { $0 != " " })), "\(line)")
      }
      #expect(!lines.contains { $0.hasPrefix("'") })
    }
  }
}
