import ArgumentParser
import Foundation
import Networking
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct SandboxCommandTests {
  @Test("without options everything has its default")
  func defaults() throws {
    let command = try ServeCommand.parse([])
    #expect(command.serverConfiguration == SandboxConfiguration())
    #expect(command.faults == nil)
    #expect(!command.ignoreStdin)
  }

  @Test("every option is read, with a space or an equals sign")
  func everyOption() throws {
    let command = try ServeCommand.parse([
      "--port", "8080", "--provider=square", "--invoices", "7", "--seed=9", "--page-size", "50",
      "--token-lifetime", "90s", "--latency=20ms", "--token-latency", "1m", "--reuse-grace=1h",
      "--device-interval=2s", "--tenants", "2", "--client-id", "me", "--auto-approve",
      "--no-issuer", "--ignore-stdin", "--faults", "f.json", "--tls-certificate=c.pem",
      "--tls-key", "k.pem", "--attachments=3", "--document-size", "100KiB", "--link-lifetime=5s",
      "--single-use-links",
    ])
    var expected = SandboxConfiguration()
    expected.port = 8_080
    expected.provider = .square
    expected.source = .generated(invoices: 7, seed: 9)
    expected.pageSize = 50
    expected.tokenLifetime = .seconds(90)
    expected.latency = .milliseconds(20)
    expected.tokenLatency = .seconds(60)
    expected.reuseGrace = .seconds(3_600)
    expected.deviceInterval = .seconds(2)
    expected.tenants = 2
    expected.clientID = "me"
    expected.autoApprove = true
    expected.announcesIssuer = false
    expected.certificate = ServerCertificate(certificateFile: "c.pem", keyFile: "k.pem")
    expected.documents.attachments = 3
    expected.documents.size = 102_400
    expected.documents.linkLifetime = .seconds(5)
    expected.documents.singleUseLinks = true
    #expect(command.serverConfiguration == expected)
    #expect(command.faults == "f.json")
    #expect(command.ignoreStdin)
  }

  @Test("a directory of tables takes the place of generated invoices")
  func data() throws {
    let command = try ServeCommand.parse(["--data", "dir"])
    #expect(command.serverConfiguration.source == .csv(directory: "dir"))
  }

  @Test(
    "an option that cannot be read is a usage error that names it",
    arguments: [
      (["--prot", "1"], "--prot"), (["--port"], "--port"), (["--port", "x"], "--port"),
      (["--port", "65536"], "--port"), (["--port="], "--port"), (["--provider", "acme"], "xero"),
      (["--client-id="], "--client-id"), (["--faults="], "--faults"),
      (["--attachments", "101"], "--attachments"), (["--document-size", "1kB"], "--document-size"),
      (["--document-size", "9GiB"], "--document-size"), (["--invoices", "-1"], "--invoices"),
      (["--seed", "x"], "--seed"),
      (["--latency", "20"], "--latency"), (["--latency", "ms"], "--latency"),
      (["--latency", "99999999999999999999h"], "--latency"),
      (["--token-lifetime", "0s"], "--token-lifetime"), (["--auto-approve=yes"], "--auto-approve"),
      (["--data", "d", "--seed", "1"], "--data"), (["--tls-key", "k"], "--tls-certificate"),
      (["stray"], "stray"),
    ])
  func usageErrors(arguments: [String], word: String) throws {
    let error = try #require(
      #expect(throws: (any Error).self) { try SandboxProgram.parse(["serve"] + arguments) })
    #expect(SandboxProgram.exitCode(for: error) == 64)
    let message = SandboxProgram.message(for: error)
    #expect(message.contains(word))
    #expect(message.contains("--help"))
  }

  @Test("each command is recognised, and anything else is a usage error")
  func commands() throws {
    let approve = try #require(
      SandboxProgram.parse(["approve", "http://x"]) as? ApproveCommand)
    #expect(approve.url == "http://x")
    #expect(try SandboxProgram.parse(["serve"]) is ServeCommand)
    for arguments in [["--help"], ["-h"], ["help"], ["serve", "--port", "x", "--help"]] {
      var command: (any ParsableCommand)?
      let error = #expect(throws: (any Error).self) {
        command = try SandboxProgram.parse(arguments)
        try command?.run()
      }
      #expect(error.map { SandboxProgram.exitCode(for: $0) } == 0)
    }
    for arguments in [[], ["server"], ["approve"], ["approve", "a", "b"], ["approve", "--x"]] {
      let error = #expect(throws: (any Error).self) {
        var command = try SandboxProgram.parse(arguments)
        try command.run()
      }
      #expect(error.map { SandboxProgram.exitCode(for: $0) } == 64)
    }
  }

  @Test(
    "the help of each command is the recorded page, and fits 80 columns",
    arguments: ["appcore-sandbox", "serve", "approve"])
  func help(name: String) throws {
    let error = #expect(throws: (any Error).self) {
      var command = try SandboxProgram.parse(
        (name == "appcore-sandbox" ? [] : [name]) + ["--help"])
      try command.run()
    }
    let page = SandboxCommand.fullMessage(for: try #require(error), columns: 80) + "\n"
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "HelpPages/" + name).appendingPathExtension("txt")
    // Records the pages after a wanted change:
    // APPCORE_RECORD=1 swift test --filter SandboxCommandTests
    if ProcessInfo.processInfo.environment["APPCORE_RECORD"] == "1" {
      try Data(page.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == page)
  }

  @Test("exit codes distinguish usage, files, network and refusal")
  func exitCodes() {
    let unreadable = SandboxError.unreadableFile(path: "p", line: nil, reason: "r")
    let busy = SandboxError.cannotListen(port: 1, underlying: CancellationError())
    #expect(SandboxProgram.exitCode(for: ValidationError("x")) == 64)
    #expect(SandboxProgram.exitCode(for: unreadable) == 65)
    #expect(SandboxProgram.exitCode(for: busy) == 69)
    #expect(SandboxProgram.exitCode(for: ApprovingBrowser.Failure.notLoopback) == 64)
    #expect(
      SandboxProgram.exitCode(for: SessionError.timedOut(phase: .request, origin: nil)) == 69)
    #expect(SandboxProgram.exitCode(for: ApprovingBrowser.Failure.refused(status: 400)) == 1)
    #expect(SandboxProgram.exitCode(for: CancellationError()) == 1)
  }
}
