import Foundation
import HTTPTypes
import Networking
import Sandbox
import SystemSupport
import TestSupport
import Testing

/// Secrets of the real program, looked for everywhere while it runs.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsKeyring)
struct LeakTests {
  private static let openerTrace = """
    printf '%s\\n' "$@" > "$HOME/opener-arguments"
    cat /proc/$$/environ > "$HOME/opener-environment"
    ls -l /proc/$$/fd > "$HOME/opener-descriptors"

    """

  /// The files of the program's home but for the keyring's own.
  private func files(_ fixture: ProgramFixture) -> [(name: String, data: Data)] {
    let home = fixture.keyring.home
    let names = FileManager.default.enumerator(atPath: home.path)?.allObjects as? [String] ?? []
    return names.filter { !$0.contains("keyrings/") }.map {
      ($0, FileManager.default.contents(atPath: home.file($0)) ?? Data())
    }
  }

  private func check(_ files: [(name: String, data: Data)], hold none: some Sequence<String>) {
    for secret in none {
      #expect(secret.count > 15, "it would be found by chance")
      for file in files {
        #expect(file.data.range(of: Data(secret.utf8)) == nil, "\(file.name)")
      }
    }
  }

  /// Returns the text that every user of the machine can read about a process and its children.
  private func visible(_ process: Int32) -> String {
    let manager = FileManager.default
    var processes = [process]
    for name in (try? manager.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let id = Int32(name), let stat = KernelFile.text(at: "/proc/\(id)/stat") else {
        continue
      }
      // The name stands in brackets and may hold any; behind it are the state and the parent.
      let fields = stat.split(separator: ")").last?.split(separator: " ")
      if fields?.dropFirst().first.flatMap({ Int32($0) }) == process { processes.append(id) }
    }
    return processes.flatMap { id in
      ["cmdline", "environ", "comm"].map { KernelFile.text(at: "/proc/\(id)/\($0)") ?? "" }
    }.joined(separator: "\n")
  }

  // Edge case 43
  @Test(
    "a running sync keeps tokens out of the database, its log, files, arguments and environment")
  func whileItRuns() async throws {
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 600, seed: 1)
      $0.tokenLifetime = .seconds(1)
    }.expired()
    var secrets = Set(try await fixture.tokens())
    // The later pages never come: what was read before is stored, and the program lives.
    fixture.server.armFault(
      Fault(
        path: "/api.xro/2.0/Invoices", kind: .delay, skip: 1, times: 100,
        delayMilliseconds: 3_600_000))
    let sync = try fixture.start(["sync", "invoices", "-vv", "--trace-http"])
    let log = fixture.databasePath + "-wal"
    try await eventually("a page is in the write-ahead log, or it has ended") {
      guard sync.isRunning else { return true }
      let bytes = FileManager.default.contents(atPath: log) ?? Data()
      return bytes.range(of: Data("INV-".utf8)) != nil
    }
    try #require(sync.isRunning, "\(sync.errors)")
    secrets.formUnion(try await fixture.tokens())
    #expect(secrets.count == 4)
    let found = files(fixture)
    let names = found.map { URL(filePath: $0.name).lastPathComponent }
    for name in ["appcore.sqlite", "appcore.sqlite-wal", "appcore.sqlite-shm"] {
      #expect(names.contains(name))
    }
    check(found, hold: secrets)
    let seen = visible(sync.processID)
    #expect(seen.contains("--trace-http"))
    // Core dumps are off, so the kernel shows the environment to root alone.
    #expect(seen.contains("APPCORE_CONFIG=") == (geteuid() == 0))
    for secret in secrets {
      #expect(!seen.contains(secret))
      #expect(!sync.output.contains(secret) && !sync.errors.contains(secret))
    }
    sync.send(SIGKILL)
    _ = await sync.ending()
    check(files(fixture), hold: secrets)
    await fixture.stop()
  }

  // Edge cases 28 and 43
  @Test("the browser gets no token, no secret of the client and none of the program's descriptors")
  func childEnvironment() async throws {
    let fixture = try await ProgramFixture()
    let home = fixture.keyring.home
    #expect(try await fixture.run("login").status == 0)
    #expect(try await fixture.run("sync", "invoices").status == 0)
    var secrets = Set(try await fixture.tokens())
    let opener = try String(contentsOfFile: home.file("xdg-open"), encoding: .utf8)
    _ = try home.write(
      opener.replacing("#!/bin/sh\n", with: "#!/bin/sh\n" + Self.openerTrace), to: "xdg-open")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: home.file("xdg-open"))
    // A login is there, and a client's secret is at hand, while the browser is started.
    var environment = fixture.environment
    environment["APPCORE_CLIENT_SECRET_FILE"] = try home.write(
      fixture.server.machineClientSecret, to: "client-secret")
    let login = try await ChildProcess(
      try ChildProcess.built("appcore"), ["login", "-vv"], environment: environment
    ).ending()
    // The server knows no secret of this client, so whether it signs in is not asked here.
    #expect([0, 78].contains(login.status), "\(login.errors)")
    secrets.formUnion(try await fixture.tokens())
    secrets.insert(fixture.server.machineClientSecret)
    let traces = files(fixture).filter { $0.name.hasPrefix("opener-") && !$0.data.isEmpty }
    #expect(traces.count == 3, "the browser was not started")
    check(files(fixture).filter { $0.name != "client-secret" }, hold: secrets)
    for secret in secrets {
      #expect(!login.output.contains(secret) && !login.errors.contains(secret))
    }
    let descriptors = try String(contentsOfFile: home.file("opener-descriptors"), encoding: .utf8)
    #expect(descriptors.contains(" 0 -> /dev/null"))
    for kind in ["anon_inode", ".lock", ".sqlite", "/appcore/"] {
      #expect(!descriptors.contains(kind), "\(descriptors)")
    }
    // One end of a pair, by whose closing Foundation notices that the child has ended.
    #expect(descriptors.components(separatedBy: "socket:").count <= 2, "\(descriptors)")
    await fixture.stop()
  }

  // Edge cases 39 and 43
  @Test(
    "a sign-in at its loudest shows its state in the address alone, and code and verifier nowhere")
  func signIn() async throws {
    let code = "canary-code-5d1f"
    let tokens =
      #"{"access_token":"canary-access-77","refresh_token":"canary-refresh-88","expires_in":1800}"#
    let echo = #"{"error":"invalid_grant","error_description":"\#(code) was spent"}"#
    for (step, status) in [
      (
        FaultScript.Step.response(fields: ["Content-Type: application/json"], body: tokens),
        Int32(0)
      ),
      (.response("400 Bad Request", body: echo), 77), (.response("500 Oops", body: echo), 69),
      (.reset, 69),
    ] {
      let server = try await FaultServer(FaultScript(otherwise: [step]))
      let fixture = try await ProgramFixture { $0.source = .generated(invoices: 250, seed: 1) }
      var environment = fixture.environment
      environment["PATH"] = "/nonexistent"
      environment["APPCORE_CONFIG"] = try fixture.keyring.home.write(
        """
        accounts: { default: { clientID: client } }
        sessions: { auth: { retry: { attempts: 1 } } }
        providers:
          xero:
            baseURL: "\(server.url)"
            authorizationURL: "\(server.url)/authorize"
            tokenURL: "\(server.url)/token"

        """, to: "canary.yaml")
      let login = try ChildProcess(
        try ChildProcess.built("appcore"), ["login", "-vv", "--trace-http"],
        environment: environment)
      let (address, state) = try await answer(login, with: code)
      let ending = await login.ending()
      #expect(ending.status == status, "\(ending.errors)")
      #expect(ending.errors.contains("POST \(server.url)/token"), "the log is not at its loudest")
      let request = try #require(server.requests.first)
      let verifier = try #require(request.firstMatch(of: #/code_verifier=([^&\s]+)/#)).output.1
      #expect(request.contains("code=\(code)") && verifier.utf8.count == 43)

      let secrets = [code, String(verifier), "canary-access-77", "canary-refresh-88"]
      let said = ending.output + ending.errors
      for secret in secrets { #expect(!said.contains(secret)) }
      #expect(said.contains(address) && !said.replacing(address, with: "").contains(state))
      check(files(fixture), hold: secrets + [state])
      await fixture.stop()
      await server.stop()
    }
  }

  /// Plays the browser that comes back with a code; returns the address and its state.
  private func answer(_ login: ChildProcess, with code: String) async throws -> (String, String) {
    let shape = #/visit:\n(\S+)\n/#
    try await eventually("the address is shown, or it has ended") {
      !login.isRunning || login.errors.contains(shape)
    }
    let address = String(
      try #require(login.errors.firstMatch(of: shape), "\(login.errors)").output.1)
    let items = URLComponents(string: address)?.queryItems ?? []
    func value(_ name: String) throws -> String {
      try #require(items.first { $0.name == name }?.value)
    }
    let state = try value("state")
    let callback = try #require(URL(string: try value("redirect_uri"))).appending(queryItems: [
      .init(name: "code", value: code), .init(name: "state", value: state),
    ])
    let browser = Session(name: "browser", configuration: SessionConfiguration())
    let page = try await browser.send(try Request(url: callback))
    #expect(page.head.status == .ok && !String(decoding: page.body, as: UTF8.self).contains(code))
    await browser.shutdown()
    return (address, state)
  }
}
