import Foundation
import Sandbox
import TestSupport
import Testing

/// The files that the real program leaves in a home.
@Suite(.serialized, .timeLimit(.minutes(10)), .cleansUp) struct PrivateFileTests {
  /// A home, a configuration outside it, and a sandbox whose login reaches two organisations.
  private struct Scene {
    let home: TemporaryDirectory
    let folder: TemporaryDirectory
    let server: SandboxServer
    let environment: [String: String]

    init(_ extra: [String: String] = [:]) async throws {
      (home, folder) = (try TemporaryDirectory(), try TemporaryDirectory())
      var sandbox = SandboxConfiguration()
      sandbox.source = .generated(invoices: 20, seed: 1)
      sandbox.tenants = 2
      server = try await SandboxServer.start(sandbox)
      let key = try folder.write("a passphrase of several words", to: "key")
      let secret = try folder.write(server.machineClientSecret, to: "secret")
      for file in [key, secret] {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      }
      let configuration = try folder.write(
        """
        secretStore: { kind: encrypted-file, keyFile: \(key) }
        providers: { xero: { baseURL: "\(server.url)", tokenURL: "\(server.url)/connect/token" } }
        accounts:
          default: { clientID: \(server.machineClientID), clientSecretFile: \(secret) }
        """, to: "config.yaml")
      environment = [
        "HOME": home.path, "PATH": "/usr/bin:/bin", "APPCORE_CONFIG": configuration,
      ].merging(extra) { $1 }
    }

    /// Runs the program with a mask that takes no permission away.
    func run(_ arguments: String...) async throws {
      let ending = try await ChildProcess(
        "/bin/sh",
        ["-c", "umask 0; exec \"$@\"", "sh", try ChildProcess.built("appcore")] + arguments,
        environment: environment
      ).ending()
      #expect(ending.status == 0, "\(arguments): \(ending.errors)")
    }

    /// Returns the mode of each file and folder below a folder, by its path there.
    static func modes(below folder: String) throws -> [String: Int] {
      var modes: [String: Int] = [:]
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + path)
        let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
        modes[path + (isFolder ? "/" : "")] = attributes[.posixPermissions] as? Int
      }
      return modes
    }
  }

  @Test("a login and a sync leave files in the XDG folders alone, which only their owner can read")
  func home() async throws {
    let scene = try await Scene()
    #expect(try Scene.modes(below: scene.home.path).isEmpty)
    let first = try #require(scene.server.tenantIDs.first)
    try await scene.run("login", "--client-credentials", "--organisation", first)
    try await scene.run("organisations", "add", "--all")
    try await scene.run("sync", "all", "--all-accounts")
    try await scene.run("invoices", "list")
    try await scene.run("status")
    try await scene.run("login", "--client-credentials", "--organisation", first, "--replace")
    try await scene.run("sync", "all", "--full", "--same-organisation")
    let modes = try Scene.modes(below: scene.home.path)
    for name in ["share/appcore/appcore.sqlite", "state/appcore/secret-store"] {
      #expect(modes[".local/" + name] != nil, "\(modes.keys.sorted())")
    }
    #expect(modes.keys.contains { $0.hasSuffix(".notice") }, "\(modes.keys.sorted())")
    let places = [".config/appcore/", ".local/share/appcore/", ".local/state/appcore/"]
    for (path, mode) in modes {
      #expect(places.contains { path.hasPrefix($0) || $0.hasPrefix(path) }, "\(path)")
      #expect(mode == (path.hasSuffix("/") ? 0o700 : 0o600), "\(path): \(String(mode, radix: 8))")
    }
    let added = try Scene.modes(below: scene.folder.file("accounts.d"))
    #expect(added.count == 2 && added.values.allSatisfy { $0 == 0o600 }, "\(added)")
    try await scene.run("logout", "--all", "--forget-invoices")
  }

  @Test("the folders of XDG_*_HOME take every file, and the home stays empty")
  func otherPlaces() async throws {
    let base = try TemporaryDirectory()
    let names = ["CONFIG", "DATA", "STATE"]
    let scene = try await Scene(
      Dictionary(uniqueKeysWithValues: names.map { ("XDG_\($0)_HOME", base.file($0)) }))
    let first = try #require(scene.server.tenantIDs.first)
    try await scene.run("login", "--client-credentials", "--organisation", first)
    try await scene.run("sync", "all")
    #expect(try Scene.modes(below: scene.home.path).isEmpty)
    for (path, mode) in try Scene.modes(below: base.path) {
      #expect(
        names.contains { "\($0)/appcore/".hasPrefix(path) || path.hasPrefix("\($0)/appcore/") })
      #expect(mode == (path.hasSuffix("/") ? 0o700 : 0o600), "\(path): \(String(mode, radix: 8))")
    }
  }

  @Test("the sandbox of a setup has one executable file, its launcher")
  func sandbox() async throws {
    let home = try TemporaryDirectory()
    let setup = try await ChildProcess(
      "/bin/sh",
      [
        "-c", "umask 0; exec \"$@\"", "sh", try ChildProcess.built("appcore"), "setup", "--sandbox",
        "--no-input",
      ], environment: ["HOME": home.path, "TMPDIR": home.path, "PATH": "/usr/bin:/bin"]
    ).ending()
    #expect(setup.status == 0, "\(setup.errors)")
    let modes = try Scene.modes(below: home.path)
    #expect(modes.count > 5)
    for (path, mode) in modes {
      // The folder has a name of its own; below it, nothing else is executable on purpose.
      let isLauncher = path.split(separator: "/").dropFirst().elementsEqual(["appcore"])
      #expect(
        mode == (path.hasSuffix("/") || isLauncher ? 0o700 : 0o600),
        "\(path): \(String(mode, radix: 8))")
    }
  }
}
