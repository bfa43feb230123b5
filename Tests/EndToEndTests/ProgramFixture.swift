import Foundation
import Models
import Sandbox
import Storage
import Synchronization
import TestSupport

/// The real program with a keyring, a sandbox of three invoices, a configuration and a database of
/// its own.
final class ProgramFixture: Sendable {
  struct LoginFailed: Error {
    let errors: String
  }

  let server: SandboxServer
  private let provider: SandboxProvider
  let keyring: any TestKeyring
  let environment: [String: String]
  let databasePath: String
  /// A configuration for a program whose exchange the test holds back; others wait for no longer
  /// than their own limit until they take over an exchange that was interrupted.
  private let patientConfiguration: String
  private let renewalsOfSignIn = Mutex(0)

  init(
    _ provider: SandboxProvider = .xero, keyring given: (any TestKeyring)? = nil,
    withKeyring: Bool = true, apiURL: String? = nil,
    configuration extra: String = "",
    _ adjust: (inout SandboxConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = provider
    configuration.source = .generated(invoices: 3, seed: 1)
    adjust(&configuration)
    server = try await SandboxServer.start(configuration)
    if let given {
      keyring = given
    } else {
      keyring = try await PrivateKeyring.start(withService: withKeyring)
    }
    let home = keyring.home
    var environment = keyring.environment
    // Replaces the browser of a user who presses Approve.
    let sandbox = try ChildProcess.built("appcore-sandbox")
    let browser = try home.write("#!/bin/sh\nexec \(sandbox) approve \"$1\"\n", to: "xdg-open")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
    environment["PATH"] = home.path + ":" + (environment["PATH"] ?? "")
    let url = server.url.absoluteString
    self.provider = provider
    let account =
      switch provider {
      case .xero: "{ clientID: \(server.clientID) }"
      case .moneybird, .square, .stripe: "{ provider: \(provider) }"
      case .quickbooks: "{ provider: quickbooks, tenantID: '\(server.tenantIDs.first ?? "")' }"
      }
    let issuer = provider == .xero ? ", issuer: \"\(url)\"" : ""
    let paths = try [("config.yaml", "10s"), ("patient.yaml", "10m")].map { name, limit in
      try home.write(
        """
        accounts:
          default: \(account)
        sessions:
          invoices: { timeout: { connect: 1m, request: 5m }, retry: { attempts: 2, maxWait: 1s } }
          auth:
            timeout: { connect: 1m, request: \(limit), operation: \(limit) }
            retry: { attempts: 2, maxWait: 1s }
        providers:
          \(provider): { baseURL: "\(apiURL ?? url)"\(issuer) }
        \(extra)
        """, to: name)
    }
    environment["APPCORE_CONFIG"] = paths[0]
    patientConfiguration = paths[1]
    self.environment = environment
    databasePath = home.file("data") + "/appcore/appcore.sqlite"
    CleanUp.atEnd { await self.stop() }
  }

  /// Starts the program.
  ///
  /// - Parameter isPatient: true if the test holds its exchange back.
  func start(
    _ arguments: [String], database: String? = nil, input: Pipe? = nil, isPatient: Bool = false
  ) throws -> ChildProcess {
    var environment = environment
    if isPatient { environment["APPCORE_CONFIG"] = patientConfiguration }
    if let database { environment["APPCORE_DATABASE"] = database }
    return try ChildProcess(
      try ChildProcess.built("appcore"), arguments, environment: environment, input: input)
  }

  func run(_ arguments: String..., database: String? = nil) async throws -> ChildProcess.Ending {
    try await start(arguments, database: database).ending()
  }

  /// Signs in: with a browser at Xero, and with a token at the others.
  @discardableResult
  func signedIn() async throws -> ProgramFixture {
    let token = Pipe()
    try token.fileHandleForWriting.write(contentsOf: Data("sk_live_1\n".utf8))
    try token.fileHandleForWriting.close()
    let login =
      provider == .xero
      ? try await run("login") : try await start(["login", "--token-stdin"], input: token).ending()
    guard login.status == 0 else { throw LoginFailed(errors: login.errors) }
    return self
  }

  /// Signs in, and lets the token end by the server's word and the clock's.
  ///
  /// The sandbox has to give tokens a life of a second.
  func expired() async throws -> ProgramFixture {
    try await signInAndExpire()
    return self
  }

  func signInAndExpire() async throws {
    try await signedIn()
    try await eventually("the token has ended") {
      try await self.run("status", "--json").output.contains(#""login":"expired""#)
    }
    // A sign-in fetches the organisations, which may already renew such a short-lived token.
    let renewals = await refreshes()
    renewalsOfSignIn.withLock { $0 += renewals }
    // From now on tokens live long: on a slow machine a short one has ended before it is used.
    server.setTokenLifetime(.seconds(1_800))
  }

  /// Waits until the server has received a request for new tokens.
  func awaitExchange() async throws {
    try await eventually("the exchange is under way") { await self.refreshes() > 0 }
  }

  /// Returns the number of renewals since the sign-in.
  func refreshes() async -> Int {
    let all = await server.statistics().tokenRequests["refresh_token"] ?? 0
    return all - renewalsOfSignIn.withLock { $0 }
  }

  /// Makes an empty database, as the first sync does.
  func makeDatabase() async throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: databasePath).deletingLastPathComponent(),
      withIntermediateDirectories: true)
    try await LocalDatabase.open(at: databasePath).close()
  }

  /// Every invoice of a database file.
  func stored(at path: String? = nil) async throws -> [Invoice] {
    let database = try await LocalDatabase.open(at: path ?? databasePath)
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let found = try await database.invoices(matching: query)
    try await database.close()
    return found.map(\.invoice).sorted { $0.id < $1.id }
  }

  /// The tokens in the keyring, read over D-Bus by a program that is not ours.
  func tokens() async throws -> [String] {
    guard let tool = ChildProcess.find("secret-tool") else { throw CocoaError(.fileNoSuchFile) }
    let record = try await ChildProcess(
      tool, ["lookup", "appcore:account", "default"], environment: keyring.environment
    ).ending().output
    struct Record: Decodable {
      let accessToken: String
      let refreshToken: String
    }
    let tokens = try JSONDecoder().decode(Record.self, from: Data(record.utf8))
    return [tokens.accessToken, tokens.refreshToken]
  }

  func served() -> [Invoice] { server.invoices().sorted { $0.id < $1.id } }

  func stop() async {
    await server.stop()
    keyring.stop()
  }
}
