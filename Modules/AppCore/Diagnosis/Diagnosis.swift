import Foundation
import Glibc
public import Models
import SecureStore
public import Storage
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

  static func room(_ name: String, _ path: String, bytes: Int64) -> Finding {
    let free = "\(bytes >> 20) MB free"
    return bytes < littleRoom
      ? Finding(name, .warning, "\(path), only \(free)", fix: "Make room on the disk.")
      : Finding(name, "\(path), \(free)")
  }

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

/// One result of a diagnosis.
public struct Finding: Sendable {
  /// The outcomes of a check.
  public enum Outcome: String, Sendable {
    /// The part works.
    case works = "ok"
    /// It works, and something else deserves attention.
    case warning
    /// It does not work.
    case failed
  }

  /// The last run of a sync, which failed.
  public struct FailedRun: Sendable {
    /// The resource.
    public let resource: Resource
    /// The run, whose code names the cause.
    public let record: RunRecord
  }

  /// The part that was checked, such as `login default`.
  public let name: String
  /// The outcome.
  public let outcome: Outcome
  /// The facts, in one line; of an error, a front end takes its own words.
  public let detail: String
  /// The fix as sentences and commands.
  package let hint: Hint?
  /// A command or a value that solves the problem, if it is known.
  public var fix: String? { hint?.text() }
  /// The error that the check met.
  public let error: (any Error)?
  /// The failed run that the check found, for which a front end makes the hint.
  public let run: FailedRun?
  /// The account that was checked; `nil` if the check is not about one account.
  public private(set) var account: String?

  init(
    _ name: String, _ outcome: Outcome, _ detail: String, fix hint: Hint? = nil,
    error: (any Error)? = nil, run: FailedRun? = nil
  ) {
    self.name = name
    self.outcome = outcome
    self.detail = detail
    self.hint = hint
    self.error = error
    self.run = run
  }

  init(_ name: String, _ detail: String) {
    self.init(name, .works, detail)
  }

  static func check(_ name: String, _ body: () async throws -> String) async -> Finding {
    do {
      return Finding(name, try await body())
    } catch {
      return Finding(name, error)
    }
  }

  static func check(
    _ name: String, within timeout: Duration,
    _ body: @escaping @Sendable () async throws -> String
  ) async -> Finding {
    do {
      if let facts = try await TimeSource.system.bounded(by: timeout, body) {
        return Finding(name, facts)
      }
      let seconds = Int(clamping: timeout / .seconds(1), rounding: .up)
      return Finding(
        name, .failed, "no answer within \(seconds) s",
        fix: "Check the network and the provider's status page, and try again.")
    } catch {
      return Finding(name, error)
    }
  }

  func of(_ account: String) -> Finding {
    var finding = self
    finding.account = account
    return finding
  }

  /// Creates the finding of an error.
  public init(_ name: String, _ error: any Error) {
    self.init(name, .failed, "\(type(of: error))", error: error)
  }
}

/// A folder that appcore writes to, tried by creating a file in it.
struct FolderProbe {
  let path: String

  var existing: String {
    var folder = path
    while access(folder, F_OK) != 0, folder != "/", !folder.isEmpty {
      folder = URL(filePath: folder).deletingLastPathComponent().path(percentEncoded: false)
      if folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    }
    return folder.isEmpty ? "/" : folder
  }

  /// The reason why nothing can be written, such as `Permission denied`; `nil` if it can.
  ///
  /// A folder that is missing can be created if the one above it can be written.
  var problem: String? {
    let folder = existing
    let file = folder + "/.appcore-probe-\(UUID().uuidString)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    close(descriptor)
    unlink(file)
    return nil
  }

  var room: Int64? {
    var found = statvfs()
    guard statvfs(existing, &found) == 0 else { return nil }
    return Int64(clamping: found.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: found.f_frsize)
    ).partialValue
  }
}
