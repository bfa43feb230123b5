import Authentication
import Foundation
import Models
import Providers
import SecureStore
import Storage
import Sync
import SyncSupport
import Synchronization

/// One seed: the program in a world in which things go wrong, until they do not any more.
struct Simulation {
  private let stage: Stage
  private var random: SeededRandom
  private var wrongs: [String] = []
  private var incarnation: Incarnation
  private var lives = 0
  /// The number of rows that the recorded runs have stored.
  private var inserted = 0
  private var lastRun: Timestamp?

  init(seed: UInt64, keepsDiary: Bool, database: LocalDatabase, folder: String) throws {
    stage = try Stage(
      seed: seed, keepsDiary: keepsDiary, database: database, folder: folder)
    random = SeededRandom(seed: seed, part: 7)
    incarnation = try Incarnation(stage, number: 0)
  }

  private var world: World { stage.world }

  /// - Returns: what is wrong, the empty list where nothing is; and what went on.
  mutating func run() async throws -> (wrongs: [String], diary: [String]) {
    let time = world.time
    let watch = Task {
      while true {
        try await Task.sleep(for: .milliseconds(20))
        time.advanceIfIdle()
      }
    }
    defer {
      watch.cancel()
      time.end()
    }
    try await signIn()
    for _ in 0..<random.within(2...5) {
      try await live()
      let changes = random.below(3)
      world.state.withLock { state in
        for _ in 0..<changes { state.list.change() }
        state.changesLeft = 10
      }
      world.time.advance(by: .seconds(random.below(4_000)))
    }
    try await settle()
    try await compare(world.played)
    await incarnation.stop()
    let (state, hasSetClock) = world.state.withLock { ($0.tokens.wrongs, $0.hasSetClock) }
    // A client with a wrong time may consider a valid token expired.
    if !hasSetClock { wrongs += state }
    return (wrongs, world.state.withLock { $0.diary })
  }

  private mutating func signIn() async throws {
    let now = world.time.uptime
    let tokens = world.state.withLock { $0.tokens.signIn(at: now) }
    _ = try await incarnation.authenticator.setTokens(
      TokenSet(
        accessToken: Secret(tokens.access), refreshToken: Secret(tokens.refresh),
        expiresAt: world.time.wall.addingTimeInterval(TimeInterval(tokens.lifetime))),
      for: stage.account.name)
  }

  /// One run in trouble, and what follows from how it ended.
  private mutating func live() async throws {
    var options = SyncOptions()
    options.maximumDeletedPercent = 100
    switch random.below(10) {
    case 0...5: break
    case 6: options.limit = random.within(1...6)
    case 7: options.isFull = true
    case 8: options.verifies = true
    default: options.maximumDuration = .seconds(random.within(1...60))
    }
    let crash = random.chance(15) ? random.within(1...4) : nil
    _ = try await attempt(options, crashAfterPage: crash)
  }

  /// - Returns: whether all was read.
  private mutating func attempt(
    _ options: SyncOptions, crashAfterPage: Int? = nil
  ) async throws -> Bool {
    let result = await incarnation.run(options, crashAfterPage: crashAfterPage)
    let hasCrashed = incarnation.life.isOver
    world.note(hasCrashed ? "crashed" : "\(result)".prefix(160).description)
    try await checkRecord(of: hasCrashed ? nil : try? result.get())
    guard !hasCrashed else {
      await incarnation.stop()
      lives += 1
      incarnation = try Incarnation(stage, number: lives)
      return false
    }
    switch result {
    case .success(let report): return report.result == .complete
    case .failure(AuthenticationError.signInRequired(_, let reason, _)):
      let (hasEnded, forbidsReplay) = world.state.withLock {
        ($0.tokens.hasEnded, $0.tokens.forbidsReplay)
      }
      let isPolicy = forbidsReplay && reason == .interruptedRenewal
      if !hasEnded, !isPolicy { wrongs.append("signed out, \(reason.rawValue), by nobody") }
      try await signIn()
      return false
    case .failure: return false
    }
  }

  /// The record of a run has what its report has, and all records together what is stored.
  private mutating func checkRecord(of report: SyncReport?) async throws {
    let record = try await stage.database.lastRun(
      account: stage.account.name, resource: world.played.resource)
    guard let record, record.startedAt != lastRun else { return }
    lastRun = record.startedAt
    inserted += record.counts.inserted
    guard let report else { return }
    if record.counts != report.counts || record.pages != report.pages {
      wrongs.append("a run's record \(record) differs from its report \(report)")
    }
    if record.result.rawValue != report.result.rawValue {
      wrongs.append("a run that was \(report.result) is on record as \(record.result)")
    }
  }

  /// Once nothing goes wrong any more, a few runs bring everything.
  private mutating func settle() async throws {
    world.calm()
    var options = SyncOptions()
    options.maximumDeletedPercent = 100
    options.maximumWait = .seconds(10)
    for _ in 0..<8 {
      // Longer than any pause after a failure, and than any wait that the server requested.
      world.time.advance(by: .seconds(100_000))
      if try await attempt(options) { return }
    }
    wrongs.append("no run gets to its end")
  }

  private mutating func compare<List: PlayedXeroList>(_: List.Type) async throws {
    let (account, database) = (stage.account.name, stage.database)
    let stored = try await List.Record.live(of: account, in: database)
    let served = try world.state.withLock { try $0.list.live.map(List.record) }
    if let difference = WholeDifference(stored: stored, served: served) {
      wrongs.append("\(difference)")
    }
    let count = try await List.Record.count(of: account, in: database)
    if count != inserted { wrongs.append("\(inserted) rows were inserted, and \(count) are there") }
  }
}
