import Foundation
import Sandbox
import TestSupport
import Testing

/// Signals to the real program while a server holds the answer to a renewal back.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct InterruptedRenewalTests {
  /// A program that has sent its refresh token, and a server that answers when it may.
  private final class Scene: Sendable {
    let fixture: ProgramFixture
    let answer = Gate()
    let server: ScriptedServer
    private let api: ScriptedServer
    let environment: [String: String]

    init(keyring: (any TestKeyring)? = nil) async throws {
      fixture = try await ProgramFixture(keyring: keyring)
      let body =
        #"{"access_token":"a2","refresh_token":"r2","expires_in":1800,"token_type":"Bearer"}"#
      server = try ScriptedServer([
        .replyAfter(
          answer,
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            + body)
      ])
      // The API accepts the passed token and lists no organisation; then its server stops.
      let none = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"
      api = try ScriptedServer([.reply(none), .reply(none), .reset])
      var environment = fixture.environment
      environment["APPCORE_CONFIG"] = try fixture.keyring.home.write(
        """
        accounts:
          default: { clientID: client }
        sessions:
          auth: { timeout: { request: 60s } }
        providers:
          xero:
            baseURL: "\(api.url)"
            authorizationURL: "\(server.url)/authorize"
            tokenURL: "\(server.url)/token"
        """, to: "held.yaml")
      self.environment = environment
      let login = try ChildProcess(
        try ChildProcess.built("appcore"), ["login", "--token-stdin"], environment: environment,
        input: .holding(#"{"access_token":"a1","refresh_token":"r1","expires_in":5}"#))
      let ending = await login.ending()
      guard ending.status == 0 else { throw ProgramFixture.LoginFailed(errors: ending.errors) }
      try await eventually("the token has ended") {
        let status = try await ChildProcess(
          try ChildProcess.built("appcore"), ["status"], environment: environment
        ).ending()
        return status.output.contains("expired")
      }
      CleanUp.atEnd { self.answer.open() }
    }

    /// A sync that waits for the answer.
    func sync(by starter: [String]) async throws -> ChildProcess {
      let program = try ChildProcess(
        try #require(ChildProcess.find(starter[0])),
        starter.dropFirst() + [try ChildProcess.built("appcore"), "sync", "invoices"],
        environment: environment)
      try await eventually("the exchange is under way") { !self.server.requests.isEmpty }
      return program
    }

    /// Asks a program twice to end, and waits each time until it reports what it waits for.
    func interruptTwice(_ program: ChildProcess, _ first: Int32 = SIGINT) async throws {
      program.send(first)
      try await eventually("it says what it waits for") {
        program.errors.contains(
          #/waiting for the renewed login.*Interrupt again to wait only for a login/#)
      }
      program.send(SIGINT)
      try await eventually("it says what another one does") {
        program.errors.contains("Interrupt once more to quit immediately.")
      }
    }

    func refreshToken() async throws -> String { try await fixture.tokens()[1] }
  }

  /// As a shell starts a program: this process may ignore signals.
  private static let shell = ["env", "--default-signal"]

  // Edge case 15
  @Test("a hang-up during a renewal stores the new pair and ends the program with 129")
  func hangUp() async throws {
    let scene = try await Scene()
    let program = try await scene.sync(by: Self.shell)
    // The kernel and a shell each report the end of the terminal.
    program.send(SIGHUP)
    program.send(SIGHUP)
    program.send(SIGHUP)
    try await eventually("it says what it waits for") {
      program.errors.contains("waiting for the renewed login of account 'default'")
    }
    program.send(SIGHUP)
    scene.answer.open()
    #expect(await program.ending().status == 129)
    #expect(try await scene.refreshToken() == "r2")
  }

  // Edge case 15
  @Test("a terminal that is closed during a renewal costs no login")
  func closedTerminal() async throws {
    let scene = try await Scene()
    let program = try ChildProcess(
      try #require(ChildProcess.find("script")),
      [
        "--quiet", "--command", "\(try ChildProcess.built("appcore")) sync invoices",
        scene.fixture.keyring.home.file("typescript"),
      ], environment: scene.environment)
    try await eventually("the exchange is under way") { !scene.server.requests.isEmpty }
    // Its end closes the terminal's other side.
    program.send(SIGKILL)
    try await eventually("the terminal is gone") {
      let stat = try? String(contentsOfFile: "/proc/\(program.processID)/stat", encoding: .utf8)
      return stat?.contains(") Z ") ?? true
    }
    scene.answer.open()
    try await eventually("the new pair is stored") {
      try await scene.refreshToken() == "r2"
    }
  }

  @Test("a hang-up that was ignored at the start is ignored, as under nohup")
  func noHangUp() async throws {
    let scene = try await Scene()
    let program = try await scene.sync(by: ["nohup"])
    program.send(SIGHUP)
    scene.answer.open()
    // The API's port is closed.
    #expect(await program.ending().status == 69)
    #expect(try await scene.refreshToken() == "r2")
  }

  // Edge case 15
  @Test("the second interrupt waits for a renewal alone and says so")
  func second() async throws {
    let scene = try await Scene()
    let program = try await scene.sync(by: Self.shell)
    try await scene.interruptTwice(program)
    #expect(program.isRunning)
    scene.answer.open()
    #expect(await program.ending().status == 130)
    #expect(try await scene.refreshToken() == "r2")
  }

  // Edge case 17
  @Test(
    "after the second interrupt, the program still reports a login that cannot be stored, once",
    .enabled(if: FakeKeyring.isAvailable, "python3-dbus is not installed"))
  func secondUnsaved() async throws {
    let keyring = try await FakeKeyring.start()
    let scene = try await Scene(keyring: keyring)
    let program = try await scene.sync(by: Self.shell)
    try await scene.interruptTwice(program)
    try await keyring.command("locked")
    scene.answer.open()
    let ending = await program.ending()
    #expect(ending.status == 130)
    let reports = ending.errors.components(
      separatedBy: "cannot store the renewed login of account 'default'")
    #expect(reports.count == 2, "\(ending.errors)")
  }

  @Test("the third interrupt ends the program immediately, with the first one's status")
  func third() async throws {
    let scene = try await Scene()
    let program = try await scene.sync(by: Self.shell)
    try await scene.interruptTwice(program, SIGTERM)
    // The second signal was SIGINT, which would be a repetition.
    program.send(SIGTERM)
    try await eventually("it ends") { !program.isRunning }
    #expect(await program.ending().status == 143)
    #expect(try await scene.refreshToken() == "r1")
  }
}
