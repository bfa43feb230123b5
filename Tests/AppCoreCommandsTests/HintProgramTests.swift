import ArgumentParser
import Documents
import Foundation
import Testing

@testable import AppCoreCommands

/// The commands in hints, which use the configuration of the command that prints them.
@Suite(.timeLimit(.minutes(10))) struct HintProgramTests {
  @Test("commands in a text are called by the script, and with the configuration of the command")
  func hints() throws {
    let launcher = try #require(
      SandboxLauncher([SandboxLauncher.variable: "/tmp/a b/appcore"]))
    let text = "Sign in with: appcore login --account a; 'appcore sync all'"
    #expect(HintProgram().hints(in: text) == text)
    #expect(
      HintProgram(launcher: launcher).hints(in: text)
        == "Sign in with: '/tmp/a b/appcore' login --account a; ''/tmp/a b/appcore' sync all'")
    #expect(
      HintProgram(configuration: "my file.yaml").hints(in: text)
        == "Sign in with: appcore --config 'my file.yaml' login --account a; "
        + "'appcore --config 'my file.yaml' sync all'")
    let both = HintProgram(launcher: launcher, configuration: "x.yaml")
    #expect(
      both.hints(in: "Run appcore status.") == "Run '/tmp/a b/appcore' --config x.yaml status.")
    for text in [
      "appcore: waiting", "appcore setup --sandbox", "/x/appcore login", "appcore was", "appcore ",
      "an-appcore login", "éappcore login", "appcore loginé", "appcore login2", "", "a",
    ] {
      #expect(both.hints(in: text) == text)
    }
    #expect(SandboxLauncher([:]) == nil)
  }

  @Test("hints can name every command")
  func names() {
    let commands = RootCommand.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    #expect(HintCommands.names == Set(commands).subtracting(["setup", "generate-manual"]))
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
}
