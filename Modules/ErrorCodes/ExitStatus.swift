/// The exit codes of `appcore`, modelled on sysexits.h; scripts rely on them.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done.
  case done = 0
  /// Not found, a problem that a command reports, or anything else.
  case unclassified = 1
  /// A command line, or a call of the library, that is not possible.
  case usage = 64
  /// The provider's data cannot be read.
  case unreadableData = 65
  /// The server or the network is unavailable.
  case unavailable = 69
  /// A bug of appcore.
  case bug = 70
  /// The disk or the database failed.
  case inputOutput = 74
  /// A limit, a lock or the keyring is in the way.
  case tryAgainLater = 75
  /// The user has to sign in.
  case signInRequired = 77
  /// The user has to correct the configuration.
  case configuration = 78
  /// A signal or a cancellation ended the work.
  case interrupted = 130

  /// The codes in a line of a guide: an interruption has the code of its signal.
  package var codes: String { self == .interrupted ? "129, 130, 143" : "\(rawValue)" }

  /// The meaning in a line of a guide.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .unclassified:
      "not found; a problem that `status` or `doctor` reports; or not classified"
    case .usage: "usage"
    case .unreadableData:
      "unreadable data from the server, a request that it rejected, or so much missing that the "
        + "mass-deletion guard stopped the run"
    case .unavailable: "server or network unavailable"
    case .bug: "a bug"
    case .inputOutput: "disk or database"
    case .tryAgainLater:
      "try again later: rate limit, budget spent, lock held, keyring locked or absent"
    case .signInRequired: "sign-in required"
    case .configuration: "configuration"
    case .interrupted: "interrupted by SIGHUP, SIGINT or SIGTERM"
    }
  }

  /// The reaction of a script or a user, in a line of a guide.
  package var reaction: String {
    switch self {
    case .done: ""
    case .unclassified: "read the message"
    case .usage: "correct the command line"
    case .unreadableData: "read `errors`; the readable part is stored"
    case .unavailable: "try again later"
    case .bug: "report it"
    case .inputOutput: "check the disk, the folder and its permissions"
    case .tryAgainLater: "run it again"
    case .signInRequired: "`appcore login`"
    case .configuration: "correct the value that the message names"
    case .interrupted: "run it again; stored pages stay"
    }
  }
}
