import Foundation
import Models
import Sandbox
import Storage
import TestSupport

/// A server of two companies whose keys are `sk_live_1` and `sk_live_2`, and the real program with
/// an account of each kind of provider: `stripe`, `telling`, a description with a request that
/// names the organisation, and `silent`, one without such a request.
final class TwoCompanies: Sendable {
  let server: SandboxServer
  private let home: TemporaryDirectory
  private let environment: [String: String]

  init() async throws {
    var configuration = SandboxConfiguration()
    configuration.provider = .stripe
    configuration.source = .generated(invoices: 12, seed: 7)
    configuration.tenants = 2
    server = try await SandboxServer.start(configuration)
    home = try TemporaryDirectory()
    let key = try home.write("a passphrase of some length", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let url = server.url.absoluteString
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": home.path, "XDG_DATA_HOME": home.file("data"),
      "XDG_STATE_HOME": home.file("state"),
      "APPCORE_CONFIG": try home.write(
        """
        secretStore: { kind: encrypted-file, keyFile: "\(key)" }
        accounts:
          stripe: { provider: stripe }
          silent: { provider: silent }
          telling: { provider: telling }
        providers:
          stripe: { baseURL: "\(url)" }
          silent:
            kind: rest
        \(Self.list(url))
          telling:
            kind: rest
            identity: { path: /account, field: id }
        \(Self.list(url))
        """, to: "config.yaml"),
    ]
    CleanUp.atEnd { [server] in await server.stop() }
  }

  private static func list(_ url: String) -> String {
    """
        baseURL: "\(url)/v1"
        resources:
          invoices:
            path: /invoices
            query: { limit: "100" }
            rows: data
            money: minor-units
            fields:
              { id: id, type: { value: invoice }, status: { value: open }, currency: { value: EUR },
                total: total }
    """
  }

  func run(
    _ arguments: [String], input: String? = nil, credentials: String? = nil
  ) async throws -> ChildProcess.Ending {
    var environment = environment
    environment["CREDENTIALS_DIRECTORY"] = credentials
    let program = try ChildProcess(
      try ChildProcess.built("appcore"), arguments, environment: environment,
      input: try input.map(Pipe.holding))
    return await program.ending()
  }

  /// Changes the configuration file.
  func configure(_ text: String, as other: String) throws {
    let file = home.file("config.yaml")
    let old = try String(contentsOfFile: file, encoding: .utf8)
    try old.replacing(text, with: other).write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// Syncs invoices; answers with the exit status.
  func sync(_ account: String, _ more: String...) async throws -> Int32 {
    try await run(["sync", "invoices", "--account", account] + more).status
  }

  /// Signs out, and in again with a key.
  func signIn(_ account: String, _ key: String, _ more: String...) async throws
    -> ChildProcess.Ending
  {
    _ = try await run(["logout", "--account", account])
    return try await run(
      ["login", "--account", account, "--token-stdin", "--no-input"] + more, input: key)
  }

  /// The identifiers that are stored of an account, and whether each is there still.
  func stored(_ account: String) async throws -> [String: Bool] {
    let database = try await LocalDatabase.open(at: home.file("data") + "/appcore/appcore.sqlite")
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    let rows = try await database.invoices(matching: query).filter { $0.account == account }
    try await database.close()
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.invoice.id, $0.deletedAt == nil) })
  }

  /// A folder of credentials as systemd hands them over.
  func credentials(_ key: String, account: String) throws -> String {
    _ = try home.write(key, to: "appcore.\(account).token")
    return home.path
  }
}
