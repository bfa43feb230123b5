import Foundation
import GRDB
import Sandbox
import SyncSupport
import TestSupport
import Testing

/// The real program, killed while it syncs, again and again on one database.
@Suite(.serialized, .timeLimit(Kills.timeLimit), .needsKeyring)
struct CrashTests {
  /// After how many kills a run is let through and everything compared.
  private static let series = 10

  // Edge case 47
  @Test("a program killed at any moment and run again leaves an undisturbed run's database")
  func killed() async throws {
    let seed = Kills.seed
    var random = SeededRandom(seed: seed)
    let fixture = try await ProgramFixture {
      $0.source = .generated(invoices: 600, seed: 8)
      $0.latency = .milliseconds(5)
    }.signedIn()
    let folder = try TemporaryDirectory(inMemory: true)
    let length = try await undisturbed(fixture, folder.file("undisturbed.sqlite"))
    // How long each kind of run takes, by which were still there and which were not.
    var lengths: [Kind: Duration] = [:]
    var (hits, misses) = (0, 0)
    while hits < Kills.count {
      let path = folder.file("kill\(hits + misses).sqlite")
      for _ in 0..<Self.series {
        let kind = random.one(of: Kind.allCases)
        let program = try fixture.start(["sync", "invoices"] + kind.arguments, database: path)
        let longest = lengths[kind] ?? length
        let delay = longest * (Double(random.within(1...1_000)) / 1_000)
        try await Task.sleep(for: delay)
        // The exit status shows if the signal reached a running program: 137 is 128 and SIGKILL.
        program.send(SIGKILL)
        if await program.ending().status == 137 {
          hits += 1
          lengths[kind] = min(length, longest * 1.05)
        } else {
          misses += 1
          lengths[kind] = max(.milliseconds(20), min(longest, delay * 1.1) * 0.95)
        }
        if random.chance(20) {
          fixture.server.changeInvoices(count: 5, seed: UInt64(random.below(1_000)))
        }
      }
      let again = try await fixture.run("sync", "invoices", "--quiet", database: path)
      #expect(again.status == 0, "\(again.errors), seed \(seed)")
      #expect(try await fixture.stored(at: path) == fixture.served(), "seed \(seed)")
      #expect(try await integrity(of: path) == ["ok"], "seed \(seed)")
    }
    print("crashes: \(hits) kills of running programs, \(misses) after their end, seed \(seed)")
    #expect(hits >= Kills.count)
  }

  /// Returns the duration of a first sync that is not killed.
  private func undisturbed(_ fixture: ProgramFixture, _ path: String) async throws -> Duration {
    let start = ContinuousClock.now
    let ending = try await fixture.run("sync", "invoices", database: path)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try await fixture.stored(at: path) == fixture.served())
    return ContinuousClock.now - start
  }

  /// The kinds of run that are killed.
  private enum Kind: CaseIterable {
    case changes
    case full
    case verification

    var arguments: [String] {
      switch self {
      case .changes: []
      case .full: ["--full"]
      case .verification: ["--verify"]
      }
    }
  }

  private func integrity(of path: String) async throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    let found = try await queue.write { db in
      // The search index lacks nothing, and with a rank FTS5 compares it with the rows.
      let last = try Int64.fetchOne(db, sql: "SELECT max(row) FROM invoice")
      #expect(try Int64.fetchOne(db, sql: "SELECT indexed_row FROM search_state") == last)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM search_pending") == 0)
      try db.execute(
        sql: "INSERT INTO invoice_search (invoice_search, rank) VALUES ('integrity-check', 1)")
      return try String.fetchAll(db, sql: "PRAGMA integrity_check")
    }
    try queue.close()
    return found
  }
}

/// The number of kills that have to hit a running program, and their moments.
private enum Kills {
  /// As many as the time for all tests allows.
  private static let usual = 100

  private static let environment = ProcessInfo.processInfo.environment

  /// The number of kills, which `APPCORE_CRASHES` sets.
  static let count = environment["APPCORE_CRASHES"].flatMap { Int($0) } ?? usual

  /// `APPCORE_SEED` draws other moments.
  static let seed = environment["APPCORE_SEED"].flatMap { UInt64($0) } ?? 1

  /// The time limit for all kills, on a machine that does other things as well.
  static let timeLimit = TimeLimitTrait.Duration.minutes(30 * max(1, (count + usual - 1) / usual))
}
