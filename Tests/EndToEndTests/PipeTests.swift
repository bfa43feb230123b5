import Foundation
import Glibc
import Sandbox
import SystemSupport
import TestSupport
import Testing

/// Readers of standard output that stall or leave, and what a child inherits.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct PipeTests {
  @Test("a stalled reader costs no processor time, and SIGTERM ends the export with 143")
  func stalledReader() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 800, seed: 1) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    for isNonBlocking in [false, true] {
      for arguments in [["invoices", "export"], ["invoices", "list", "--json"]] {
        let output = Pipe()
        let writer = output.fileHandleForWriting.fileDescriptor
        if isNonBlocking { _ = fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK) }
        let program = try ChildProcess(
          try ChildProcess.built("appcore"), arguments, environment: fixture.environment,
          output: output)
        try await eventually("the pipe is full") { Self.waiting(in: output) > 60_000 }
        try await eventually("all its threads sleep") { Self.sleeps(program.processID) }
        program.send(SIGTERM)
        try await eventually("it ends") { !program.isRunning }
        let ending = await program.ending()
        #expect(ending.status == 143, "\(arguments) \(isNonBlocking): \(ending.errors)")
      }
    }
  }

  @Test("a pipe that is named as a file holds no program, whether it is full or has no reader")
  func namedPipe() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 800, seed: 1) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let path = fixture.keyring.home.file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    for (arguments, isFull) in [
      (["invoices", "export", "-o", path], true), (["report", "--html", path], false),
      (["invoices", "export", "-o", path], false),
    ] {
      let program = try fixture.start(arguments)
      try await eventually("it waits for the pipe") {
        var waiting: CInt = 0
        if isFull { _ = ioctl(reader, UInt(FIONREAD), &waiting) }
        return (waiting > 60_000 || !isFull) && Self.sleeps(program.processID)
      }
      program.send(SIGTERM)
      try await eventually("it ends") { !program.isRunning }
      let ending = await program.ending()
      #expect(ending.status == 143, "\(arguments): \(ending.errors)")
      if isFull { close(reader) }
    }
    let late = try fixture.start(["invoices", "export", "-o", path])
    try await eventually("it waits for a reader") { Self.sleeps(late.processID) }
    let text = try await ChildProcess(
      try #require(ChildProcess.find("cat")), [path], environment: [:]
    ).ending().output
    #expect(await late.ending().status == 0)
    #expect(try await fixture.run("invoices", "export").output == text)
  }

  @Test("a redirected standard output that is named as a file keeps what is in its file")
  func namedStandardOutput() async throws {
    let fixture = try await ProgramFixture().signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let path = try fixture.keyring.home.write("kept\n", to: "kept.txt")
    let program = try ChildProcess.built("appcore")
    for name in ["/dev/stdout", "/proc/self/fd/1"] {
      let shell = try ChildProcess(
        "/bin/sh", ["-c", "\(program) invoices export -o \(name) >> \(path)"],
        environment: fixture.environment)
      #expect(await shell.ending().status == 0)
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
    #expect(lines.first == "kept" && lines.count == 9, "\(lines)")
  }

  @Test("a slow reader gets all of it, through a blocking and a non-blocking pipe")
  func slowReader() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 800, seed: 1) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let whole = try await fixture.run("invoices", "export").output
    for isNonBlocking in [false, true] {
      let output = Pipe()
      let writer = output.fileHandleForWriting.fileDescriptor
      if isNonBlocking { _ = fcntl(writer, F_SETFL, fcntl(writer, F_GETFL) | O_NONBLOCK) }
      let program = try ChildProcess(
        try ChildProcess.built("appcore"), ["invoices", "export"],
        environment: fixture.environment, output: output)
      try await eventually("all its threads sleep") {
        Self.waiting(in: output) > 60_000 && Self.sleeps(program.processID)
      }
      try? output.fileHandleForWriting.close()
      let read = try await withTaskCancellationHandler {
        try await BlockingWork.run { try output.fileHandleForReading.readToEnd() ?? Data() }
      } onCancel: {
        program.send(SIGKILL)
      }
      #expect(String(decoding: read, as: UTF8.self) == whole)
      #expect(await program.ending().status == 0)
    }
  }

  @Test("a reader that has left ends no command by a signal, whatever it prints")
  func readerLeft() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 30, seed: 1) }
      .signedIn()
    #expect(try await fixture.run("sync", "all").status == 0)
    let contacts = try await fixture.run("contacts", "list", "--json").output
    let contact = try #require(contacts.firstMatch(of: #/"id":"([^"]+)"/#)).output.1
    let commands: [(arguments: [String], status: Int32)] = [
      (["--help"], 0), (["--version"], 0), (["help"], 0), (["help", "sync"], 0),
      (["sync", "--help"], 0), (["config", "show"], 0), (["status"], 0), (["doctor", "--json"], 0),
      (["invoices", "list"], 0), (["invoices", "export"], 0), (["invoices", "summary"], 0),
      (["invoices", "show", "nothing"], 1), (["report", "--html", "-"], 0),
      (["contacts", "list"], 0), (["contacts", "export"], 0),
      (["contacts", "show", String(contact)], 0), (["organisations", "list"], 0),
      (["sync", "all", "-vv"], 0), (["nonsense"], 64), (["logout"], 0),
    ]
    for (arguments, status) in commands {
      let (output, errors) = (Pipe(), Pipe())
      try output.fileHandleForReading.close()
      try errors.fileHandleForReading.close()
      // A user's shell does not ignore the signal as this process does.
      let program = try ChildProcess(
        try #require(ChildProcess.find("env")),
        ["--default-signal=PIPE", try ChildProcess.built("appcore")] + arguments,
        environment: fixture.environment, output: output, errors: errors)
      #expect(await program.ending().status == status, "\(arguments)")
    }
  }

  @Test("a closed standard output is 74, and its output reaches no other file")
  func closedOutput() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 30, seed: 1) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    let program = try ChildProcess.built("appcore")
    let ending = try await ChildProcess(
      try #require(ChildProcess.find("sh")), ["-c", "exec \(program) invoices list >&-"],
      environment: fixture.environment
    ).ending()
    #expect(ending.status == 74, "\(ending.errors)")
    #expect(try await fixture.stored().count == 30)
  }

  @Test("the browser gets the default signal handlers")
  func browserSignals() async throws {
    let fixture = try await ProgramFixture()
    let trace = fixture.keyring.home.file("signals")
    let sandbox = try ChildProcess.built("appcore-sandbox")
    _ = try fixture.keyring.home.write(
      "#!/bin/sh\ncat /proc/self/status > \(trace)\nexec \(sandbox) approve \"$1\"\n",
      to: "xdg-open")
    // As a shell starts it: nothing is ignored but what the program itself ignores.
    let login = try await ChildProcess(
      try #require(ChildProcess.find("env")),
      ["--default-signal", try ChildProcess.built("appcore"), "login"],
      environment: fixture.environment
    ).ending()
    #expect(login.status == 0, "\(login.errors)")
    let status = try String(contentsOfFile: trace, encoding: .utf8)
    func mask(_ name: String) throws -> UInt64 {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      let digits = line.split(whereSeparator: \.isWhitespace).last ?? ""
      return try #require(UInt64(digits, radix: 16))
    }
    #expect(try mask("SigBlk") == 0)
    // Those above are the C library's own.
    #expect(try mask("SigIgn") & 0x7FFF_FFFF == 0)
  }

  @Test("a signal ends a program that awaits a token on standard input")
  func silentInput() async throws {
    let fixture = try await ProgramFixture()
    let input = Pipe()
    // Foundation closes our side's copy of what the child reads from.
    let reading = dup(input.fileHandleForReading.fileDescriptor)
    defer { close(reading) }
    let login = try fixture.start(["login", "--token-stdin"], input: input)
    try input.fileHandleForWriting.write(contentsOf: Data("begin".utf8))
    try await eventually("it has read what there is") { Self.waiting(at: reading) == 0 }
    login.send(SIGTERM)
    try await eventually("it ends") { !login.isRunning }
    #expect(await login.ending().status == 143)
  }

  /// Returns the number of bytes that wait in a pipe.
  private static func waiting(in pipe: Pipe) -> Int {
    waiting(at: pipe.fileHandleForReading.fileDescriptor)
  }

  private static func waiting(at descriptor: CInt) -> Int {
    var count: CInt = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
  }

  /// Returns true if no thread of a process runs or is about to.
  private static func sleeps(_ process: Int32) -> Bool {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return !threads.isEmpty
      && threads.allSatisfy { thread in
        let text = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
        // proc_pid_stat(5): the state stands after the name, which is in parentheses.
        return text?.split(separator: ")").last?.split(separator: " ").first == "S"
      }
  }
}
