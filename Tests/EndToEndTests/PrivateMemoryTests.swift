import Foundation
import Glibc
import TestSupport
import Testing

/// The memory of the running program, which holds tokens.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct PrivateMemoryTests {
  /// Starts a program without the capabilities with which root reads the memory of any other.
  private func start(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    guard geteuid() == 0 else {
      return try ChildProcess(program, arguments, environment: environment)
    }
    return try ChildProcess(
      try #require(ChildProcess.find("setpriv")),
      ["--bounding-set", "-all", "--inh-caps", "-all", program] + arguments,
      environment: environment)
  }

  /// Returns true if another program of the same user can read the memory of a process.
  ///
  /// The kernel checks the same for `environ`, `mem`, debuggers and core dumps.
  private func isReadable(_ process: ChildProcess) async throws -> Bool {
    let reader = try start(
      try #require(ChildProcess.find("cat")), ["/proc/\(process.processID)/environ"])
    return await reader.ending().status == 0
  }

  @Test("another program of the same user cannot read the program's memory, which holds a token")
  func memory() async throws {
    let folder = try TemporaryDirectory()
    let server = try await FaultServer(FaultScript(otherwise: [.hang]))
    _ = try folder.write("sk_test_canary", to: "appcore.default.token")
    _ = try folder.write("a passphrase of some length", to: "appcore.key")
    let configuration = try folder.write(
      """
      secretStore: { kind: encrypted-file, keyFile: appcore.key }
      accounts: { default: { provider: stripe } }
      providers: { stripe: { baseURL: "\(server.url)" } }
      """, to: "config.yaml")
    let sync = try start(
      try ChildProcess.built("appcore"), ["sync", "invoices"],
      environment: [
        "HOME": folder.path, "PATH": "/usr/bin:/bin", "CREDENTIALS_DIRECTORY": folder.path,
        "APPCORE_CONFIG": configuration,
      ])
    try await server.requests(become: 1)
    #expect(try await !isReadable(sync))
    // The same check succeeds for a program that does not protect its memory.
    let other = try start(try #require(ChildProcess.find("tail")), ["-f", "/dev/null"])
    try await eventually("the other program's memory is readable") {
      try await isReadable(other)
    }
    for process in [sync, other] {
      process.send(SIGKILL)
      _ = await process.ending()
    }
  }
}
