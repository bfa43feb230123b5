import AppCore
import ErrorCodes
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AppCoreCommands

/// The sandbox as a child process, played by shell scripts.
@Suite(.timeLimit(.minutes(10))) struct SandboxServerProcessTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Writes a script that prints a client ID as the sandbox does, and never ends by itself.
  private func program(_ setup: String = "", clientID: String? = nil) async throws -> String {
    let ready = clientID.map { #"echo "{\"url\":\"http://127.0.0.1\",\"clientID\":\"\#($0)\"}""# }
    let text = """
      #!/bin/sh
      echo $$ >'\(folder.file("process"))'
      \(setup)
      \(ready ?? "")
      exec tail -f /dev/null

      """
    // Another program writes it. The kernel does not run a file that is open for writing, as it is
    // in a child that another test has just started.
    let writer = try ChildProcess(
      "/bin/sh",
      ["-c", #"printf %s "$1" >"$2"; chmod 700 "$2""#, "sh", text, folder.file("sandbox")],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(await writer.ending().status == 0)
    return folder.file("sandbox")
  }

  /// The script's process; `nil` if it has not begun.
  private var process: pid_t? {
    let text = try? String(contentsOfFile: folder.file("process"), encoding: .utf8)
    return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// True if the script's process has ended and was waited for, or has never begun.
  private var hasEnded: Bool {
    process.map { kill($0, 0) != 0 && errno == ESRCH } ?? true
  }

  @Test("the sandbox does not inherit that SIGPIPE is ignored")
  func signals() async throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let server = try await SandboxServerProcess.start(
      try await program(
        "ignored=$(sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/$$/status)", clientID: "$ignored"))
    let ignored = try #require(UInt64(server.description.clientID, radix: 16))
    #expect(ignored & 1 << UInt64(SIGPIPE - 1) == 0)
    await server.stop()
    #expect(hasEnded)
  }

  @Test("a sandbox that is never ready is ended, and the setup fails")
  func neverReady() async throws {
    let program = try await program()
    await #expect(throws: ConfigurationError.self) {
      _ = try await SandboxServerProcess.start(program, within: .seconds(2))
    }
    #expect(hasEnded)
  }

  @Test("a signal ends the wait for a sandbox")
  func interrupted() async throws {
    let program = try await program()
    let flag = InterruptionFlag()
    let start = Task { try await SandboxServerProcess.start(program, flag: flag) }
    try await eventually("the sandbox has begun") { process != nil }
    flag.raise()
    await #expect(throws: CancellationError.self) { _ = try await start.joined }
    #expect(hasEnded)
  }

  @Test("a sandbox that ignores SIGTERM is killed")
  func stubborn() async throws {
    let server = try await SandboxServerProcess.start(
      try await program("trap '' TERM", clientID: "stubborn"))
    await server.stop(within: .milliseconds(100))
    #expect(hasEnded)
  }
}
