import Foundation
import GRDB
import Models
import Sandbox
import Storage
import SyncSupport
import TestSupport
import Testing

/// The real program, killed while it syncs, again and again on one database.
@Suite(.serialized, .timeLimit(Kills.timeLimit), .needsKeyring)
struct CrashTests {
  /// After how many kills a run is let through and everything compared.
  private static let series = 10

  // Edge case 47
  @Test(
    "a program killed at any moment and run again leaves the database of an undisturbed run, in every list"
  )
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
        let program = try fixture.start(["sync", "all"] + kind.arguments, database: path)
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
      let again = try await fixture.run("sync", "all", "--quiet", database: path)
      #expect(again.status == 0, "\(again.errors), seed \(seed)")
      #expect(try await Books(storedAt: path) == Books(servedBy: fixture.server), "seed \(seed)")
      #expect(try await integrity(of: path) == ["ok"], "seed \(seed)")
    }
    print("crashes: \(hits) kills of running programs, \(misses) after their end, seed \(seed)")
    #expect(hits >= Kills.count)
  }

  /// Returns the duration of a first sync that is not killed.
  private func undisturbed(_ fixture: ProgramFixture, _ path: String) async throws -> Duration {
    let start = ContinuousClock.now
    let ending = try await fixture.run("sync", "all", database: path)
    #expect(ending.status == 0, "\(ending.errors)")
    let books = Books(servedBy: fixture.server)
    #expect(try await Books(storedAt: path) == books)
    #expect(books.payments.count > 100 && books.documents.contains { $0.type == .creditNote })
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

/// The invoices, credit notes and payments of a database file or of the sandbox.
private struct Books: Equatable {
  let documents: Set<Invoice>
  let payments: Set<Payment>

  init(storedAt path: String) async throws {
    let database = try await LocalDatabase.open(at: path)
    var query = InvoiceQuery()
    query.includesVoidAndDeleted = true
    documents = Set(try await database.invoices(matching: query).map(\.invoice))
    var paid = PaymentQuery()
    paid.statuses = Set(PaymentStatus.allCases).subtracting([.deleted])
    payments = Set(try await database.payments(matching: paid).map(\.payment))
    try await database.close()
  }

  init(servedBy server: SandboxServer) {
    documents = Set(server.invoices() + server.creditNotes())
    let lists = [Resource.payments, .prepayments, .overpayments]
    payments = Set(lists.flatMap { server.payments(of: $0) })
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
