import Foundation
import HTTPTypes
import Networking
import Sandbox
import TestSupport
import Testing

/// The executable itself, as a child process.
@Suite(
  .timeLimit(.minutes(10)), .cleansUp,
  .enabled(if: ChildSandbox.isBuilt, "the executable is not built"))
struct ProgramTests {
  @Test("the program prints one JSON line, serves, and stops when its standard input ends")
  func endOfInput() async throws {
    let child = try ChildSandbox(["serve", "--invoices", "3"], input: .pipe)
    let url = try await child.url()
    #expect(try await SandboxClient().send(.get, url + "/_sandbox/stats").status == 200)
    child.endInput()
    #expect(await child.exit() == .code(0))
    #expect(try await child.restOfOutput().isEmpty)
  }

  @Test("without an input to end, the program stops on a signal", arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) async throws {
    let child = try ChildSandbox(["serve", "--invoices", "3"], input: .null)
    let url = try await child.url()
    #expect(try await SandboxClient().send(.get, url + "/_sandbox/stats").status == 200)
    child.signal(number)
    #expect(await child.exit() == .code(0))
  }

  @Test("a program that ignores standard input outlives its end")
  func ignoredInput() async throws {
    let child = try ChildSandbox(["serve", "--invoices", "3", "--ignore-stdin"], input: .pipe)
    let url = try await child.url()
    child.endInput()
    #expect(try await SandboxClient().send(.get, url + "/_sandbox/stats").status == 200)
    child.signal(SIGTERM)
    #expect(await child.exit() == .code(0))
  }

  @Test("the program stops when no connection was open for a while, and continues where it stopped")
  func idle() async throws {
    try await withTemporaryDirectory { directory in
      let options = ["serve", "--invoices", "3", "--state", directory + "/state.json"]
      let first = try ChildSandbox(options, input: .pipe)
      let url = try await first.url()
      _ = try await SandboxClient().send(.post, url + "/_sandbox/invoices/add?count=2")
      first.endInput()
      #expect(await first.exit() == .code(0))
      let idle = try ChildSandbox(options + ["--idle-timeout", "1s"], input: .null)
      #expect(try await idle.url() == url)
      #expect(await idle.exit() == .code(0))
      let last = try ChildSandbox(options, input: .pipe)
      #expect(try await last.url() == url)
      let invoices = try await SandboxClient().send(.get, url + "/_sandbox/invoices").text
      #expect(invoices.components(separatedBy: "\"InvoiceID\"").count == 3 + 2 + 1)
      last.endInput()
      #expect(await last.exit() == .code(0))
    }
  }

  @Test("the program arms the faults of a file, and refuses a malformed one")
  func faultsFile() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/faults.json"
      let fault = #"[{"path":"/connections","kind":"status","status":503}]"#
      try Data(fault.utf8).write(to: URL(filePath: path))
      let child = try ChildSandbox(["serve", "--invoices", "1", "--faults", path], input: .pipe)
      let url = try await child.url()
      #expect(try await SandboxClient().send(.get, url + "/connections").status == 503)
      child.endInput()
      #expect(await child.exit() == .code(0))
      try Data("[{}]".utf8).write(to: URL(filePath: path))
      let refused = try ChildSandbox(["serve", "--faults", path], input: .null)
      #expect(await refused.exit() == .code(65))
    }
  }

  @Test("the program approves a sign-in at another sandbox")
  func approve() async throws {
    let (callback, _) = try await startSandbox()
    let (_, caller) = try await startSandbox { $0.autoApprove = false }
    let redirect = callback.url.absoluteString + "/.well-known/oauth-authorization-server"
    let path = caller.authorizePath(["redirect_uri": redirect])
    let child = try ChildSandbox(["approve", caller.url + path], input: .null)
    #expect(await child.exit() == .code(0))
  }

  @Test("a wrong command line exits with 64, and --help with 0")
  func usage() async throws {
    for (arguments, code) in [([], 64), (["serve", "--what"], 64), (["--help"], 0)]
      as [([String], Int32)]
    {
      let child = try ChildSandbox(arguments, input: .null)
      #expect(await child.exit() == .code(code))
    }
  }
}
