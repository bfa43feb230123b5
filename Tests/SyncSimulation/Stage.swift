import Authentication
import Foundation
import SecureStore
import Storage
import SyncSupport
import Synchronization

/// The parts that outlive a crash: the database, the keyring, the folder of the locks, and the
/// world.
struct Stage: Sendable {
  static let address = "https://api.test"

  let world: World
  let account: Account
  let keyring = InMemorySecretStore()
  let database: LocalDatabase
  /// The folder of the database and of the locks of its runs.
  let folder: String
  /// The folder of the locks of logins.
  ///
  /// An authenticator watches it, and would wake up at every page that is stored there.
  var logins: String { Self.logins(in: folder) }
  let pageSize: Int
  let maxConcurrentPages: Int

  static func logins(in folder: String) -> String { folder + "/logins" }

  init(seed: UInt64, keepsDiary: Bool, database: LocalDatabase, folder: String) throws {
    world = World(seed: seed, keepsDiary: keepsDiary)
    self.database = database
    self.folder = folder
    var random = SeededRandom(seed: seed, part: 6)
    pageSize = random.within(1...5)
    maxConcurrentPages = random.chance(70) ? 1 : 4
    guard let authorization = URL(string: "https://auth.test/authorize"),
      let token = URL(string: "https://auth.test/token"),
      var account = Account(
        name: "seed\(seed)",
        server: .endpoints(
          AuthorizationServer(authorizationEndpoint: authorization, tokenEndpoint: token)),
        client: OAuthClient(id: "client"))
    else { throw CocoaError(.formatting) }
    account.replay = world.state.withLock { $0.tokens.replay }
    self.account = account
  }
}
