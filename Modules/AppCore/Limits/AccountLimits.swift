import Logging
import Networking
import Synchronization

/// What each account is allowed at its server, one for all sessions of the account.
final class AccountLimits: Sendable {
  private let folder: String
  private let log: Logger
  private let limits = Mutex<[String: SharedLimits]>([:])

  /// - Parameter folder: where requests are counted with those of other processes.
  init(folder: String, log: Logger) {
    self.folder = folder
    self.log = log
  }

  /// The limits of an account at a server; the same ones at every call.
  ///
  /// - Parameter concurrency: how many requests the provider allows at once.
  func limits(of account: String, at origin: Origin, concurrency: Int?) -> SharedLimits {
    // Neither has a character in it that a file's name could not have.
    let name = "\(account)@\(origin.host):\(origin.port)"
    return limits.withLock { limits in
      if let known = limits[name] { return known }
      let made = SharedLimits(
        concurrency: concurrency, counts: RequestCountFile(path: folder + "/" + name, log: log))
      limits[name] = made
      return made
    }
  }
}
