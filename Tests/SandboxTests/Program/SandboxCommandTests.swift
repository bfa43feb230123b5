import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(10))) struct SandboxCommandTests {
  private func options(_ arguments: String...) throws -> ServeOptions {
    try ServeOptions(arguments)
  }

  @Test("Without options everything has its default")
  func defaults() throws {
    let options = try options()
    #expect(options.configuration == SandboxConfiguration())
    #expect(options.faultsFile == nil)
    #expect(!options.ignoresStandardInput)
  }

  @Test("Every option is read, with a space or an equals sign")
  func everyOption() throws {
    let options = try options(
      "--port", "8080", "--provider=xero", "--invoices", "7", "--seed=9", "--page-size", "50",
      "--token-lifetime", "90s", "--latency=20ms", "--token-latency", "1m", "--reuse-grace=1h",
      "--tenants", "2", "--client-id", "me", "--auto-approve", "--no-issuer", "--ignore-stdin",
      "--faults", "f.json", "--tls-certificate=c.pem", "--tls-key", "k.pem")
    var expected = SandboxConfiguration()
    expected.port = 8_080
    expected.source = .generated(invoices: 7, seed: 9)
    expected.pageSize = 50
    expected.tokenLifetime = .seconds(90)
    expected.latency = .milliseconds(20)
    expected.tokenLatency = .seconds(60)
    expected.reuseGrace = .seconds(3_600)
    expected.tenants = 2
    expected.clientID = "me"
    expected.autoApprove = true
    expected.announcesIssuer = false
    expected.certificate = ServerCertificate(certificateFile: "c.pem", keyFile: "k.pem")
    #expect(options.configuration == expected)
    #expect(options.faultsFile == "f.json")
    #expect(options.ignoresStandardInput)
  }

  @Test("A directory of tables takes the place of made-up invoices")
  func data() throws {
    #expect(try options("--data", "dir").configuration.source == .csv(directory: "dir"))
  }

  @Test(
    "What cannot be understood is a usage error that names the option",
    arguments: [
      (["--prot", "1"], "--prot"), (["--port"], "--port"), (["--port", "x"], "--port"),
      (["--port", "65536"], "--port"), (["--port="], "--port"), (["--provider", "acme"], "xero"),
      (["--invoices", "-1"], "--invoices"), (["--seed", "x"], "--seed"),
      (["--latency", "20"], "--latency"), (["--latency", "ms"], "--latency"),
      (["--latency", "99999999999999999999h"], "--latency"),
      (["--token-lifetime", "0s"], "--token-lifetime"), (["--auto-approve=yes"], "--auto-approve"),
      (["--data", "d", "--seed", "1"], "--data"), (["--tls-key", "k"], "--tls-certificate"),
      (["stray"], "stray"),
    ])
  func usageErrors(arguments: [String], word: String) {
    let error = #expect(throws: SandboxUsageError.self) {
      try SandboxCommand(["serve"] + arguments)
    }
    #expect(error?.message.contains(word) == true)
  }

  @Test("Commands are told apart")
  func commands() throws {
    #expect(try SandboxCommand(["approve", "http://x"]) == .approve(url: "http://x"))
    #expect(try SandboxCommand(["serve"]) == .serve(ServeOptions([])))
    for arguments in [["--help"], ["-h"], ["help"], ["serve", "--port", "x", "--help"]] {
      #expect(try SandboxCommand(arguments) == .help)
    }
    for arguments in [[], ["server"], ["approve"], ["approve", "a", "b"], ["approve", "--x"]] {
      #expect(throws: SandboxUsageError.self) { try SandboxCommand(arguments) }
    }
  }

  @Test("The help names every option")
  func help() {
    for option in [
      "--port", "--provider", "--invoices", "--seed", "--data", "--page-size", "--tenants",
      "--client-id", "--token-lifetime", "--reuse-grace", "--latency", "--token-latency",
      "--auto-approve", "--no-issuer", "--faults", "--tls-certificate", "--tls-key",
      "--ignore-stdin",
    ] {
      #expect(SandboxUsage.text.contains(option))
    }
  }

  @Test("Exit codes tell usage, files, network and refusal apart")
  func exitCodes() {
    let unreadable = SandboxError.unreadableFile(path: "p", line: nil, reason: "r")
    let busy = SandboxError.cannotListen(port: 1, underlying: CancellationError())
    #expect(SandboxProgram.exitCode(for: SandboxUsageError("x")) == 64)
    #expect(SandboxProgram.exitCode(for: unreadable) == 65)
    #expect(SandboxProgram.exitCode(for: busy) == 69)
    #expect(SandboxProgram.exitCode(for: LoopbackError.notLoopback) == 64)
    #expect(SandboxProgram.exitCode(for: LoopbackError.timedOut) == 69)
    #expect(SandboxProgram.exitCode(for: ApprovingBrowser.Failure.refused(status: 400)) == 1)
  }
}
