import AppCore
import ErrorCodes
import Foundation
import Models
import Presentation
import Testing

@testable import AppCoreCommands

/// The commands in hints, which use the configuration of the command that prints them.
@Suite(.timeLimit(.minutes(10))) struct HintProgramTests {
  @Test("commands in a text are called by the script, and with the configuration of the command")
  func hints() throws {
    let launcher = try #require(
      SandboxLauncher([SandboxLauncher.variable: "/tmp/a b/appcore"]))
    let hint = Hint("Sign in with", ["login", "--account", "a b"]).then("Then", ["sync", "all"])
    #expect(
      HintProgram().text(hint)
        == "Sign in with: appcore login --account 'a b'. Then: appcore sync all")
    #expect(
      HintProgram(launcher: launcher).text(hint)
        == "Sign in with: '/tmp/a b/appcore' login --account 'a b'. Then: "
        + "'/tmp/a b/appcore' sync all")
    #expect(
      HintProgram(configuration: "my file.yaml").text(Hint("See", ["status"]))
        == "See: appcore --config 'my file.yaml' status")
    let both = HintProgram(launcher: launcher, configuration: "x.yaml")
    #expect(both.text(Hint("Run", ["status"])) == "Run: '/tmp/a b/appcore' --config x.yaml status")
    #expect(both.text(Hint("Or", ["setup", "--sandbox"])) == "Or: appcore setup --sandbox")
    #expect(both.text("appcore login") == "appcore login", "a sentence has no command")
    #expect(SandboxLauncher([:]) == nil)
  }

  @Test("sentences and commands are joined, and a placeholder is quoted")
  func joining() {
    var choice: Hint.Command = ["login", "--organisation"]
    choice.placeholder = "NAME"
    let hint = Hint("Set it.").then("Or choose", choice).then("Wait.").after("First: ")
    #expect(hint.text() == "First: Set it. Or choose: appcore login --organisation 'NAME'. Wait.")
    #expect(hint.commands == [choice])
  }

  @Test("the hint to start a sandbox says in its own folder that it has stopped")
  func stopped() throws {
    let launcher = SandboxLauncher(path: "/s/appcore")
    var start: Hint.Command = ["serve"]
    start.program = HintAccount.sandbox
    #expect(
      HintProgram(launcher: launcher).text(Hint("Start it", start))
        == "This sandbox does not start again. Its invoices can still be read: /s/appcore invoices list. "
        + "Create a new one with: appcore setup --sandbox")
  }

  @Test(
    "a hint names the configuration of the command line, in text and in JSON",
    arguments: [["--config", "{}"], ["--config=/nowhere", "--config={}"]])
  func command(options: [String]) async throws {
    let fixture = try CommandFixture()
    let file = fixture.file("other.yaml")
    try FileManager.default.copyItem(
      atPath: fixture.file("config/appcore/config.yaml"), toPath: file)
    let options = options.map { $0.replacing("{}", with: file) }
    let arguments = ["sync", "invoices"] + options
    let hint = "Sign in with: appcore --config \(file) login --account default --token-stdin"
    let text = await fixture.run(arguments)
    #expect(text.errors.contains(hint), "\(text.errors)")
    let json = try await fixture.run(arguments + ["--json"]).failure()
    #expect(json["hint"] as? String == hint)
    let list = await fixture.run(["invoices", "list"] + options)
    #expect(list.errors.contains("appcore --config \(file) sync invoices"), "\(list.errors)")
    let help = await fixture.run(arguments + ["--help"])
    #expect(!help.output.contains(file))
    let mistake = await fixture.run(arguments + ["more"])
    #expect(mistake.status == .usage && !mistake.errors.contains("appcore --config"))
  }

  @Test("mistakes and topics name the program as hints do; help alone needs no configuration")
  func usage() async throws {
    let fixture = try CommandFixture()
    let (file, script) = (fixture.file("config/appcore/config.yaml"), "/s/appcore")
    for (variables, caller, helper) in [
      ([:], "appcore --config \(file)", "appcore"),
      ([SandboxLauncher.variable: script], "\(script) --config \(file)", script),
    ] {
      let table = ["invoices", "list", "-o", "a.csv", "--config", file]
      let ending = await fixture.run(table, variables: variables)
      #expect(ending.status == .usage)
      #expect(ending.errors.contains("use: \(caller) invoices export -o a.csv\n"))
      #expect(ending.errors.contains("Usage: \(helper) invoices list [options]\n"))
      #expect(ending.errors.contains("See '\(helper) invoices list --help'"), "\(ending.errors)")
      let mistaken = await fixture.run(table + ["--nosuch"], variables: variables)
      #expect(mistaken.errors.contains("See '\(helper) invoices list --help'"))
      let topic = await fixture.run(
        ["help", "secret-store", "--config", file], variables: variables)
      #expect(topic.output.contains("'\(caller) logout --all'"), "\(topic.errors)")
    }
    let setup = await fixture.run(
      ["setup", "--nosuch"], variables: [SandboxLauncher.variable: script])
    #expect(setup.errors.contains("\nUsage: appcore setup [options]\n"))
    #expect(setup.errors.contains("See 'appcore setup --help'"))
  }
}
