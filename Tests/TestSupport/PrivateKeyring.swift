import Foundation

/// A keyring for tests, real or played, in a throw-away home.
package protocol TestKeyring: Sendable {
  /// The home, which holds configuration, data and state of the programs under test as well.
  var home: TemporaryDirectory { get }
  /// The environment in which a child process finds this keyring, and none of the user's.
  var environment: [String: String] { get }
  /// Ends it.
  func stop()
}

/// A D-Bus session with a real gnome-keyring of its own, in a throw-away home.
package final class PrivateKeyring: TestKeyring {
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  private let bus: ChildProcess
  private let keyring: ChildProcess?
  private let guardian: ChildProcess
  package let home: TemporaryDirectory
  /// The environment in which a child process finds this keyring, and none of the user's.
  package let environment: [String: String]

  /// True if the programs are installed; with `APPCORE_REQUIRE_KEYRING=1` they have to be.
  package static var isAvailable: Bool {
    ProcessInfo.processInfo.environment["APPCORE_REQUIRE_KEYRING"] == "1"
      || ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"].allSatisfy {
        ChildProcess.find($0) != nil
      }
  }

  /// - Parameter withService: `false` starts the bus alone, without a service.
  package static func start(withService: Bool = true) async throws -> PrivateKeyring {
    let home = try TemporaryDirectory()
    guard let daemon = ChildProcess.find("dbus-daemon") else {
      throw Missing(description: "dbus-daemon is not installed")
    }
    var environment = [
      "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin",
      "XDG_CONFIG_HOME": home.file("config"), "XDG_DATA_HOME": home.file("data"),
      "XDG_STATE_HOME": home.file("state"), "XDG_CACHE_HOME": home.file("cache"),
      "XDG_RUNTIME_DIR": home.path,
    ]
    // A bus configuration without activation: nothing but what is started here can answer.
    let configuration = try home.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>unix:path=\(home.file("session"))</listen>
      <auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/>
      <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """, to: "bus.conf")
    let bus = try ChildProcess(
      daemon, ["--config-file=\(configuration)", "--nofork", "--nopidfile"],
      environment: environment)
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + home.file("session")
    try await eventually("the keyring comes up") {
      FileManager.default.fileExists(atPath: home.file("session"))
    }
    var keyring: ChildProcess?
    if withService {
      guard let daemon = ChildProcess.find("gnome-keyring-daemon"),
        let shell = ChildProcess.find("sh"),
        let send = ChildProcess.find("dbus-send")
      else { throw Missing(description: "gnome-keyring or dbus-send is not installed") }
      // The shell feeds the password and becomes the daemon, which so keeps the process id.
      keyring = try ChildProcess(
        shell,
        ["-c", "printf pw | exec \(daemon) --foreground --unlock --components=secrets"],
        environment: environment)
      let asking = environment
      try await eventually("the keyring comes up") {
        let reply = try await ChildProcess(
          send,
          [
            "--session", "--dest=org.freedesktop.DBus", "--print-reply", "/org/freedesktop/DBus",
            "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets",
          ], environment: asking
        ).ending()
        return reply.output.contains("boolean true")
      }
    }
    return PrivateKeyring(
      bus: bus, keyring: keyring, guardian: try guardian(of: [bus, keyring]), home: home,
      environment: environment)
  }

  /// Ends the daemons when this process ends in any way, because its end closes the pipe.
  private static func guardian(of children: [ChildProcess?]) throws -> ChildProcess {
    guard let shell = ChildProcess.find("sh") else { throw Missing(description: "no shell") }
    return try ChildProcess(
      shell,
      ["-c", "read _; kill -9 \"$@\"", "sh"] + children.compactMap { $0?.processID.description },
      environment: [:], input: Pipe())
  }

  private init(
    bus: ChildProcess, keyring: ChildProcess?, guardian: ChildProcess, home: TemporaryDirectory,
    environment: [String: String]
  ) {
    self.bus = bus
    self.keyring = keyring
    self.guardian = guardian
    self.home = home
    self.environment = environment
  }

  package func stop() {
    // A child inherits the blocked signals of the pool's threads: this one cannot be blocked.
    keyring?.send(SIGKILL)
    bus.send(SIGKILL)
  }

  deinit { stop() }
}
