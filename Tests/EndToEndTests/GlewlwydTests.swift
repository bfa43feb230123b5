import Authentication
import Foundation
import HTTPTypes
import Networking
import SecureStore
import TestSupport
import Testing

/// Against an authorization server that is not ours: one-use refresh tokens, reuse ends the chain.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(
    if: GlewlwydServer.isAvailable && PrivateKeyring.isAvailable, "glewlwyd is not installed"))
struct GlewlwydTests {
  /// Approves with the script that acts as a user with a browser, who reloads a page that fails.
  private struct User: AuthenticationDelegate {
    struct CouldNotApprove: Error {}

    let server: GlewlwydServer

    func showAuthorizationPage(_ url: URL) async throws {
      try await approve(server.approval() + [url.absoluteString])
    }

    func showDeviceCode(_ prompt: DeviceCodePrompt) async throws {
      try await approve(server.approval(isDevice: true) + [prompt.userCode])
    }

    /// Approves with a command, or fails immediately instead of waiting for an answer that will not
    /// come.
    private func approve(_ command: [String]) async throws {
      var reasons: [String] = []
      for _ in 0..<3 {
        let ending = try await ChildProcess(
          command[0], Array(command.dropFirst()),
          environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
        ).ending()
        if ending.status == 0 { return }
        reasons.append(ending.errors)
      }
      Issue.record("nothing was approved: \(reasons)")
      throw CouldNotApprove()
    }
  }

  private struct Fixture {
    let server: GlewlwydServer
    let session: Session
    let folder: TemporaryDirectory
    let authenticator: Authenticator

    func stop() async {
      await session.shutdown()
      await server.stop()
    }
  }

  private func fixture(
    _ choose: (GlewlwydServer.Description.Clients) -> GlewlwydServer.Description.Client
  )
    async throws -> Fixture
  {
    let server = try await GlewlwydServer.start()
    let client = choose(server.description.clients)
    let issuer = try #require(URL(string: server.description.issuer))
    let account = try #require(
      Account(
        name: "default", server: .discovery(issuer: issuer),
        client: OAuthClient(
          id: client.id, secret: client.secret.map { Secret($0) },
          redirect: .loopback(port: server.redirectPort)), scopes: ["invoices"]))
    let folder = try TemporaryDirectory()
    var configuration = SessionConfiguration()
    configuration.redirects = .none
    let session = Session(name: "auth", configuration: configuration)
    return Fixture(
      server: server, session: session, folder: folder,
      authenticator: try Authenticator(
        accounts: [account], store: InMemorySecretStore(), session: session,
        lockFolder: folder.path))
  }

  @Test(
    "a public and a confidential client sign in with PKCE, rotate their tokens and revoke them")
  func codeFlow() async throws {
    for isPublic in [true, false] {
      let fixture = try await fixture { isPublic ? $0.public : $0.confidential }
      let authenticator = fixture.authenticator
      let status = try await authenticator.signIn(
        "default", with: .authorizationCode(delegate: User(server: fixture.server)))
      #expect(status.state == .valid && status.scopes == ["invoices"])
      let origin = try #require(URL(string: fixture.server.description.url).flatMap { Origin($0) })
      let authorizer = try authenticator.authorizer(for: "default", origins: [origin])
      var generation = status.generation ?? 0
      for _ in 0..<3 {
        var request = try Request(url: try #require(URL(string: fixture.server.description.url)))
          .head
        let used = try await authorizer.authorize(&request)
        _ = try await authorizer.replaceCredentials(
          rejected: used, request: request, response: .init(status: .unauthorized))
        let next = try await authenticator.status(of: "default").generation ?? 0
        #expect(next > generation)
        generation = next
      }
      let report = try await authenticator.signOut("default")
      // Glewlwyd lets only clients with a secret revoke.
      #expect(report.wasSignedIn && report.isRevoked == !isPublic)
      await fixture.stop()
    }
  }

  @Test("a device code and client credentials each sign in")
  func otherFlows() async throws {
    let device = try await fixture { $0.public }
    let status = try await device.authenticator.signIn(
      "default", with: .deviceCode(delegate: User(server: device.server)))
    #expect(status.state == .valid)
    await device.stop()
    let machine = try await fixture { $0.machine }
    #expect(
      try await machine.authenticator.signIn("default", with: .clientCredentials).state == .valid)
    await machine.stop()
  }

  @Test("8 processes with 25 tasks each rotate 200 times, and no reuse ends the chain")
  func rotations() async throws {
    let server = try await GlewlwydServer.start()
    let keyring = try await PrivateKeyring.start()
    let fixture = try await signedInByProgram(server, keyring)
    let locks = keyring.home.file("state") + "/appcore"
    let processes = try (0..<8).map { _ in
      let lines = Pipe()
      let process = try ChildProcess(
        try ChildProcess.built("authentication-probe"),
        [server.description.issuer, server.description.clients.public.id, locks, "25"],
        environment: fixture, input: lines)
      return (process, lines)
    }
    for round in 1...200 {
      for (_, lines) in processes {
        try lines.fileHandleForWriting.write(contentsOf: Data("\(round * 4_000)\n".utf8))
      }
      for (process, _) in processes {
        try await eventually("round \(round) is answered") {
          process.output.split(separator: "\n").count >= round
        }
      }
    }
    // A reuse would have ended the chain: from then on every round would have failed.
    let answers = processes.map { $0.0.output.split(separator: "\n") }
    for round in 0..<200 {
      #expect(Set(answers.map { $0[round] }).count == 1 && answers[0][round].hasPrefix("1 "))
    }
    #expect(Set(answers[0]).count == 200)
    for (process, lines) in processes {
      try lines.fileHandleForWriting.close()
      _ = await process.ending()
    }
    keyring.stop()
    await server.stop()
  }

  /// Signs in with the real program, and returns the environment of a process of the same user.
  private func signedInByProgram(
    _ server: GlewlwydServer, _ keyring: PrivateKeyring
  ) async throws -> [String: String] {
    var environment = keyring.environment
    environment["APPCORE_CONFIG"] = try keyring.home.write(
      """
      accounts:
        default:
          clientID: \(server.description.clients.public.id)
          scopes: [invoices]
          redirectPort: \(server.redirectPort)
      providers:
        xero: { baseURL: "\(server.description.url)", issuer: "\(server.description.issuer)" }
      """, to: "config.yaml")
    let command = server.approval().map { "'\($0)'" }.joined(separator: " ")
    let browser = try keyring.home.write(
      "#!/bin/sh\n\(command) \"$1\" || exec \(command) \"$1\"\n", to: "xdg-open")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
    environment["PATH"] = keyring.home.path + ":" + (environment["PATH"] ?? "")
    let login = try await ChildProcess(
      try ChildProcess.built("appcore"), ["login"], environment: environment
    ).ending()
    #expect(login.status == 0, "\(login.errors)")
    return environment
  }
}
