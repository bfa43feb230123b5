import AppCore
import Foundation
import Models
import Networking
import SystemSupport

/// A setup against the sandbox program, in a folder of its own.
struct SandboxSetup: Sendable {
  let global: GlobalOptions
  let environment: CommandEnvironment

  func run() async throws {
    let terminal = environment.terminal.with(global)
    guard let program = Self.find(environment.variables["PATH"]) else {
      throw ConfigurationError(
        source: "appcore-sandbox",
        problem: "the program is neither beside appcore nor in PATH; "
          + "install it with: Config/scripts/install")
    }
    let folder = try SandboxFolder(variables: environment.variables)
    if global.quiet {
      // The folder is what the command creates, so it is output and no remark.
      try await environment.terminal.print(folder.path)
    }
    terminal.note(
      "Everything goes to \(printable(folder.path)); delete that folder when you are done.")
    let server = try await SandboxServerProcess.start(program, ["--state", folder.state])
    do {
      try folder.write(server.description)
      try await run(folder, program)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    terminal.note(
      "This script runs every command of appcore with the made-up invoices:\n"
        + "  \(folder.launcher.shellWord) invoices list --limit 10".unbroken)
  }

  private func run(_ folder: SandboxFolder, _ program: String) async throws {
    var environment = environment
    environment.variables = folder.variables(over: environment.variables)
    environment.terminal.program = HintProgram(launcher: SandboxLauncher(path: folder.launcher))
    var login = LoginFlow.Choices(method: .browser(opens: true), asks: false)
    // The sandbox approves the sign-in itself, so no browser is needed.
    login.opener = Opener(program: program, arguments: ["approve"], isStandIn: true)
    try await SetupRun(login: login, syncs: true, global: global, account: "default")
      .run(in: environment)
  }

  static func find(_ searchPath: String?) -> String? {
    let own = Self.executable.map {
      URL(filePath: $0).deletingLastPathComponent().path(percentEncoded: false) + "/appcore-sandbox"
    }
    if let own, FileManager.default.isExecutableFile(atPath: own) { return own }
    return Opener.find("appcore-sandbox", in: searchPath)
  }

  static var executable: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  }
}

/// The folder of a sandbox setup: its configuration, its key, its data, and a launcher.
struct SandboxFolder: Sendable {
  let path: String

  /// Creates the value for the folder of a launcher.
  init(of launcher: SandboxLauncher) {
    path = NSString(string: launcher.path).deletingLastPathComponent
  }

  init(variables: [String: String]) throws {
    let base = variables["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let path = "\(base)/appcore-sandbox-\(UUID().uuidString.prefix(8))"
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ConfigurationError(source: path, problem: "the folder cannot be created")
    }
    self.path = path
  }

  var launcher: String { path + "/appcore" }
  /// The file in which the sandbox keeps its port, its logins and its changes.
  var state: String { path + "/sandbox.json" }

  private var folders: [String: String] {
    [
      "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/data",
      "XDG_STATE_HOME": path + "/state",
    ]
  }

  func variables(over others: [String: String]) -> [String: String] {
    others.filter { !$0.key.hasPrefix("APPCORE_") && $0.key != "CREDENTIALS_DIRECTORY" }
      .merging(folders) { $1 }
  }

  func write(_ server: SandboxServerProcess.Description) throws {
    var draft = ConfigurationDraft(provider: CoreConfiguration().defaultProvider)
    draft.clientID = server.clientID
    draft.serverURL = server.url
    _ = try draft.useEncryptedFile(keyFile: path + "/key")
    try draft.write(to: path + "/config/appcore/config.yaml")
    let variables = folders.merging([SandboxLauncher.variable: launcher]) { $1 }
    let exports = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.shellWord)" }
    let ignored = ConfigurationLoader.environmentKeys.keys.sorted() + ["CREDENTIALS_DIRECTORY"]
    let program = (SandboxSetup.executable ?? "appcore").shellWord
    let text = """
      #!/bin/sh
      # Runs appcore with the configuration and the data of this folder.
      unset \(ignored.joined(separator: " "))
      export \(exports.joined(separator: " "))
      exec \(program) "$@"

      """
    try ConfigurationDraft.writeSecret(text, to: launcher)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: launcher)
  }
}

extension SandboxLauncher {
  /// The commands that send requests to the sandbox.
  private static let asking: Set = ["login", "logout", "sync", "organisations", "doctor"]
  /// The time without a connection after which the server ends by itself.
  private static let idleTimeout = "60s"

  /// Starts the folder's server again, for a command that needs it.
  ///
  /// The server outlives the command, because another one may use it meanwhile. If it does not
  /// start, the command says that no server runs.
  ///
  /// - Throws: `CancellationError` after a signal.
  func startServer(for command: String?, in environment: CommandEnvironment) async throws {
    let state = SandboxFolder(of: self).state
    guard let command, Self.asking.contains(command),
      let data = FileManager.default.contents(atPath: state),
      let server = try? JSONDecoder().decode(SandboxServerProcess.Description.self, from: data),
      await !Self.answers(server), let program = SandboxSetup.find(environment.variables["PATH"])
    else { return }
    do {
      _ = try await SandboxServerProcess.start(
        program, ["--state", state, "--idle-timeout", Self.idleTimeout], outlives: true)
    } catch is ConfigurationError {}
  }

  /// Asks a server for its counts, which also keeps it from ending for a while.
  private static func answers(_ server: SandboxServerProcess.Description) async -> Bool {
    var configuration = SessionConfiguration()
    configuration.timeout.request = .seconds(5)
    configuration.retry.attempts = 1
    configuration.proxy = .none
    guard let url = URL(string: server.url + "/_sandbox/stats"),
      let request = try? Request(url: url)
    else { return false }
    let session = Session(name: "sandbox", configuration: configuration)
    let answer = try? await session.send(request)
    await session.shutdown()
    return answer != nil
  }
}
