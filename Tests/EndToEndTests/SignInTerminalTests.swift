import Foundation
import Networking
import Sandbox
import TestSupport
import Testing

/// Signing in with the real program where the usual is missing: a port, a browser, a display.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct SignInTerminalTests {
  /// The program on the path that should open a browser.
  enum Opener: String, CaseIterable, Sendable {
    case absent
    case notExecutable
    case withoutInterpreter
    case failing
    case killed

    /// Its text; `nil` where there is none.
    var script: String? {
      switch self {
      case .absent: nil
      case .notExecutable, .failing: "#!/bin/sh\nexit 3\n"
      case .withoutInterpreter: "#!/nonexistent/interpreter\n"
      case .killed: "#!/bin/sh\nkill -9 $$\n"
      }
    }
  }

  /// A folder that is the whole path of the program, with or without an opener in it.
  private func path(_ opener: Opener) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    guard let script = opener.script else { return folder }
    let file = try folder.write(script, to: "xdg-open")
    try FileManager.default.setAttributes(
      [.posixPermissions: opener == .notExecutable ? 0o644 : 0o755], ofItemAtPath: file)
    return folder
  }

  /// The address that the program asks to be visited.
  private func address(of login: ChildProcess) async throws -> String {
    try await eventually("the address is shown, or it has ended") {
      !login.isRunning || login.errors.contains(#/visit:\n\S+\n/#)
    }
    let match = try #require(login.errors.firstMatch(of: #/visit:\n(\S+)\n/#), "\(login.errors)")
    return String(match.output.1)
  }

  private func start(
    _ fixture: ProgramFixture, _ arguments: [String], _ environment: [String: String]
  ) throws -> ChildProcess {
    try ChildProcess(
      try ChildProcess.built("appcore"), arguments,
      environment: fixture.environment.merging(environment) { $1 })
  }

  // Edge case 40
  @Test(
    "a login without a working browser shows the address, and a visit to it signs in",
    arguments: Opener.allCases)
  func noBrowser(opener: Opener) async throws {
    let fixture = try await ProgramFixture()
    let folder = try path(opener)
    let login = try start(fixture, ["login"], ["PATH": folder.path])
    try await ApprovingBrowser().approve(try await address(of: login))
    let ending = await login.ending()
    #expect(ending.status == 0 && ending.output.contains("Signed in"), "\(ending.errors)")
    #expect(try await fixture.run("status").output.contains("valid"))
  }

  // Edge case 40
  @Test("--no-browser starts no browser, and JSON stays one document")
  func unwantedBrowser() async throws {
    let fixture = try await ProgramFixture()
    let folder = try TemporaryDirectory()
    let trace = folder.file("opened")
    let opener = try folder.write("#!/bin/sh\n: > \(trace)\n", to: "xdg-open")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let login = try start(
      fixture, ["login", "--no-browser", "--json", "--quiet"], ["PATH": folder.path])
    try await ApprovingBrowser().approve(try await address(of: login))
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.errors)")
    struct Document: Decodable { let schemaVersion: Int }
    _ = try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8))
    #expect(!FileManager.default.fileExists(atPath: trace))
  }

  /// The environment of a shell over SSH, without a display.
  private static let remote = [
    "SSH_CONNECTION": "192.0.2.7 50000 192.0.2.1 22", "SSH_CLIENT": "192.0.2.7 50000 22",
    "SSH_TTY": "/dev/pts/99", "TERM": "xterm",
  ]

  // Edge case 40
  @Test("a login over SSH without a display works with a browser through a forwarded port")
  func overSSH() async throws {
    let fixture = try await ProgramFixture()
    let folder = try path(.failing)
    let port = try ClosedPort().port
    let environment = Self.remote.merging([
      "PATH": folder.path,
      "APPCORE_CONFIG": try configuration(fixture, redirectPort: port),
    ]) { $1 }
    #expect(fixture.environment["DISPLAY"] == nil && fixture.environment["WAYLAND_DISPLAY"] == nil)
    let login = try start(fixture, ["login"], environment)
    // The port is known beforehand, so it can be forwarded: ssh -L PORT:127.0.0.1:PORT.
    let address = try await address(of: login)
    #expect(address.contains("redirect_uri=http%3A%2F%2F127.0.0.1%3A\(port)%2Fcallback"))
    try await ApprovingBrowser().approve(address)
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  // Edge cases 40 and 41
  @Test("a device login over SSH shows a code for another device and starts no browser")
  func deviceOverSSH() async throws {
    let fixture = try await ProgramFixture { $0.deviceInterval = .seconds(1) }
    let folder = try TemporaryDirectory()
    let trace = folder.file("opened")
    let opener = try folder.write("#!/bin/sh\n: > \(trace)\n", to: "xdg-open")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let login = try start(
      fixture, ["login", "--device"], Self.remote.merging(["PATH": folder.path]) { $1 })
    try await approveDevice(of: login)
    #expect(await login.ending().status == 0)
    #expect(!FileManager.default.fileExists(atPath: trace))
    #expect(try await fixture.run("sync", "invoices").status == 0)
  }

  /// Enters the code that a sign-in shows, on another device.
  private func approveDevice(of login: ChildProcess) async throws {
    let shape = #/visit on any device:\n(\S+)\nand enter the code: (\S+)\n/#
    try await eventually("the code is shown, or it has ended") {
      !login.isRunning || login.errors.contains(shape)
    }
    let shown = try #require(login.errors.firstMatch(of: shape), "\(login.errors)").output
    try await ApprovingBrowser().approve("\(shown.1)?user_code=\(shown.2)")
  }

  // Edge case 41
  @Test("a device signs in at the configured endpoint if the server's metadata omits it")
  func deviceEndpointNotInMetadata() async throws {
    let fixture = try await ProgramFixture { $0.deviceInterval = .seconds(1) }
    let url = fixture.server.url.absoluteString
    fixture.server.armFault(
      Fault(
        path: "/.well-known/*", kind: .status, times: 100, status: 200,
        headers: ["Content-Type": "application/json"],
        body: """
          {"issuer":"\(url)","authorization_endpoint":"\(url)/connect/authorize",\
          "token_endpoint":"\(url)/connect/token"}
          """))
    let refused = try await fixture.run("login", "--device")
    #expect(refused.status == 78, "\(refused.errors)")
    #expect(refused.errors.contains("no device sign-in"), "\(refused.errors)")
    let text = try String(
      contentsOfFile: try #require(fixture.environment["APPCORE_CONFIG"]), encoding: .utf8)
    let issuer = "issuer: \"\(url)\""
    let device = "deviceAuthorizationURL: \"\(url)/connect/deviceauthorization\""
    let configuration = try fixture.keyring.home.write(
      text.replacing(issuer, with: "\(issuer), \(device)"), to: "device.yaml")
    let login = try start(fixture, ["login", "--device"], ["APPCORE_CONFIG": configuration])
    try await approveDevice(of: login)
    let ending = await login.ending()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try await fixture.run("sync", "invoices").status == 0)
  }

  // Edge case 40
  @Test("a redirect port in use is named, no page is opened, and an earlier login is kept")
  func portTaken() async throws {
    let fixture = try await ProgramFixture().signedIn()
    let tokens = try await fixture.tokens()
    let holder = try await FaultServer(FaultScript())
    let environment = [
      "APPCORE_CONFIG": try configuration(fixture, redirectPort: holder.port)
    ]
    let ending = try await start(fixture, ["login", "--json"], environment).ending()
    #expect(ending.status == 77 && ending.output.isEmpty, "\(ending.status)")
    #expect(!ending.errors.contains("visit"))
    let failure = try JSONDecoder().decode(
      ProgramTests.Failure.self, from: Data(ending.errors.utf8)
    ).error
    #expect(failure.message.contains("cannot open a local port"))
    #expect(failure.message.contains("another program may use redirectPort"))
    #expect(holder.acceptedConnections == 0)
    #expect(try await fixture.tokens() == tokens)
    #expect(try await start(fixture, ["sync", "invoices"], environment).ending().status == 0)
    await holder.stop()
    // And once it is free.
    let free = try await start(fixture, ["login"], environment).ending()
    #expect(free.status == 0, "\(free.errors)")
    #expect(try await fixture.tokens() != tokens)
  }

  /// The fixture's configuration with a fixed redirect port.
  private func configuration(_ fixture: ProgramFixture, redirectPort: Int) throws -> String {
    let text = try String(
      contentsOfFile: try #require(fixture.environment["APPCORE_CONFIG"]), encoding: .utf8)
    let client = "{ clientID: \(fixture.server.clientID)"
    return try fixture.keyring.home.write(
      text.replacing(client, with: client + ", redirectPort: \(redirectPort)"),
      to: "port-\(redirectPort).yaml")
  }
}
