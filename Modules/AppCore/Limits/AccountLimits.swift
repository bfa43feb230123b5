import Logging
import Networking
import Synchronization

/// The request limits of each account at its server, shared by all sessions of the account.
final class AccountLimits: Sendable {
  private let folder: String
  private let log: Logger
  private let limits = Mutex<[String: SharedLimits]>([:])
  private let applications = Mutex<[String: ApplicationLimits]>([:])

  /// - Parameter folder: the folder of the files that count requests across processes.
  init(folder: String, log: Logger) {
    self.folder = folder
    self.log = log
  }

  /// Returns the limits of an account at a server; the same ones at every call.
  ///
  /// - Parameters:
  ///   - concurrency: the number of concurrent requests that the provider allows.
  ///   - application: the limits of all accounts together.
  func limits(
    of account: String, at origin: Origin, concurrency: Int?, application: ApplicationLimits?
  ) -> SharedLimits {
    // Account names and hosts contain only characters that are valid in a file name.
    let name = "\(account)@\(origin.host):\(origin.port)"
    return limits.withLock { limits in
      if let known = limits[name] { return known }
      let made = SharedLimits(
        concurrency: concurrency, counts: RequestCountFile(path: folder + "/" + name, log: log),
        application: application)
      limits[name] = made
      return made
    }
  }

  /// Returns the limits of an application at a server; the same ones at every call, `nil` for none.
  func limits(
    ofApplication client: String, at origin: Origin, _ published: [RateLimit]
  ) -> ApplicationLimits? {
    guard !published.isEmpty else { return nil }
    let name = "\(client)@\(origin.host):\(origin.port)"
    return applications.withLock { applications in
      if let known = applications[name] { return known }
      let made = ApplicationLimits(published)
      applications[name] = made
      return made
    }
  }
}
