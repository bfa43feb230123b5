import Authentication
import Foundation
import Logging
import Models
import Networking
import Providers
import SecureStore
import Storage
import Sync
import SyncSupport
import Synchronization
import SystemSupport

/// One life of the program, from its start to its end or its crash, on what is stored.
final class Incarnation: Sendable {
  let life: Life
  let authenticator: Authenticator
  private let sync: ResourceSync
  private let tokenSession: Session
  private let session: Session
  private let canceller: Canceller

  init(_ stage: Stage, number: Int) throws {
    let (world, life, canceller) = (stage.world, Life(), Canceller())
    (self.life, self.canceller) = (life, canceller)
    let silent = Logger(label: "silent", factory: { _ in SwiftLogNoOpLogHandler() })
    let random: @Sendable () -> Double = {
      world.state.withLock { Double($0.random.below(1_000)) / 1_000 }
    }
    func wire(isForTokens: Bool) -> Wire {
      Wire(world: world, life: life, canceller: canceller, isForTokens: isForTokens)
    }
    var settings = SessionConfiguration()
    settings.timeout.request = .seconds(20)
    settings.retry.attempts = 2
    settings.redirects = .none
    tokenSession = Session(
      name: "auth", configuration: settings, networkMiddleware: [wire(isForTokens: true)],
      logger: silent, time: TimeSource(world.time, wall: { world.time.wall }, random: random))
    authenticator = try Authenticator(
      accounts: [stage.account],
      store: LivingStore(
        backing: stage.keyring, life: life, identity: "\(stage.account.name) \(number)"),
      session: tokenSession, lockFolder: stage.logins, lockTimeout: .seconds(5), logger: silent,
      time: world.time.source)
    guard let url = URL(string: Stage.address), let origin = Origin(url) else {
      throw CocoaError(.formatting)
    }
    settings.timeout.request = SimulatedTime.never
    settings.retry.maxWait = .seconds(10)
    session = Session(
      name: "invoices", configuration: settings,
      authorizer: try authenticator.authorizer(for: stage.account.name, origins: [origin]),
      networkMiddleware: [wire(isForTokens: false)],
      logger: silent, time: TimeSource(world.time, wall: { world.time.wall }, random: random))
    sync = Self.sync(of: world.played, at: url, over: session, on: stage, silent)
  }

  private static func sync<List: PlayedXeroList>(
    of _: List.Type, at url: URL, over session: Session, on stage: Stage, _ logger: Logger
  ) -> ResourceSync {
    let time = stage.world.time
    return ResourceSync(
      account: stage.account.name,
      feed: XeroFeed(
        List.self, baseURL: url, pageSize: stage.pageSize,
        maxConcurrentPages: stage.maxConcurrentPages),
      session: session, store: List.Record.store(of: List.resource, in: stage.database),
      clock: TimeSource(time, wall: { time.wall }), logger: logger)
  }

  /// Runs a sync to its end, or to that of the program.
  func run(_ options: SyncOptions, crashAfterPage: Int?) async -> Result<SyncReport, any Error> {
    let (sync, life) = (sync, life)
    let task = Task {
      try await sync.run(options) { progress in
        guard case .stored(let progress) = progress else { return }
        // Between two transactions, where no request is.
        if progress.pages == crashAfterPage { life.end() }
      }
    }
    canceller.replace(with: { task.cancel() })
    return await task.result
  }

  func stop() async {
    life.end()
    await session.shutdown()
    await tokenSession.shutdown()
  }
}

/// Cancels the current run, as a user does.
final class Canceller: Sendable {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  func replace(with action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  func cancel() {
    let action = action.withLock { $0 }
    action?()
  }
}
