import Foundation
import Synchronization

/// A D-Bus session with the fake Secret Service of `Tests/FakeSecretService`, or with none.
package final class FakeKeyring: TestKeyring {
  private let bus: ChildProcess
  private struct Service {
    let process: ChildProcess
    let commands: Pipe
  }

  private let service: Mutex<Service?>
  package let home: TemporaryDirectory
  package let environment: [String: String]

  /// The folder of the fake's programs, which need python3-dbus and python3-gi.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "FakeSecretService").path(percentEncoded: false)

  /// True if the fake can run here; with `APPCORE_REQUIRE_KEYRING=1` it has to.
  package static let isAvailable =
    ProcessInfo.processInfo.environment["APPCORE_REQUIRE_KEYRING"] == "1"
    || (PrivateKeyring.isAvailable
      && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus"))

  /// - Parameters:
  ///   - activation: what the bus starts for the service: `absent`, `sleeps` or `exits`.
  ///   - service: the arguments of the service; `nil` starts none.
  package static func start(
    activation: String = "absent", service: [String]? = []
  ) async throws -> FakeKeyring {
    let home = try TemporaryDirectory()
    let environment = [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin",
      "XDG_CONFIG_HOME": home.file("config"), "XDG_DATA_HOME": home.file("data"),
      "XDG_STATE_HOME": home.file("state"), "XDG_RUNTIME_DIR": home.path,
    ]
    let made = try await ChildProcess(
      folder + "/dead-activation", [home.path, activation], environment: environment
    ).ending()
    guard made.status == 0, let daemon = ChildProcess.find("dbus-daemon") else {
      throw PrivateKeyring.Missing(description: "the bus cannot be configured: \(made.errors)")
    }
    let bus = try ChildProcess(
      daemon,
      [
        "--config-file=" + made.output.trimmingCharacters(in: .whitespacesAndNewlines), "--nofork",
        "--nopidfile", "--print-address",
      ], environment: environment)
    try await eventually("the bus comes up") { bus.output.contains("\n") }
    var known = environment
    known["DBUS_SESSION_BUS_ADDRESS"] = bus.output.trimmingCharacters(in: .whitespacesAndNewlines)
    return try await FakeKeyring(bus: bus, home: home, environment: known, service: service)
  }

  private init(
    bus: ChildProcess, home: TemporaryDirectory, environment: [String: String], service: [String]?
  ) async throws {
    self.bus = bus
    self.home = home
    self.environment = environment
    self.service = Mutex(nil)
    if let service { try await restart(service) }
  }

  /// Ends the service, where there is one, and starts another that knows nothing of it.
  package func restart(_ arguments: [String] = []) async throws {
    service.withLock { $0?.process.send(SIGKILL) }
    let commands = Pipe()
    let process = try ChildProcess(
      Self.folder + "/serve", arguments, environment: environment, input: commands)
    try await eventually("the service comes up") { process.output.contains("ready") }
    service.withLock { $0 = Service(process: process, commands: commands) }
  }

  /// Tells the service how to behave from now on, and answers what it said.
  @discardableResult
  package func command(_ line: String) async throws -> String {
    guard let service = service.withLock({ $0 }) else { return "" }
    let before = service.process.output.count
    try service.commands.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    try await eventually("the service answers") {
      let answer = service.process.output.dropFirst(before)
      return answer.hasSuffix("ok\n") || answer.contains("error:")
    }
    return String(service.process.output.dropFirst(before))
  }

  package func stop() {
    service.withLock { $0?.process.send(SIGKILL) }
    bus.send(SIGKILL)
  }

  deinit { stop() }
}
