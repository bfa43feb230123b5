import Foundation
import Models
import Providers
import Sync
import SyncSupport
import Testing

/// Rows are edited, made, deleted and made again between pages, and runs break off anywhere.
///
/// A seed that fails is printed; `APPCORE_SEED` runs it alone. `APPCORE_SEEDS` is how many there
/// are for each shape of a list, and `APPCORE_SHAPE` names one to run alone.
@Suite(.timeLimit(DriftSeeds.timeLimit)) struct DriftTests {
  // Edge cases 44, 45, 46 and 50
  @Test("the database equals the server once edits end", arguments: DriftShape.all)
  func drift(shape: DriftShape) async throws {
    let scene = try await DriftScene<DriftFeed, DriftServer<Invoice>>()
    for seed in DriftSeeds.all {
      var random = SeededRandom(seed: seed, part: 4)
      let pageSize = random.within(1...4)
      let feed = DriftFeed(shape: shape, pageSize: pageSize)
      let server = DriftServer<Invoice>(
        shape: shape, seed: seed, rows: random.below(13), pageSize: pageSize)
      let wrong = try await scene.outcome(of: seed, feed: feed, server: server)
      #expect(wrong == nil, "seed \(seed), \(shape)")
    }
    try await scene.stop()
  }

  // Edge cases 44, 45, 46 and 50
  @Test(
    "the database equals a described list once edits end", arguments: RESTDriftShape.all,
    [Resource.Kind.invoices, .payments])
  func described(shape: RESTDriftShape, kind: Resource.Kind) async throws {
    if kind == .payments {
      try await described(Payment.self, shape)
    } else {
      try await described(Invoice.self, shape)
    }
  }

  private func described<Record: DriftingRecord & RESTRecord>(
    _: Record.Type, _ shape: RESTDriftShape
  ) async throws {
    let scene = try await DriftScene<RESTFeed<Record>, DriftServer<Record>>()
    let url = try #require(URL(string: "http://drift.test"))
    for seed in DriftSeeds.ofDescribed {
      var random = SeededRandom(seed: seed, part: 4)
      let pageSize = shape.style == .none ? 1_000 : random.within(1...4)
      let rows = random.below(13)
      let resource = try shape.resource(Record.drifting, &random)
      let description = try RESTDescription(baseURL: url, resources: [resource])
      let feed = RESTFeed(
        Record.self, provider: "drift", resource: resource, baseURL: description.baseURL)
      let server = DriftServer<Record>(
        shape: shape.list, seed: seed, rows: rows, pageSize: pageSize, promise: shape.promise)
      let wrong = try await scene.outcome(of: seed, feed: feed, server: server)
      #expect(wrong == nil, "seed \(seed), \(shape)")
    }
    try await scene.stop()
  }

  // Edge cases 44 to 46, and 51
  @Test("the database equals a list of Xero once edits end", arguments: XeroShape.all)
  func xero(shape: XeroShape) async throws { try await xero(shape.list, shape) }

  private func xero<List: PlayedXeroList>(_: List.Type, _ shape: XeroShape) async throws {
    let scene = try await DriftScene<XeroFeed<List>, XeroDrift<List>>()
    let url = try #require(URL(string: "http://drift.test"))
    for seed in DriftSeeds.all {
      var random = SeededRandom(seed: seed, part: 4)
      let feed = XeroFeed(
        List.self, baseURL: url, pageSize: random.within(1...4),
        maxConcurrentPages: shape.maxConcurrentPages)
      let server = XeroDrift<List>(
        seed: seed, rows: random.below(13), deletion: shape.deletion)
      let wrong = try await scene.outcome(of: seed, feed: feed, server: server)
      #expect(wrong == nil, "seed \(seed), \(shape)")
    }
    try await scene.stop()
  }

  /// One of Xero's lists, and how it is read.
  struct XeroShape: Sendable, CustomTestStringConvertible {
    let list: any PlayedXeroList.Type
    let deletion: ChangingList.Deletion
    let maxConcurrentPages: Int

    var testDescription: String { "\(list), \(deletion), \(maxConcurrentPages) at once" }

    static let all: [XeroShape] = [1, 4].flatMap { pages in
      [
        XeroShape(list: XeroInvoices.self, deletion: .marks, maxConcurrentPages: pages),
        XeroShape(list: XeroInvoices.self, deletion: .removes, maxConcurrentPages: pages),
        XeroShape(list: XeroPayments.self, deletion: .marks, maxConcurrentPages: pages),
        XeroShape(list: XeroCreditNotes.self, deletion: .removes, maxConcurrentPages: pages),
      ]
    }
  }
}

/// The seeds of a run: the same each time, from 1 or from `APPCORE_FIRST_SEED` on.
enum DriftSeeds {
  /// As many as an unoptimized build has time for; 500 is what a proof takes.
  private static let usual: UInt64 = 15
  /// The same of each of the many shapes of described lists.
  private static let usualOfDescribed: UInt64 = 4

  /// The time limit for the seeds of a shape, which run concurrently with those of all others, on a
  /// machine that does other things as well.
  static let timeLimit = TimeLimitTrait.Duration.minutes(max(10, all.count / 10))

  static let all = seeds(usual)
  static let ofDescribed = seeds(usualOfDescribed)

  private static func seeds(_ usual: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["APPCORE_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let count = environment["APPCORE_SEEDS"].flatMap { UInt64($0) } ?? usual
    let first = environment["APPCORE_FIRST_SEED"].flatMap { UInt64($0) } ?? 1
    return Array(first..<(first + max(1, count)))
  }
}
