import Authentication
import Foundation
import Networking
import SecureStore
import Synchronization
import SystemSupport

// A process of a front end, for tests that need many of them.
//
// authentication-probe ISSUER CLIENT LOCKS TASKS reads a number of seconds from each line, sets its
// clock ahead by so much, authorizes a request in TASKS tasks at once, and prints how many
// different generations they got and which, or the error. LOCK_TIMEOUT is how many seconds it waits
// for the lock.

let arguments = CommandLine.arguments
guard arguments.count == 5, let issuer = URL(string: arguments[1]), let origin = Origin(issuer),
  let tasks = Int(arguments[4]),
  var account = Account(
    name: "default", server: .discovery(issuer: issuer), client: OAuthClient(id: arguments[2]))
else {
  print("usage: authentication-probe ISSUER CLIENT LOCKS TASKS")
  exit(64)
}
// The program's login is for the API that stands beside the issuer.
account.apiOrigin = origin

/// The system's clocks, set ahead.
final class AdvancedTime: Sendable {
  private let offset = Mutex(Duration.zero)

  func set(_ seconds: Int) { offset.withLock { $0 = .seconds(seconds) } }

  var source: TimeSource {
    let system = TimeSource.system
    return TimeSource(
      uptime: { [self] in system.uptime() + offset.withLock { $0 } },
      wall: { [self] in
        system.wall().addingTimeInterval(offset.withLock { $0 } / .seconds(1))
      },
      sleep: system.sleep)
  }
}

let time = AdvancedTime()
var configuration = SessionConfiguration()
configuration.redirects = .none
let session = Session(name: "auth", configuration: configuration)
let authenticator = try Authenticator(
  accounts: [account], store: LibsecretStore(callLimit: .seconds(30)), session: session,
  lockFolder: arguments[3],
  lockTimeout: .seconds(Int(ProcessInfo.processInfo.environment["LOCK_TIMEOUT"] ?? "") ?? 60),
  time: time.source)
let authorizer = try authenticator.authorizer(for: "default", origins: [origin])
let request = try Request(url: issuer)

while let line = readLine(), let seconds = Int(line) {
  time.set(seconds)
  do {
    let generations = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for _ in 0..<tasks {
        group.addTask { @Sendable in
          var head = request.head
          return try await authorizer.authorize(&head).rawValue
        }
      }
      var generations: Set<UInt64> = []
      for try await generation in group { generations.insert(generation) }
      return generations
    }
    print(generations.count, generations.max() ?? 0)
  } catch {
    print("failed", error)
  }
  fflush(nil)
}
try await authenticator.drain()
await session.shutdown()
