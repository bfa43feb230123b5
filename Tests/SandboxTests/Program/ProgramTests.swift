import Foundation
import Sandbox
import Testing

/// The executable itself, as a child process.
@Suite(.timeLimit(.minutes(10)), .enabled(if: ChildSandbox.isBuilt, "the executable is not built"))
struct ProgramTests {
  @Test("It prints one JSON line, serves, and stops when its standard input ends")
  func endOfInput() async throws {
    let child = try ChildSandbox(["serve", "--invoices", "3"], input: .pipe)
    let url = try await child.url()
    #expect(try await LoopbackClient().send("GET", url + "/_sandbox/stats").status == 200)
    child.endInput()
    #expect(try await child.exit() == .code(0))
    #expect(try await child.restOfOutput().isEmpty)
  }

  @Test("Without an input to end, it stops on a signal", arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) async throws {
    let child = try ChildSandbox(["serve", "--invoices", "3"], input: .null)
    let url = try await child.url()
    #expect(try await LoopbackClient().send("GET", url + "/_sandbox/stats").status == 200)
    child.signal(number)
    #expect(try await child.exit() == .code(0))
  }

  @Test("Told to ignore standard input, it goes on after its end")
  func ignoredInput() async throws {
    let child = try ChildSandbox(["serve", "--invoices", "3", "--ignore-stdin"], input: .pipe)
    let url = try await child.url()
    child.endInput()
    #expect(try await LoopbackClient().send("GET", url + "/_sandbox/stats").status == 200)
    child.signal(SIGTERM)
    #expect(try await child.exit() == .code(0))
  }

  @Test("It arms the faults of a file, and refuses a file that is none")
  func faultsFile() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/faults.json"
      let fault = #"[{"path":"/connections","kind":"status","status":503}]"#
      try Data(fault.utf8).write(to: URL(filePath: path))
      let child = try ChildSandbox(["serve", "--invoices", "1", "--faults", path], input: .pipe)
      let url = try await child.url()
      #expect(try await LoopbackClient().send("GET", url + "/connections").status == 503)
      child.endInput()
      #expect(try await child.exit() == .code(0))
      try Data("[{}]".utf8).write(to: URL(filePath: path))
      let refused = try ChildSandbox(["serve", "--faults", path], input: .null)
      #expect(try await refused.exit() == .code(65))
    }
  }

  @Test("It approves a sign-in at another sandbox")
  func approve() async throws {
    try await withSandbox { callback, _ in
      try await withSandbox {
        $0.autoApprove = false
      } _: { _, caller in
        let redirect = callback.url.absoluteString + "/.well-known/oauth-authorization-server"
        let path = caller.authorizePath(["redirect_uri": redirect])
        let child = try ChildSandbox(["approve", caller.url + path], input: .null)
        #expect(try await child.exit() == .code(0))
      }
    }
  }

  @Test("A wrong command line exits with 64, and --help with 0")
  func usage() async throws {
    for (arguments, code) in [([], 64), (["serve", "--what"], 64), (["--help"], 0)]
      as [([String], Int32)]
    {
      let child = try ChildSandbox(arguments, input: .null)
      #expect(try await child.exit() == .code(code))
    }
  }
}
