import Logging
import Networking
import Synchronization

/// The request limits of each account at its server, shared by all sessions of the account.
final class AccountLimits: Sendable {
  private let folder: String
  private let log: Logger
  private let limits = Mutex<[String: SharedLimits]>([:])

  /// - Parameter folder: the folder of the files that count requests across processes.
  init(folder: String, log: Logger) {
    self.folder = folder
    self.log = log
  }

  /// Returns the limits of an account at a server; the same ones at every call.
  ///
  /// - Parameter concurrency: the number of concurrent requests that the provider allows.
  func limits(of account: String, at origin: Origin, concurrency: Int?) -> SharedLimits {
    // Account names and hosts contain only characters that are valid in a file name.
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
