import Foundation
import SecureStore
import SystemSupport

/// The checks that need no configuration.
public enum Diagnosis {
  /// The free space below which a warning is given: a sync of a large list writes as much.
  private static let littleRoom: Int64 = 200 << 20

  /// Checks the folders of the locks and of the database.
  ///
  /// - Parameters:
  ///   - directories: the folders for files.
  ///   - databasePath: the database; `nil` takes the default path.
  public static func folders(
    _ directories: Directories, databasePath: String? = nil
  ) async -> [Finding] {
    let database = databasePath ?? directories.data + "/appcore.sqlite"
    var folder = URL(filePath: database).deletingLastPathComponent().path(percentEncoded: false)
    if folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let databaseFolder = folder
    return await BlockingWork.run {
      [
        finding("lock folder", FolderProbe(path: directories.state), chosenBy: "XDG_STATE_HOME"),
        finding(
          "database folder", FolderProbe(path: databaseFolder), chosenBy: "APPCORE_DATABASE",
          needsRoom: true),
      ]
    }
  }

  /// Returns the findings of several checks in the order of their names; several checks run
  /// concurrently.
  static func findings(
    of names: [String], _ check: @escaping @Sendable (_ name: String) async -> [Finding]
  ) async -> [Finding] {
    await withTaskGroup(of: (Int, [Finding]).self) { group in
      var results: [[Finding]] = Array(repeating: [], count: names.count)
      var rest = names.enumerated().makeIterator()
      func startNext() {
        guard let (index, name) = rest.next() else { return }
        group.addTask { (index, await check(name)) }
      }
      for _ in 0..<RunningAccountSyncs.usualConcurrency { startNext() }
      while let (index, found) = await group.next() {
        results[index] = found
        startNext()
      }
      return results.flatMap(\.self)
    }
  }

  private static func finding(
    _ name: String, _ probe: FolderProbe, chosenBy variable: String, needsRoom: Bool = false
  ) -> Finding {
    if let problem = probe.problem {
      return Finding(
        name, .failed, "\(probe.path) cannot be written: \(problem)",
        fix: fix(probe, chosenBy: variable))
    }
    guard needsRoom, let room = probe.room else { return Finding(name, probe.path) }
    return self.room(name, probe.path, bytes: room)
  }

  static func fix(_ probe: FolderProbe, chosenBy variable: String) -> Hint {
    "Choose another with \(variable), or make \(probe.existing) writable."
  }

  /// Returns the finding of a folder that can be written and has so many free bytes.
  static func room(_ name: String, _ path: String, bytes: Int64) -> Finding {
    let free = "\(bytes >> 20) MB free"
    return bytes < littleRoom
      ? Finding(name, .warning, "\(path), only \(free)", fix: "Make room on the disk.")
      : Finding(name, "\(path), \(free)")
  }

  /// Checks that there is a D-Bus session, which the keyring needs, and that it answers.
  static func bus(_ environment: [String: String]) async -> Finding {
    guard let address = SessionBus.address(in: environment) else {
      return Finding(
        "D-Bus", .warning, "there is no session bus, which the keyring needs")
    }
    do {
      try await SessionBusConnection.check(address)
      return Finding("D-Bus", address)
    } catch {
      let reason = (error as? SessionBusConnection.Failed)?.reason ?? "\(error)"
      let variable = environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty ?? true
      return Finding(
        "D-Bus", .failed, "\(address) does not answer: \(reason)",
        fix: Hint(
          (variable ? "" : "Correct or unset DBUS_SESSION_BUS_ADDRESS. ")
            + "Run appcore inside a desktop session, or set secretStore.kind: encrypted-file; see",
          ["help", "secret-store"]))
    }
  }

  /// Checks the difference between a server's clock and this machine's, in seconds.
  ///
  /// - Returns: `nil` if they agree well enough.
  static func clock(_ account: String, skew: TimeInterval) -> Finding? {
    guard abs(skew) > 60 else { return nil }
    let seconds = Int(clamping: abs(skew))
    return Finding(
      "clock", .warning,
      "this computer's clock is \(seconds) s \(skew > 0 ? "behind" : "ahead of") "
        + "the server of account '\(account)'",
      fix: "Set the clock: timedatectl set-ntp true")
  }
}
