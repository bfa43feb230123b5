import Foundation
import Models
import Sandbox
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp, .needsKeyring)
struct ProgramTests {
  struct Report: Decodable {
    let schemaVersion: Int
    let result: String
    let inserted: Int
    let updated: Int
    let requests: Int
    let tokenRequests: Int
  }

  struct Failure: Decodable {
    struct Content: Decodable {
      let code: String
      let message: String
      let hint: String?
      let retryable: Bool
      let exitCode: Int32
    }
    let error: Content
  }

  private func report(_ text: String) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(text.utf8))
  }

  private static let failures: [(Fault, Int32)] = [
    (invoicesFault(.status, status: 500), 69),
    (invoicesFault(.html), 65),
    (invoicesFault(.truncate), 69),
    (invoicesFault(.malformed), 65),
    (invoicesFault(.status, status: 429, headers: ["Retry-After": "3600"]), 75),
    (invoicesFault(.status, status: 403), 77),
  ]

  private static func invoicesFault(
    _ kind: Fault.Kind, status: Int? = nil, headers: [String: String] = [:]
  ) -> Fault {
    Fault(path: "/api.xro/2.0/Invoices", kind: kind, times: 10, status: status, headers: headers)
  }

  @Test("login, sync, second sync, list, show and logout work in this order")
  func mainJob() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 230, seed: 5) }
    let login = try await fixture.run("login")
    #expect(login.status == 0, "\(login.errors)")
    let first = try await fixture.run("sync", "invoices", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.isEmpty)
    #expect(try report(first.output).inserted == 230)
    #expect(try await fixture.stored() == fixture.served())
    let second = try report(try await fixture.run("sync", "invoices", "--json").output)
    #expect(second.requests == 1 && second.inserted == 0 && second.updated == 0)
    fixture.server.changeInvoices(count: 3, seed: 1)
    let third = try report(try await fixture.run("sync", "invoices", "--json").output)
    #expect(third.updated == 3)

    let list = try await fixture.run(
      "invoices", "list", "--json", "--limit", "5", "--sort", "-total")
    struct List: Decodable {
      struct Row: Decodable {
        let id: String
        let total: String
      }
      let invoices: [Row]
    }
    let rows = try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).invoices
    #expect(rows.count == 5)
    let totals = rows.compactMap { ExactDecimal($0.total) }
    #expect(totals == totals.sorted(by: >))
    let show = try await fixture.run("invoices", "show", try #require(rows.first).id, "--json")
    #expect(show.status == 0 && show.output.contains("\"lines\""))
    #expect(try await fixture.run("invoices", "show", "nothing").status == 1)
    #expect(try await fixture.run("status").output.contains("valid"))

    let logout = try await fixture.run("logout")
    #expect(logout.status == 0 && logout.output.contains("Signed out"))
    #expect(await fixture.server.statistics().revocations == 1)
    #expect(try await fixture.run("sync", "invoices").status == 77)
  }

  // Edge cases 23 and 53
  @Test("two programs at an expired token cause one token request between them")
  func twoPrograms() async throws {
    let fixture = try await ProgramFixture { $0.tokenLatency = .milliseconds(200) }.signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    fixture.server.expireAccessTokens()
    let both = try (0..<2).map { number in
      // Two databases, so that the lock of the sync does not bring them into a line.
      try fixture.start(
        ["sync", "invoices", "--json"], database: fixture.keyring.home.file("db\(number).sqlite"))
    }
    for program in both {
      let ending = await program.ending()
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let statistics = await fixture.server.statistics()
    #expect(statistics.tokenRequests["refresh_token"] == 1)
    #expect(statistics.refreshReuseDetected == 0)
  }

  // Edge case 43
  @Test("tokens are only in the keyring")
  func leaks() async throws {
    let fixture = try await ProgramFixture { $0.tokenLifetime = .seconds(2) }
    var outputs: [String] = []
    for arguments in [
      ["login", "-v"], ["sync", "invoices", "-v"], ["status", "-v"], ["status", "--json"],
    ] {
      let ending = try await fixture.start(arguments).ending()
      outputs += [ending.output, ending.errors]
    }
    let secrets = try await fixture.tokens()
    #expect(secrets.count >= 2)
    for secret in secrets {
      for output in outputs { #expect(!output.contains(secret)) }
      for file in files(below: fixture.keyring.home.path) where !file.contains("/keyrings/") {
        let data = FileManager.default.contents(atPath: file) ?? Data()
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(file)")
      }
    }
  }

  private func files(below path: String) -> [String] {
    (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [])
      .map { path + "/" + $0 }
  }

  @Test("help touches neither keyring, network nor database")
  func help() async throws {
    let folder = try TemporaryDirectory()
    let ending = try await ChildProcess(
      try ChildProcess.built("appcore"), ["--help"],
      environment: ["HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
    ).ending()
    #expect(ending.status == 0)
    #expect(ending.output.contains("sync"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(
    "each failure has its own exit code and fix, and keeps the login",
    arguments: Self.failures)
  func exitCodes(fault: Fault, status: Int32) async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 30, seed: 1) }
      .signedIn()
    #expect(try await fixture.run("sync", "invoices").status == 0)
    fixture.server.armFault(fault)
    let ending = try await fixture.run("sync", "invoices", "--json")
    #expect(ending.status == status, "\(ending.errors)")
    if status != 75 {
      let failure = try JSONDecoder().decode(Failure.self, from: Data(ending.errors.utf8)).error
      #expect(failure.exitCode == status && failure.hint != nil)
    }
    fixture.server.clearFaults()
    #expect(try await fixture.run("status").output.contains("valid"))
    #expect(try await fixture.stored().count == 30)
  }

  @Test("a stopped server is 69, a missing keyring 75, a bad value 78, a bad flag 64")
  func environmentFailures() async throws {
    let closed = try ClosedPort()
    let fixture = try await ProgramFixture(apiURL: closed.url).signedIn()
    let gone = try await fixture.run("sync", "invoices", "--json")
    #expect(gone.status == 69, "\(gone.errors)")
    #expect(try await fixture.run("status").output.contains("valid"))

    var environment = fixture.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    environment["XDG_RUNTIME_DIR"] = nil
    let program = try ChildProcess.built("appcore")
    let noBus = try await ChildProcess(program, ["sync", "invoices"], environment: environment)
      .ending()
    #expect(noBus.status == 75, "\(noBus.errors)")
    #expect(noBus.errors.contains("appcore help secret-store"), "\(noBus.errors)")

    environment["APPCORE_CONFIG"] = try fixture.keyring.home.write(
      "sessions:\n  invoices: { concurrency: x }\n", to: "bad.yaml")
    let bad = try await ChildProcess(program, ["status"], environment: environment).ending()
    #expect(bad.status == 78)
    #expect(
      bad.errors.contains("bad.yaml:2") && bad.errors.contains("sessions.invoices.concurrency"))
    #expect(try await fixture.run("sync", "invoices", "--nonsense").status == 64)
  }

  @Test("an untrusted certificate is 69 and says so")
  func wrongCertificate() async throws {
    let folder = try TemporaryDirectory()
    guard let openssl = ChildProcess.find("openssl") else {
      Issue.record("openssl is not installed")
      return
    }
    let made = try await ChildProcess(
      openssl,
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
        "-keyout", folder.file("key.pem"), "-out", folder.file("cert.pem"),
      ], environment: ProcessInfo.processInfo.environment
    ).ending()
    #expect(made.status == 0)
    var configuration = SandboxConfiguration()
    configuration.certificate = ServerCertificate(
      certificateFile: folder.file("cert.pem"), keyFile: folder.file("key.pem"))
    let tls = try await SandboxServer.start(configuration)
    let fixture = try await ProgramFixture(apiURL: tls.url.absoluteString).signedIn()
    let ending = try await fixture.run("sync", "invoices", "--json")
    #expect(ending.status == 69, "\(ending.errors)")
    #expect(ending.errors.contains("untrusted-server"))
    #expect(try await fixture.run("status").output.contains("valid"))
    await tls.stop()
  }

  @Test("a full disk is 74, and stored records are kept")
  func fullDisk() async throws {
    let fixture = try await ProgramFixture { $0.source = .generated(invoices: 3_000, seed: 1) }
      .signedIn()
    // A file size limit is what every account can have; SQLite sees a write that fails.
    let shell = try #require(ChildProcess.find("sh"))
    let program = try ChildProcess.built("appcore")
    let ending = try await ChildProcess(
      shell, ["-c", "trap '' XFSZ; ulimit -f 600; exec \(program) sync invoices --json"],
      environment: fixture.environment
    ).ending()
    #expect(ending.status == 74, "\(ending.errors)")
    #expect(try await fixture.run("status").output.contains("valid"))
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(try await fixture.stored() == fixture.served())
  }

  // Edge case 15
  @Test("SIGTERM ends a sync in order with 143; the next run completes")
  func terminated() async throws {
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 2_000, seed: 1)
      $0.latency = .milliseconds(100)
    }.signedIn()
    let program = try fixture.start(["sync", "invoices"])
    try await eventually("the sync asks for invoices") {
      await fixture.server.statistics().requests["GET /api.xro/2.0/Invoices"] != nil
    }
    program.send(SIGTERM)
    #expect(await program.ending().status == 143)
    #expect(try await fixture.run("sync", "invoices").status == 0)
    #expect(try await fixture.stored() == fixture.served())
  }
}
