import Foundation
import Sandbox
import SystemSupport
import TestSupport
import Testing

/// The ways to sign in, with the real program.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct LoginTests {
  // Edge case 41
  @Test("a device code is shown and approved elsewhere, and a sync then works")
  func device() async throws {
    let fixture = try await ProgramFixture { $0.deviceInterval = .seconds(1) }
    let login = try fixture.start(["login", "--device"])
    try await eventually("the code is shown") { login.errors.contains("enter the code: ") }
    let code = try #require(
      login.errors.split(separator: "enter the code: ").last?.split(separator: "\n").first)
    try await ApprovingBrowser().approve(
      fixture.server.url.absoluteString + "/connect/device?user_code=" + code)
    #expect(await login.ending().status == 0)
    #expect(try await fixture.run("sync", "invoices").status == 0)
  }

  @Test("a pasted token is used and stored, an invalid one refused, and none is an argument")
  func pasted() async throws {
    let fixture = try await ProgramFixture().signedIn()
    let tokens = try await fixture.tokens()
    for (text, status) in [
      ("", Int32(64)), ("two words", 64), ("{\"a\":1}", 64), ("opaque", 77), (tokens[0], 0),
    ] {
      let login = try fixture.start(["login", "--token-stdin"], input: .holding(text))
      let ending = await login.ending()
      #expect(ending.status == status, "\(text): \(ending.errors)")
    }
    #expect(try await fixture.run("sync", "invoices").status == 0)
  }

  @Test("a service finds its token, its client secret and its key among systemd's credentials")
  func serviceCredentials() async throws {
    let fixture = try await ProgramFixture(
      configuration: "secretStore: { kind: encrypted-file, keyFile: appcore.key }"
    )
    let folder = try TemporaryDirectory()
    var environment = fixture.environment
    environment["CREDENTIALS_DIRECTORY"] = folder.path
    // As on a server: no bus at all.
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    environment["XDG_RUNTIME_DIR"] = nil
    environment["APPCORE_CLIENT_ID"] = fixture.server.machineClientID
    environment["APPCORE_CLIENT_SECRET_FILE"] = "secret"
    let key = try folder.write("a passphrase of some length", to: "appcore.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: key)
    _ = try folder.write(fixture.server.machineClientSecret, to: "secret")
    func run(_ arguments: String...) async throws -> ChildProcess.Ending {
      try await ChildProcess(
        try ChildProcess.built("appcore"), arguments, environment: environment
      ).ending()
    }
    let login = try await run("login", "--client-credentials", "--no-input")
    #expect(login.status == 0, "\(login.errors)")
    #expect(try await run("sync", "invoices").status == 0)
    let doctor = try await run("doctor")
    #expect(doctor.status == 0 && doctor.output.contains("encrypted file"), "\(doctor.output)")
    // Another store is not taken silently, nor one opened with another key.
    let other = try await ChildProcess(
      try ChildProcess.built("appcore"), ["status"],
      environment: environment.merging(
        ["APPCORE_CONFIG": try folder.write("provider: xero\n", to: "other.yaml")]) { $1 }
    ).ending()
    #expect(other.status == 1, "\(other)")
    #expect(other.output.contains("the logins are in the encrypted file "), "\(other)")
    try FileManager.default.removeItem(atPath: key)
    let keyless = try await run("sync", "invoices", "--json")
    #expect(keyless.status == 78 && keyless.errors.contains("secret-store-key"))
    #expect(try await run("logout", "--all").status == 78)

    _ = try folder.write("a passphrase of some length", to: "appcore.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: key)
    _ = try folder.write("handed-over", to: "appcore.default.token")
    #expect(try await run("sync", "invoices").status == 77)
    #expect(try await run("status").output.contains("valid"))
  }

  // Edge case 37
  @Test("a login opens a locked keyring first and says so; without input it asks nothing")
  func lockedKeyring() async throws {
    let keyring = try await FakeKeyring.start(service: ["locked", "prompt", "accepts"])
    let fixture = try await ProgramFixture(keyring: keyring)
    let silent = try await ChildProcess(
      try ChildProcess.built("appcore"), ["login", "--token-stdin", "--no-input"],
      environment: fixture.environment
    ).ending()
    #expect(silent.status != 0)
    #expect(try await keyring.command("dump").contains("\"promptCount\": 0"))
    let login = try await fixture.run("login")
    #expect(login.status == 0 && login.errors.contains("unlocked"), "\(login.errors)")
    try await keyring.command("locked")
    try await keyring.command("prompt dismissed")
    #expect(try await fixture.run("login").status == 75)
    #expect(try await fixture.run("sync", "invoices").status == 75)
  }

  @Test("unwritable output is 74, and a reader that has left causes no error")
  func fullOutput() async throws {
    let fixture = try await ProgramFixture()
    let program = try ChildProcess.built("appcore")
    let shell = try #require(ChildProcess.find("sh"))
    for (script, status) in [
      ("\(program) status > /dev/full", Int32(74)), ("\(program) status | true", 0),
    ] {
      let ending = try await ChildProcess(
        shell, ["-c", script], environment: fixture.environment
      ).ending()
      #expect(ending.status == status, "\(script): \(ending.errors)")
    }
  }

  @Test("doctor names each failure with its fix, and ends with 1")
  func doctor() async throws {
    let fixture = try await ProgramFixture(withKeyring: false)
    let ending = try await fixture.run("doctor", "--json")
    struct Document: Decodable {
      struct Check: Decodable {
        let name: String
        let works: Bool
        let hint: String?
      }
      let schemaVersion: Int
      let works: Bool
      let checks: [Check]
    }
    let document = try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8))
    #expect(ending.status == 1 && !document.works)
    let keyring = try #require(document.checks.first { $0.name == "keyring" })
    #expect(!keyring.works && keyring.hint != nil)
    #expect(document.checks.first { $0.name == "server default" }?.works == true)
  }

  // Edge case 43
  @Test(
    "a token in use shows nowhere: output at its loudest, arguments, environment, files")
  func canary() async throws {
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 300, seed: 1)
      $0.tokenLifetime = .seconds(1)
      $0.latency = .milliseconds(100)
    }
    var outputs: [String] = []
    var secrets: Set<String> = []
    let login = try await fixture.run("login", "-vv")
    outputs += [login.output, login.errors]
    for fault in [nil, Fault(path: "/connect/token", kind: .status, status: 500), nil] {
      secrets.formUnion(try await fixture.tokens())
      try await eventually("the token has ended") {
        try await fixture.run("status", "--json").output.contains(#""login":"expired""#)
      }
      if let fault { fixture.server.armFault(fault) }
      let sync = try fixture.start(["sync", "invoices", "--full", "-vv"])
      try await eventually("it is at work") {
        guard sync.isRunning else { return true }
        for name in ["cmdline", "environ"] {
          outputs.append(KernelFile.text(at: "/proc/\(sync.processID)/\(name)") ?? "")
        }
        return outputs.count > 12
      }
      let ending = await sync.ending()
      outputs += [ending.output, ending.errors]
      secrets.formUnion(try await fixture.tokens())
    }
    let status = try await fixture.run("doctor", "-vv", "--trace-http")
    outputs += [status.output, status.errors]
    #expect(secrets.count >= 4)
    #expect(outputs.contains { $0.contains("GET") }, "the log is not at its loudest")
    for secret in secrets {
      #expect(!outputs.contains { $0.contains(secret) })
      let files = FileManager.default.enumerator(atPath: fixture.keyring.home.path)?.allObjects
      for case let file as String in files ?? [] where !file.contains("keyrings/") {
        let data = FileManager.default.contents(atPath: fixture.keyring.home.file(file)) ?? Data()
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(file)")
      }
    }
  }
}
